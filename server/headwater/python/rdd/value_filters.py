"""Filters of values above ``reduceByKey`` and its kin, of pairs that are not made of a frame row by row.

Law: the pairs of one key are what ``byKey`` folds, whatever made them. So a filter above it is the filter of a fold
over the parts of the pairs (``kv[0]``, ``kv[1]``, ``kv[1][0]``), as it is over the columns of a frame (``pairs``); the
pre-filter goes right before the fold, in Python.
Condition: each part that is a key, or is read, is seen to be of one Python type, and never None: the code that makes it
says so (``int(…)``, a part of a text, a constant). A key is a text, a whole number or a truth value: which of several
equal keys names the element would depend on the rows that are left (1 and 1.0, 0.0 and -0.0).
Errors: the pre-filter raises on nothing (``rewrite/spell_python.py``); what made the pairs has run before it.
Counterexample without the types: ``kv[1] >= 90`` raises on a text, where ``take`` may never come to that key.
Reference: THEORY.md section 2; facts, section C: rdd-rbk-key.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from headwater.python.exprs.to_sql import can_raise
from headwater.python.exprs.value_tags import ColumnValues, Values, of_columns
from headwater.python.values.scope import AbstractObject, Items, Scope, Value
from headwater.python.values.slots import Slots
from headwater.python.values.type_inference import read_function
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, IsNull, Not
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold
from headwater_ir.types import Type

from .element_steps import ElementReader
from .fold_by_key import KeyFold
from .group_by_key import KeyValuesInterpreter
from .key_filters import ROOT, below, proven_type
from .method_calls import AGGREGATORS, Call, Elements
from .row_filters import RowFilterChain
from .row_objects import Columns

_KEYS = frozenset({"string", "int", "bool"})


def fold_values(
    ctx: Context,
    names: Names,
    calls: Sequence[Call],
    start: Value,
    *,
    columns: Columns,
    types: Mapping[str, Type],
    given: tuple[Expr, ...] = (),
    assume_pure: frozenset[str] = frozenset(),
    predicate: ast.expr,
) -> tuple[Fold, Elements, int]:
    """The fold of the last aggregation by key among ``calls``, its elements, and its place among them; Refusal where
    its meaning is not known. Arguments as for ``fold_keys``; ``predicate``: the filter that follows."""
    at = max(i for i, c in enumerate(calls) if c.method in AGGREGATORS)
    found: list[Elements] = []

    def attempt(scope: Scope) -> Fold:
        scope.columns.update(types)
        scope.facts = (*given, *(Not(IsNull(Col(n))) for n in types))
        pairs = _Pairs(ElementReader(scope, columns, guesses=True), calls[:at], start)
        scope.assumptions.clear()  # what made the pairs has run when the pre-filter does
        scope.facts = pairs.facts
        source = Columns(Schema(pairs.fields), ordered=False)
        chain = KeyFold(KeyValuesInterpreter(scope, Slots(scope), source, pairs.facts), pairs.facts)
        fold, elements = chain.above(calls, at, pairs.element, predicate)
        found[:] = [elements]
        return fold

    fold = read_function(ctx, attempt, names=names, assume_pure=assume_pure)
    return fold, found[0], at


class _Pairs:
    """The pairs before the aggregation, their parts as columns."""

    def __init__(self, run: ElementReader, calls: Sequence[Call], start: Value) -> None:
        self.scope = run.scope
        self.fields = tuple[Field, ...]()
        made = below(run, calls, start)
        if not isinstance(made, Items) or made.unique or len(made.items) != 2:
            raise Refusal("opaque", "the elements are not seen to be pairs")
        tags = ColumnValues(of_columns(self.scope.columns, self.scope.facts))
        key = self._part(f"{ROOT}[0]", made.items[0], tags)
        if not {f.type.name for f in self.fields} <= _KEYS:
            raise Refusal("opaque", "keys that may be equal and differ: which of them is seen, the rows decide")
        self.element = Items((key, self._part(f"{ROOT}[1]", made.items[1], tags)), mutable=False)
        self.facts = tuple[Expr, ...](Not(IsNull(Col(f.name))) for f in self.fields)
        run.facts = self.scope.facts = self.facts
        for call in reversed(calls):
            if call.method != "filter" or not call.arguments:
                break
            self.facts = (*self.facts, *self._said(run, call))

    def _part(self, path: str, value: Value, tags: Values) -> Value:
        if isinstance(value, Items) and not value.mutable and not value.unique:
            parts = (self._part(f"{path}[{i}]", v, tags) for i, v in enumerate(value.items))
            return Items(tuple(parts), mutable=False)
        t = None if isinstance(value, AbstractObject) else proven_type(self.scope, value, tags)
        if t is None:
            raise Refusal("opaque", f"of which type `{path}` is, is not seen")
        self.fields += (Field(path, t, nullable=False),)
        self.scope.columns[path] = t
        return Col(path)

    def _said(self, run: ElementReader, call: Call) -> list[Expr]:
        """What a filter right before the aggregation says of the pairs."""
        chain = RowFilterChain(run, self.facts)
        try:
            chain.read([call], self.element)
        except Refusal:
            return []
        return [e for e in chain.outputs.values() if not can_raise(e)]
