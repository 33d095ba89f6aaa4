"""Filters of keys above ``reduceByKey`` and its kin, whatever is made of the values.

Law: ``byKey`` yields one element for each key ``k`` of its input, made of the values of ``k``. A condition that reads
nothing but the key, and is the same for keys that are equal, keeps or drops all values of a key together. So
``filter(p)`` above it is ``filter(lambda kv: p(kv[0]))`` below it, on the elements of the RDD, in Python.
Condition: keys that Python takes for one (equal, with one hash: ``1``, ``1.0`` and ``True``) are alike to ``p``:
comparisons with constants and membership are, and any function is where the type of the key is known. The elements are
seen to be tuples: of others it is not known that they have a ``[0]``. A NaN is a key of its own, but each is alike to
``p``. What is made of the values does nothing but compute (``python/effects``), for it is done less often.
Errors: the pre-filter must not raise, not even where the filter does: the job need not come to that key (``take``). Of
a key whose type is not known, only what no value raises on is asked (``rewrite/spell_python.py``).
Counterexamples: ``str(kv[0]) == "1"`` on the keys ``1`` and ``1.0``; ``kv[0] > 3`` where a key is a text.
Reference: facts, section C: rdd-rbk-key, rdd-rbk-key!=, rdd-gbk; THEORY.md section 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.python.exprs.to_sql import can_raise
from headwater.python.exprs.value_tags import ColumnValues, Values, of_columns
from headwater.python.values.scope import AbstractObject, Items, Scope, Unreadable, Value
from headwater.python.values.type_inference import WORDS, read_function
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, Arith, Col, Expr, IsNull, Neg, Not, Or, columns_of, walk
from headwater_ir.expr import Call as Opaque
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import ANY, BOOL, FLOAT, INT, Type

from .element_steps import OF_KEY, ElementReader
from .method_calls import AGGREGATORS, Call
from .row_filters import RowFilterChain, Tests
from .row_objects import Columns

ROOT = "kv"
_PROVEN: dict[frozenset[str], Type] = {
    frozenset({"int"}): INT, frozenset({"bool"}): BOOL, frozenset({"float"}): FLOAT, frozenset({"float", "nan"}): FLOAT,
}  # fmt: skip


def fold_keys(
    ctx: Context,
    names: Names,
    calls: Sequence[Call],
    start: Value,
    *,
    columns: Columns,
    types: Mapping[str, Type],
    plain: bool,
    given: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
) -> tuple[Fold, list[Tests], int]:
    """The fold of the last aggregation by key among ``calls``, the filters above it, and its place among them; Refusal
    where the filters ask for more than the key. ``start``: an element of the RDD at first, over columns of ``types``
    that are never None; ``plain``: it is seen to be plain data. ``given``: what else is TRUE of every row of the frame,
    if there is one."""
    at = max(i for i, c in enumerate(calls) if c.method in AGGREGATORS)
    found: list[Tests] = []

    def attempt(scope: Scope) -> Fold:
        scope.columns.update(types)
        scope.facts = (*given, *(Not(IsNull(Col(n))) for n in types))
        if not plain:
            scope.assume(_PLAIN, "purity")
        run = ElementReader(scope, columns, guesses=True)
        keyed = _Key(run, calls[at], below(run, calls[:at], start))
        facts = (*keyed.facts, *_known(run, keyed, calls[:at]))
        chain = RowFilterChain(run, facts)
        found[:] = chain.read(calls[at + 1 :], Items((keyed.element, OF_KEY), mutable=False))
        for e in chain.outputs.values():
            keyed.require_congruent(e)
        outputs = tuple(OutputColumn(name, BOOL, e) for name, e in chain.outputs.items())
        own = tuple(Column(n, scope.columns[n], is_key=True) for n in keyed.names)
        assumed = [a for a in scope.assumptions if a.kind == "purity" or any(f"`{n}`" in a.text for n in keyed.names)]
        return Fold(
            "<lambda>", calls[at].method, own, (), (), (), outputs, merge=(), facts=facts,
            assumptions=tuple(assumed),
        )  # fmt: skip

    fold = read_function(ctx, attempt, names=names, assume_pure=assume_pure)
    return fold, found, at


_PAIRS = AGGREGATORS | {"join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin", "cogroup", "groupWith", "groupBy"}
"""Methods that make pairs, whatever they are made of."""
_SAME = frozenset({"filter", "distinct", "sample", "sampleByKey", "subtract", "subtractByKey"})
"""Methods that leave some of the elements."""


def proven_type(scope: Scope, e: Expr, tags: Values) -> Type | None:
    """The type of every such value, None excluded; None if that is not certain."""
    t, found = scope.type(e), tags.of(e)
    if t.name == "string" and found == {"other"}:
        return t
    known = _PROVEN.get(found)
    return known if known is not None and known.name == t.name else None


_PLAIN = "the elements of the RDD are plain data: adding, comparing and hashing them changes nothing"


def below(run: ElementReader, calls: Sequence[Call], element: Value) -> Value:
    """What the elements are before the aggregation. What is done below has been done before the pre-filter runs, so
    that it may do what it likes."""
    for call in calls:
        if call.method in _PAIRS:
            if call.method not in AGGREGATORS:
                run.scope.assume(_PLAIN, "purity")  # another RDD, or keys that a function makes
            keyed = isinstance(element, Items) and call.method in AGGREGATORS and len(element.items) == 2
            key = element.items[0] if isinstance(element, Items) and keyed else OF_KEY
            if keyed and not _is_step(run, call, element):
                run.scope.assume(_PLAIN, "purity")
            element = Items((key, OF_KEY), mutable=False)
        elif call.method not in _SAME:
            try:
                element = run.step(call, element)
            except Refusal as refusal:
                run.scope.assume(_PLAIN, "purity")
                element = Unreadable(refusal.obstruction, refusal.reason)
    return element


def _is_step(run: ElementReader, call: Call, element: Value) -> bool:
    """Whether the functions of an aggregation make plain data of plain data."""
    try:
        run.step(call, element)
    except Refusal:
        return False
    return True


def _known(run: ElementReader, keyed: _Key, calls: Sequence[Call]) -> list[Expr]:
    """What filters right before the aggregation say of the key."""
    found: list[Expr] = []
    for call in reversed(calls):
        if call.method != "filter" or not call.arguments:
            break
        chain = RowFilterChain(run, keyed.facts)
        try:
            chain.read([call], Items((keyed.element, OF_KEY), mutable=False))
        except Refusal:
            continue
        found += [e for e in chain.outputs.values() if not can_raise(e) and not keyed.guesses(e)]
    return found


class _Key:
    """The key of the elements before the aggregation, as columns: ``kv[0]``, or ``kv[0][0]`` and so on."""

    def __init__(self, run: ElementReader, call: Call, below: Value) -> None:
        self.scope = run.scope
        self.names: list[str] = []
        self.proven: set[str] = set()
        if not isinstance(below, Items) or below.unique or len(below.items) != 2:
            raise Refusal("opaque", "the elements are not seen to be pairs", call.node)
        keyed = run.step(call, below)  # which looks at its functions
        assert isinstance(keyed, Items)
        tags = ColumnValues(of_columns(run.scope.columns, run.scope.facts))
        self.element = self._part(f"{ROOT}[0]", below.items[0], tags)
        self.facts = tuple(Not(IsNull(Col(n))) for n in self.names if n in self.proven)
        run.facts = run.scope.facts = self.facts

    def _part(self, path: str, value: Value, tags: Values) -> Value:
        if isinstance(value, Items) and not value.mutable and not value.unique:
            parts = (self._part(f"{path}[{i}]", v, tags) for i, v in enumerate(value.items))
            return Items(tuple(parts), mutable=False)
        self.names.append(path)
        t = ANY if isinstance(value, AbstractObject) else proven_type(self.scope, value, tags) or ANY
        if t != ANY:
            self.proven.add(path)
        elif path in self.scope.assumed_types:
            t = self.scope.assumed_types[path]
            self.scope.assume(f"`{path}` {WORDS[t.name]} (schema unknown)", "type")
        self.scope.columns[path] = t
        return Col(path)

    def guesses(self, e: Expr) -> bool:
        """Whether ``e`` may say that a key is not None whose type is not known: that would be taken for knowing it. To
        let None pass as well says no such thing."""
        if isinstance(e, (And, Or)):
            return any(map(self.guesses, e.operands))
        if isinstance(e, IsNull) and isinstance(e.operand, Col):
            return False
        return any(isinstance(n, IsNull) and not columns_of(n) <= self.proven for n in walk(e))

    def require_congruent(self, e: Expr) -> None:
        """Refuse a condition that may distinguish keys that are equal in Python."""
        for node in walk(e):
            computed = isinstance(node, (Arith, Neg))
            if isinstance(node, Opaque) or computed:
                types = {self.scope.columns[c] for c in columns_of(node)}
                if not columns_of(node) <= self.proven or (FLOAT in types and not computed):
                    raise Refusal("opaque", "a function of keys that may be equal and of several types")
