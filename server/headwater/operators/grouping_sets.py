"""GroupingSets: ``rollup``, ``cube`` and ``groupingSets`` with their aggregates.

Law: for P over keys that are in *every* grouping set, as for Aggregate.
Condition: not as yet; the sets are not read. ``rollup`` and ``cube`` have the empty set, and so no such key.
Counterexample: ``rollup("team").count()`` has a row for all teams, whose key is NULL. ``team IS NULL`` accepts that
row; below the aggregate it keeps the rows without a team, and the row counts those (duckdb#4680). Even of an empty
input the empty set makes a row.
Reference: ANCHORS.md, item 2, and *Aggregate: … keys that are in every grouping set*.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr
from headwater_ir.plan import GroupingSets

from .outcome import Stop


def through(predicate: Expr, node: GroupingSets) -> NoReturn:
    """Always stops."""
    raise Stop(
        "empty-input-row", f"`{node.operator}` makes rows in which a key is NULL, the grand total even of nothing"
    )
