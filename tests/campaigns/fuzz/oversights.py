"""More wrong rules: of two frames, missing values, bodies with control flow, whole columns and several ways."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from headwater.operators import constant_filter, pivot, set_operation, shared, union_all
from headwater.operators.registry import operator_of
from headwater.pyspark.api import nulls
from headwater.python.exprs.simplify import NONE
from headwater.python.interpreter.outcomes import End
from headwater.python.pandas.methods import model
from headwater.python.rdd import key_filters
from headwater.python.values import dict_tables
from headwater.syntax.core import match_case
from headwater_ir.expr import columns_of
from headwater_ir.plan import Filter, Pivot, Project, SetOperation, UnionAll
from headwater_ir.types import FLOAT, INT
from tests.operators.planted_rules import REGISTRY, with_rule

_set_operation, _union, _pivot, _shared = set_operation.through, union_all.through, pivot.through, shared.together
_given, _get, _case, _proven = nulls._given, dict_tables.get, match_case._case, key_filters.proven_type


_MASK = model.laws()["pandas.Series.mask"]
_MASKED = {_MASK.name: replace(_MASK, law=lambda c: _MASK.law(replace(c, bound=replace(c.bound, name="where"))))}


def _all_of_it(*given: Any) -> Any:
    return tuple(replace(d, whole=True) for d in _set_operation(*given))


def _by_name(predicate: Any, node: Any, inputs: Any) -> Any:
    return _union(predicate, replace(node, by_name=True, right_names=None), inputs)


def _alternatives(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        yield from _alternatives(node.left)
        yield from _alternatives(node.right)
    else:
        yield node


def _of_any(*given: Any) -> Any:
    return {n: v for n, v in _given(*given).items() if n not in ("how", "thresh")}


def _listed(predicate: Any, node: Any, inputs: Any) -> Any:
    return _pivot(predicate, replace(node, listed=True), inputs)


def _no_float(*given: Any) -> Any:
    found = _proven(*given)
    return INT if found == FLOAT else found


def _without_default(s: Any, node: Any, owner: Any, key: Any, default: Any) -> Any:
    return _get(s, node, owner, key, NONE)


def _unguarded(case: Any, *rest: Any) -> Any:
    return _case(ast.match_case(case.pattern, None, case.body), *rest)


def _uncaught(*_: Any) -> Any:
    return End("raise", reason="an error that is not caught")


def _first_filter(node: Any, between: Any) -> Any:
    _, filters = _shared(node, between)
    return filters[0].conjuncts[0].condition, filters


def _whatever_changes(plan: Any) -> tuple[constant_filter.Part, ...]:
    found: list[constant_filter.Part] = []
    while isinstance(plan, Project) or operator_of(plan).rows_of_input:
        if isinstance(plan, Filter):
            found += [p for p in constant_filter._parts(plan, own=False) if columns_of(p.condition)]
        plan = plan.child
    return tuple(dict.fromkeys(found))


OVERSIGHTS: dict[str, dict[str, Any]] = {
    "what is taken away is all of it": {REGISTRY: with_rule(SetOperation, _all_of_it)},
    "a union goes by name": {REGISTRY: with_rule(UnionAll, _by_name)},
    "both alternatives of an ON clause hold": {"headwater.pyspark.api.joins_and_unions._conjuncts": _alternatives},
    "nothing is filled": {"headwater.pyspark.api.nulls._Fill.of": lambda *_: None},
    "nothing is replaced": {"headwater.pyspark.api.nulls._Replace.of": lambda *_: None},
    "one missing value is enough to be dropped": {"headwater.pyspark.api.nulls._given": _of_any},
    "a pivot without values has the same columns": {REGISTRY: with_rule(Pivot, _listed)},
    "no number is NaN": {"headwater.python.rdd.value_filters.proven_type": _no_float},
    "what is no key is None": {"headwater.python.values.dict_tables.get": _without_default},
    "every guard of a case is met": {"headwater.syntax.core.match_case._case": _unguarded},
    "nothing is caught": {"headwater.python.interpreter.try_except._Attempt._failed": _uncaught},
    "mask keeps what where keeps": {"headwater.python.pandas.methods.model._LAWS": {**model.laws(), **_MASKED}},
    "a pattern is the text that it fits": {"headwater.python.pandas.methods.strings._FINDING": {}},
    "a text ends as it begins": {
        "headwater.python.pandas.methods.strings._TESTS": {"startswith": "startswith", "endswith": "startswith"}},
    "one consumer speaks for all": {"headwater.operators.shared.together": _first_filter},
    "what a method calls changes nothing": {
        "headwater.pyspark.driver.attributes.Attributes.seen_by_others": lambda _: None},
    "no other filter binds a witness": {"headwater.engine.analysis.unsound_prefilter._filters_below": lambda _: []},
    "a column that is overwritten is what it was": {"headwater.operators.constant_filter._facts": _whatever_changes},
}  # fmt: skip
"""What is put in the place of what, as in ``mistakes.MISTAKES``."""
