"""DropDuplicates: ``dropDuplicates(keys)``, one row for each value of the keys, whichever; DISTINCT ON.

Law: ``σ_P(κ_keys(d)) = κ_keys(σ_P(d))`` for a P over keys only.
Condition: every column that P reads is a key, and P is alike on equal keys; then P keeps or drops whole classes, and
Spark moves it itself, as far as the next boundary.
Counterexample without the condition: of ``("a", 10), ("a", 95)`` the first represents team a, and score > 90 is FALSE
of it; with the filter first the second does, and passes (duckdb#6061, #9241, datafusion#12942, polars#14595).
Reference: ANCHORS.md, item 12.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import DropDuplicates

from .outcome import Stop, check_equality
from .protocol import EVERY_COLUMN, Inputs, Operator, same_columns


def through(predicate: Expr, node: DropDuplicates, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged, if it reads keys only."""
    if node.keys is None or not columns_of(predicate) <= set(node.keys):
        raise Stop("representative-choice", "`dropDuplicates` keeps other rows if a filter runs before it")
    check_equality(predicate, "`dropDuplicates`", "representative-choice")
    return predicate


OPERATOR = Operator(
    DropDuplicates, "drop_duplicates", through, same_columns, lambda _: EVERY_COLUMN, rows_of_input=True
)
