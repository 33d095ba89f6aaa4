"""Row by row: ``df.rdd.map(…).flatMap(…).filter(…)``, as conditions on the rows of the frame.

Law: with ``e(r)`` for the elements that the chain makes of row ``r`` and the filter's function ``p``, the elements that
pass are those of the rows for which ``p(e(r))`` is true: each element of a row is alike in what ``p`` reads
(``row_steps``). So the fold is a row function (``rows="one"``) whose outputs are the conjuncts of the filters, in terms
of the row, and the filter asks that all of them are true.
So do all values of a key above ``reduceByKey`` and its kin, where a filter reads the key alone (``key_chain``).
Condition: every function is deterministic and does nothing but compute; no method looks at other elements
(``zipWithIndex``, ``sample``, ``mapPartitions`` with a state). Above a ``byKey``, keys are columns, and compared with
constants: that is the same for keys that are equal.
Errors: Python evaluates the chain on every row, so what an earlier step raises is the original's error. What stands
behind a condition (a later filter, a later conjunct) is evaluated only where that holds, and is guarded by it here;
behind one without a model by what may be so of any row, and is no column that a pre-filter could read.
Counterexample without the guard: ``filter(lambda r: r.n != 0).filter(lambda r: 10 / r.n > 1)``.
Reference: THEORY.md sections 2 and 4; FACTS.md ("a pure projection ``rdd.map`` before a range filter").
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from headwater.python.effects import scoped_program
from headwater.python.exprs.facts import NO_FACTS
from headwater.python.exprs.simplify import MAX_NODES
from headwater.python.exprs.to_sql import can_raise, conditions
from headwater.python.exprs.value_tags import ColumnValues, of_columns
from headwater.python.values import sized_lists
from headwater.python.values.scope import Scope, Value
from headwater.python.values.type_inference import known_columns, read_function, stated_facts
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, And, Arith, Col, Expr, If, IsNull, Neg, Raise, params_of, size, walk
from headwater_ir.expr import Call as Opaque
from headwater_ir.problem import Fold, OutputColumn, Parameter
from headwater_ir.types import ANY, BOOL

from .element_steps import ElementReader, returned
from .functions import Function
from .method_calls import AGGREGATORS, Call
from .row_objects import Columns, RddRow


@dataclass(frozen=True)
class Tests:
    """One filter of a chain: the outputs of the fold that must be TRUE. ``unread``: why it has conjuncts that have no
    meaning here."""

    call: Call
    outputs: tuple[str, ...]
    unread: str | None


def fold_rows(
    ctx: Context,
    names: Names,
    calls: Sequence[Call],
    *,
    columns: Columns,
    facts: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> tuple[Fold, list[Tests]]:
    """The row function of a chain of methods of ``df.rdd``, and its filters; Refusal where its meaning is not known."""
    facts = stated_facts(facts, columns.source)
    found: list[Tests] = []

    def attempt(scope: Scope) -> Fold:
        chain = RowFilterChain(ElementReader(scope, columns, variables=True), facts)
        found[:] = chain.read(calls, RddRow())
        values = list(chain.outputs.values())
        outputs = tuple(OutputColumn(name, BOOL, e) for name, e in chain.outputs.items())
        given = sorted(frozenset[str]().union(*map(params_of, values)))
        told = sized_lists.facts_of(scope, facts, columns.source)
        own = known_columns(scope, columns.source, (), values, told)
        return Fold(
            name_of(calls), api_of(calls), own, (), (), (), outputs, rows="one", facts=told,
            assumptions=sized_lists.assumptions(scope, values), params=tuple(Parameter(n, ANY) for n in given),
        )  # fmt: skip

    fold = read_function(ctx, attempt, names=names, assume_pure=assume_pure, facts=facts)
    return fold, found


class RowFilterChain:
    """One attempt at one chain."""

    def __init__(self, run: ElementReader, facts: tuple[Expr, ...]) -> None:
        self.run, self.facts = run, facts
        self.outputs: dict[str, Expr] = {}
        self.known = NO_FACTS
        self.gap = False
        """Whether a conjunct without a model has gone before: what comes behind it may not be evaluated."""
        self.keyed = False
        """Whether an element stands for all rows of a key."""

    def read(self, calls: Sequence[Call], element: Value) -> list[Tests]:
        """The filters of the chain above ``element``."""
        found: list[Tests] = []
        for call in calls:
            if call.method == "filter":
                found.append(self._filter(call, element))
            else:
                element = self.run.step(call, element)
            self.keyed |= call.method in AGGREGATORS
        return found

    def _filter(self, call: Call, element: Value) -> Tests:
        (predicate,) = call.arguments
        self.run.place = call.node
        operands = _operands(self.run.function(predicate))
        made: list[str] = []
        unread: str | None = None
        with ExitStack() as stack:
            for operand in operands:
                try:
                    truth = self.run.truth(operand, element)
                except Refusal as refusal:
                    if refusal.obstruction in ("side-effect", "volatile") or isinstance(operand, str):
                        raise
                    if len(operands) == 1:
                        raise
                    scoped_program.require(self.run.scope, operand)
                    unread, self.gap = unread or refusal.reason, True
                    continue
                stack.enter_context(self.run.knowing(truth, True))
                self._test(truth, made)
        if not made:
            raise Refusal("opaque", unread or "a filter without a condition", predicate)
        return Tests(call, tuple(made), unread)

    def _test(self, truth: Expr, made: list[str]) -> None:
        """Make outputs of the conjuncts of a condition of Python's."""
        tags = ColumnValues(of_columns(self.run.scope.columns, self.facts))
        parts = conditions(truth, tags, self.known)
        self.known = self.known.plus(truth, True)
        for part in parts:
            if self.keyed:
                self._require_plain(part)
            if can_raise(part) and self.gap:
                part = If(IsNull(self._unread()), FALSE, part)
            if can_raise(part) and self.outputs:
                part = If(And(tuple(self.outputs.values())), part, FALSE)
            if size(part) > MAX_NODES:
                raise Refusal("time-out", "the function has too many paths")
            name = f"test {len(self.outputs) + 1}"
            self.outputs[name] = part
            made.append(name)

    def _unread(self) -> Col:
        """NULL where an earlier conjunct without a model does not hold; that may be anywhere."""
        return self.run.scope.ghost("absence of `what has no model`", BOOL)

    def _require_plain(self, e: Expr) -> None:
        """Refuse a condition that may distinguish keys that are equal in Python (1 and 1.0, 0.0 and -0.0), or cannot
        be one of the frame: then it may still be one of the pairs."""
        if any(isinstance(node, (Opaque, Arith, Neg, If, Raise)) for node in walk(e)):
            raise Refusal("opaque", "a key that is computed, or of which something is computed")


def _operands(function: Function) -> list[Function]:
    """The conjuncts of a filter's function as functions of their own, in the order in which Python evaluates them."""
    body = None if isinstance(function, str) else returned(function)
    if isinstance(function, str) or not isinstance(body, ast.BoolOp) or not isinstance(body.op, ast.And):
        return [function]
    return [ast.copy_location(ast.Lambda(function.args, part), part) for part in body.values]


def api_of(calls: Sequence[Call]) -> str:
    """The methods as a boundary is called after them."""
    methods = [c.method for c in calls if c.method != "filter"]
    first = next((m for m in methods if m in AGGREGATORS), methods[0] if methods else None)
    return f"rdd.{first}" if first else "rdd"


def name_of(calls: Sequence[Call]) -> str:
    """The function that makes the elements, if it is one of the file's and the only one."""
    functions = [a for c in calls if c.method != "filter" for a in c.arguments]
    return functions[0].id if len(functions) == 1 and isinstance(functions[0], ast.Name) else "<lambda>"
