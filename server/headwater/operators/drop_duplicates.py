"""DropDuplicates: ``dropDuplicates(keys)``, one row for each value of the keys, whichever; DISTINCT ON.

Law: ``σ_P(κ_keys(d)) = κ_keys(σ_P(d))`` for a P over keys only.
Condition: every column that P reads is a key; then P keeps or drops whole classes, and Spark moves it itself.
Counterexample without the condition: of ``("a", 10), ("a", 95)`` the first represents team a, and score > 90 is FALSE
of it; with the filter first the second does, and passes (duckdb#6061, #9241, datafusion#12942, polars#14595).
Reference: ANCHORS.md, item 12.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import DropDuplicates

from .outcome import Stop, not_yet


def through(predicate: Expr, node: DropDuplicates) -> NoReturn:
    """Sound over keys, and then Spark's work; not yet used to reach a boundary further down."""
    if node.keys is not None and columns_of(predicate) <= set(node.keys):
        not_yet("`dropDuplicates`")
    raise Stop("representative-choice", "`dropDuplicates` keeps other rows if a filter runs before it")
