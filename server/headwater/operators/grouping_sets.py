"""GroupingSets: ``rollup``, ``cube`` and ``groupingSets`` with their aggregates.

Law: for P over keys that are in *every* grouping set, as for Aggregate.
Condition: ``rollup`` and ``cube`` have the empty set, and so no such key; but they are read as rows that are made of
rows, an ``Explode`` with a copy for each set (``pyspark/api/aggregates/grouping_sets``). To these a P over the keys
passes, as it does through an aggregate by them, if it is alike on equal keys; the filter stays, for other rows are NULL
there. Counterexample: ``rollup("team").count()`` has a row for all teams, whose key is NULL. ``team IS NULL`` accepts
that row; below the aggregate it keeps the rows without a team, and the row counts those (duckdb#4680). Even of an empty
input the empty set makes a row.
Reference: ANCHORS.md, item 2, and *Aggregate: … keys that are in every grouping set*.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Explode, GroupingSets

from .null_extended import rejects_nulls
from .outcome import Stop, check_equality
from .protocol import LAST, UNKNOWN, Inputs, Operator


def through(predicate: Expr, node: GroupingSets, inputs: Inputs) -> Expr:
    """``predicate`` below the aggregate, if it reads keys alone."""
    rows = node.child
    if isinstance(rows, Explode) and rows.arms and columns_of(predicate) <= set(rows.made) and rejects_nulls(predicate):
        check_equality(predicate, f"`{node.operator}`")
        return predicate
    raise Stop(
        "empty-input-row", f"`{node.operator}` makes rows in which a key is NULL, the grand total even of nothing"
    )


OPERATOR = Operator(GroupingSets, "grouping_sets", through, lambda _: UNKNOWN, lambda _: LAST)
