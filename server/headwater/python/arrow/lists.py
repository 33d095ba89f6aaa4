"""What is computed from lists of a group's rows, or of a column's values: comprehensions, ``sorted``, ``max``, ``sum``.

Law: as for a loop over the list. Errors that a list raises as soon as it holds two values of which one is None are
passed over: a list that holds more raises as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.python.exprs.simplify import NONE, both, choose, either, is_boolean, is_null, negate
from headwater.python.exprs.value_tags import Analysis, of_columns
from headwater.python.interpreter.outcomes import Path
from headwater.python.libraries import models
from headwater.python.pandas.column_reductions import Reductions
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.rows.row_sequences import KeyTuple, Row, RowSequence, Series
from headwater.python.values.scope import AbstractObject, Env, Items, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import leaves
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import parameters
from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    Lit,
    Not,
    Raise,
    Slot,
    Truthy,
    columns_of,
    slots_of,
)
from headwater_ir.types import DATE

from .table import ArrowGroup, ArrowScalar, ChosenRow, FirstRow, frame_of

_SOME = {(">", 0, True), (">=", 1, True), ("!=", 0, True), ("==", 0, False), ("<=", 0, False), ("<", 1, False)}
"""Comparisons of a length with a constant, and outcomes, that say that it is not 0."""


class RowLists(FoldInterpreter):
    """Gives a meaning to lists of rows and of columns."""

    def __init__(self, group: ArrowGroup, slots: Slots) -> None:
        super().__init__(group.scope, slots)
        self.group = group
        self.reductions = Reductions(group, slots)
        self._orders = 0
        self._conditional = 0
        self._extremes: dict[tuple[str, Expr, Expr], tuple[Slot, Expr]] = {}
        self._carried: dict[tuple[Expr, str], Slot] = {}

    def arrow(self, node: ast.expr, env: Env) -> AbstractObject | None:
        """``node`` as a table, list of rows, row or column; None if it is something else."""
        raise NotImplementedError

    def key_part(self, name: str) -> ArrowScalar:
        """A part of the key."""
        return ArrowScalar(name, self.group.view(name))

    def new_order(self) -> int:
        """The number of an order that no other list has."""
        self._orders += 1
        return self._orders

    def each(self, over: AbstractObject | None, target: ast.expr) -> Env | None:
        """What the target of an iteration means."""
        if not isinstance(target, ast.Name):
            return None
        if isinstance(over, RowSequence):
            return {target.id: Row("item")}
        return {target.id: over.element} if isinstance(over, Series) else None

    def cell(self, row: Row | FirstRow | ChosenRow, name: str, node: ast.AST) -> Expr:
        """``row["name"]``."""
        if self.group.has(name) is False:
            raise Refusal("may-throw", f"there is no column `{name}`", node)
        if isinstance(row, ChosenRow):
            return self._chosen(row, name)
        return self.first(row.frame, name, node) if isinstance(row, FirstRow) else self.group.view(name)

    def first(self, frame: RowSequence, name: str, node: ast.AST) -> Expr:
        """The column's value in the first of the rows."""
        value = self.group.view(name)
        if frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if name in self.group.keys:
            return value
        self.use_order(frame, node)
        return self.reductions.first(Series(frame, value, name))

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp, env: Env) -> Value | None:
        """A list of rows or of what each contributes, or of the parts of the key."""
        first = node.generators[0]
        if len(node.generators) != 1 or first.is_async:
            return None
        over = self.arrow(first.iter, env)
        if isinstance(over, KeyTuple) and isinstance(first.target, ast.Name) and not first.ifs:
            parts = (self.key_part(n) for n in over.names)
            return Items(tuple(self.any_value(node.elt, {**env, first.target.id: p}) for p in parts), mutable=False)
        if isinstance(over, (RowSequence, Series)) and self._of_one_row(env):
            raise Refusal("opaque", "a pass over the group for each of its rows", node)
        bound = self.each(over, first.target)
        if bound is None or not isinstance(over, (RowSequence, Series)):
            return None
        inside: Env = {**env, **bound}
        mask = both(frame_of(over).mask, *(self.test(c, inside) for c in first.ifs))
        self._row_local(mask, node)
        frame = RowSequence(mask, frame_of(over).order)
        element = self.any_value(node.elt, inside)
        if isinstance(element, Row):
            return frame
        if isinstance(element, AbstractObject):
            return None
        self._row_local(element, node)
        return Series(frame, element, element.name if isinstance(element, Col) else None)

    def _of_one_row(self, env: Env) -> bool:
        """Whether something is bound to the row of an iteration, or to a part of it: another row would be taken for
        the same one."""
        scalars = (e for v in env.values() for e in leaves(v))
        return any(isinstance(v, Row) for v in env.values()) or any(
            not columns_of(e) <= set(self.group.keys) for e in scalars
        )

    def certain(self, node: ast.AST, mask: Expr, element: Expr = NONE) -> None:
        """Refuse a computation over the group that may fail on a row where it may not run at all: its error would be
        taken for one of the original, which excuses everything."""
        tags = Analysis(of_columns(self.scope.columns, self.scope.facts))
        perhaps = self.unless_empty(self.path, mask) or self._conditional
        if perhaps and not tags.defined(If(mask, element, NONE)):
            raise Refusal("opaque", "a computation over the group that may fail, run under a condition", node)

    def unless_empty(self, path: Path, mask: Expr) -> Path:
        """``path`` without tests that only say that there are rows: where there are none, nothing runs over them."""
        masks = (
            [TRUE, *(both(*mask.operands[: n + 1]) for n in range(len(mask.operands)))]
            if isinstance(mask, And)
            else [mask]
        )
        return tuple(step for step in path if not any(self._some_of(*step, m) for m in masks))

    def _some_of(self, cond: Expr, outcome: bool, mask: Expr) -> bool:
        """Whether ``cond`` having this outcome says that there is a row for which ``mask`` holds."""
        if isinstance(cond, Not):
            return self._some_of(cond.operand, not outcome, mask)
        some = self._extremes.get(("some", mask, TRUE))
        if some is not None and cond == some[0]:
            return outcome
        count = self.reductions.length(RowSequence(mask))
        if isinstance(cond, Truthy):
            return outcome and cond.operand == count
        if isinstance(cond, Compare) and cond.left == count and isinstance(cond.right, Lit):
            return (cond.op, cond.right.value, outcome) in _SOME
        return False

    def any_value(self, node: ast.expr, env: Env) -> Value:
        """The value of ``node``; parts of conditional expressions may not be evaluated."""
        partial = isinstance(node, (ast.IfExp, ast.BoolOp)) or (isinstance(node, ast.Compare) and len(node.ops) > 1)
        with self._perhaps(partial):
            return super().any_value(node, env)

    def test(self, node: ast.expr, env: Env) -> Expr:
        """The truth of ``node``; of a list, whether it holds anything."""
        over = self.arrow(node, env)
        if isinstance(over, (RowSequence, Series)):
            return self.some(node, frame_of(over))
        with self._perhaps(isinstance(node, (ast.IfExp, ast.BoolOp))):
            return super().test(node, env)

    @contextmanager
    def _perhaps(self, partial: bool) -> Iterator[None]:
        self._conditional += partial
        try:
            yield
        finally:
            self._conditional -= partial

    def _row_local(self, e: Expr, node: ast.AST) -> None:
        if slots_of(e):
            raise Refusal("opaque", "a second pass over the group reads what the first computed", node)

    def total(self, node: ast.Call, name: str, over: Series) -> Expr:
        """``sum``, ``any`` and ``all`` of a list."""
        self.certain(node, over.frame.mask, over.element)
        if name == "sum" and is_boolean(over.element):
            return self.reductions.count("n", both(over.frame.mask, over.element))
        if name == "sum":
            self.use_order(over.frame, node)
        return self.reductions.builtin(node, name, over)

    def length(self, node: ast.AST, over: RowSequence) -> Expr:
        """The number of rows in a list."""
        self.certain(node, over.mask)
        return self.reductions.length(over)

    def extreme(self, node: ast.Call, name: str, over: RowSequence | Series, env: Env) -> Value:
        """``max(values)``, ``max(values, default=None)``, ``max(rows, key=…)``.

        CPython keeps the first value unless a later one compares as better. A None beside another value raises, and
        does so as well where a pre-filter has dropped none of the two; here it is passed over.
        """
        bound = models.bind(f"builtins.{name}", node)
        frame = frame_of(over)
        self.use_order(frame, node)
        if isinstance(over, RowSequence):
            keys = self._sort_key(bound.only("key", "*").get("key"), over, env)
            if keys is None or len(keys) != 1 or frame.mask != TRUE:
                raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
            best, better = self._best(node, name, frame, keys[0])
            if isinstance(keys[0], Col):
                self._carried[better, keys[0].name] = best
            return ChosenRow(better)
        default = bound.only("default", "*").get("default")
        best, _ = self._best(node, name, frame, over.element)
        seen = self.some(node, frame)
        if default is not None:
            return choose(seen, best, self.value(default, env))
        return choose(seen, best, Raise(f"{name}() of no values"))

    def some(self, node: ast.AST, frame: RowSequence) -> Expr:
        """Whether there are any such rows."""
        if frame.mask == TRUE:
            return TRUE
        self.certain(node, frame.mask)
        slot = self._extremes.get(("some", frame.mask, TRUE))
        if slot is None:
            found = self.slots.allocate("some", FALSE)
            slot = self._extremes["some", frame.mask, TRUE] = found, TRUE
            self.slots.define(found, either(found, frame.mask))
        return slot[0]

    def _best(self, node: ast.AST, name: str, frame: RowSequence, value: Expr) -> tuple[Slot, Expr]:
        """The best value so far, and whether a row's is better."""
        self.certain(node, frame.mask, value)
        known = self._extremes.get((name, frame.mask, value))
        if known is None:
            slot = self.slots.allocate(name, NONE)
            op: CompareOp = ">" if name == "max" else "<"
            beats = both(negate(is_null(value)), self.compare(node, op, value, slot))
            better = both(frame.mask, either(is_null(slot), beats))
            self.slots.define(slot, choose(better, value, slot))
            self.compare(node, op, value, slot)  # refused, now that the slot has its type, if they do not compare
            known = self._extremes[name, frame.mask, value] = slot, better
        return known

    def _chosen(self, row: ChosenRow, name: str) -> Expr:
        """A column of the row that ``max(rows, key=…)`` chose."""
        value = self.group.view(name)
        if name in self.group.keys:
            return value
        known = self._carried.get((row.better, name))
        if known is None:
            known = self.slots.allocate(name, NONE)
            self.slots.define(known, choose(row.better, value, known))
            self._carried[row.better, name] = known
        return known

    def sorted_list(self, node: ast.Call, over: RowSequence | Series, env: Env) -> AbstractObject:
        """A list in another order. What raises on a None does so in every list that holds it and something else; NaN
        has no place in an order, so floats do not sort."""
        keywords = models.bind("builtins.sorted", node).arguments
        if not isinstance(keywords.get("reverse", ast.Constant(False)), ast.Constant):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        frame = frame_of(over)
        keys = [over.element] if isinstance(over, Series) else None
        if "key" in keywords:
            keys = self._sort_key(keywords["key"], over, env)
        if keys is None or not all(isinstance(k, Col) for k in keys):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}`", node)
        for key in keys:
            t = self.scope.type(key)
            if t.name not in ("int", "string", "bool", "timestamp") and t != DATE:
                raise Refusal("opaque", f"rows sorted by a {t}, among which may be NaN", node)
        order = RowSequence(frame.mask, self.new_order())
        return Series(order, over.element, over.column) if isinstance(over, Series) else order

    def _sort_key(self, key: ast.expr | None, over: RowSequence | Series, env: Env) -> list[Expr] | None:
        if not (isinstance(key, ast.Lambda) and len(key.args.args) == len(parameters(key)) == 1):
            return None
        bound = self.each(over, ast.Name(key.args.args[0].arg, ast.Store()))
        parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
        values = [self.value(p, {**env, **(bound or {})}) for p in parts]
        for v in values:
            self._row_local(v, key)
        return values
