"""``rollup`` and ``cube`` with their aggregates: each row once for every grouping set, with NULL in place of the keys
that the set leaves out, and groups of these rows by all keys.

So it is an ``unpivot`` of the keys, to which a filter of keys may come that drops a row of which no copy may pass,
below an aggregate by them (facts, section A *a-rollup*, *a-cube*; section C *rollup k==c*, *rollup k2==c*, *cube*:
Spark itself stops at ``Expand``).
Law: ``σ_P(γ_K(χ(d))) = σ_P(γ_K(χ(σ_G(d))))`` with ``G = ⋁ P[what a set leaves out := NULL]``; the filter stays.
Why sound: P is about the keys alone, so it keeps or drops whole groups; of a group that it keeps, each row is the copy
of one that satisfies G. Of nothing ``rollup`` makes no row.
Condition: the aggregates cannot raise on the subtotals that are made of fewer rows, and that P drops: no sums of
integers or decimals, nothing computed of aggregates. The types of the keys are known.
Counterexamples without the condition: ``k IS NULL`` is TRUE of the grand total, so that every row counts (G is TRUE);
the sum of 2⁶³ - 1 and -1 is a number, that of 2⁶³ - 1 and 1, without the -1 of another key, an error.
"""

from __future__ import annotations

import ast
from itertools import combinations

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import Grouped
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Lit
from headwater_ir.plan import Boundary, Explode, GroupingSets
from headwater_ir.span import Span

from .aggregate_calls import Aggregates, read_aggregates, shorthand

_MOST_KEYS = 4
_NEVER_RAISE = frozenset(
    "max min count count_if bool_or bool_and first last collect_list collect_set count_distinct approx_count_distinct"
    " countDistinct approxCountDistinct any_value first_value last_value array_agg".split()
)
_OF_DOUBLES = frozenset("sum avg mean".split())


def plan_of(grouped: Grouped, call: ast.Call, span: Span, reader: ApiContext) -> GroupingSets:
    """``frame.rollup(keys).agg(…)``, with a boundary below it if a filter of the keys may go there."""
    operator, frame = grouped.receiver.attr, grouped.frame
    plain = GroupingSets(frame.plan, operator, span)
    types = {k: f.type for k in grouped.keys if (f := frame.schema.field(k)) and f.type.name not in ("any", "opaque")}
    if not 0 < len(types) == len(grouped.keys) <= _MOST_KEYS:
        return plain
    try:
        found = _aggregates(grouped, call, reader)
    except Refusal:
        return plain
    names = {r.name.lower() for r in found.results}
    bare = all(isinstance(r.value.expr, Col) for r in found.results)
    if not bare or not all(_cannot_raise(n.function, n.argument) for n in found.natives):
        return plain
    if names & {k.lower() for k in grouped.keys}:
        return plain
    sets = _sets(operator, grouped.keys)
    arms = [tuple((k, Col(k) if k in kept else Lit(None, types[k])) for k in grouped.keys) for kept in sets]
    boundary = Boundary(operator, None, span, grouped.insert_at)
    reader.world.bound_at[boundary] = grouped.bound
    rows = Explode(frame.plan, grouped.keys, span, boundary, arms=tuple(arms), facts=frame.facts)
    return GroupingSets(rows, operator, span)


def _aggregates(grouped: Grouped, call: ast.Call, reader: ApiContext) -> Aggregates:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in reader.names.patches.methods or name not in ("agg", "max", "min", "sum", "avg", "mean", "count"):
        raise Refusal("opaque", f"`{name}` of grouping sets", call)
    if name == "agg":
        return read_aggregates(grouped.frame, grouped.keys, call, reader)
    return shorthand(grouped.frame, name, call, reader)


def _cannot_raise(function: str, argument: Term | None) -> bool:
    doubles = argument is not None and argument.type.name == "float"
    return function in _NEVER_RAISE or (function in _OF_DOUBLES and doubles)


def _sets(operator: str, keys: tuple[str, ...]) -> list[tuple[str, ...]]:
    if operator == "rollup":
        return [keys[:n] for n in range(len(keys), -1, -1)]
    return [kept for n in range(len(keys), -1, -1) for kept in combinations(keys, n)]
