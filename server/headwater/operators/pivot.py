"""Pivot: ``groupBy(keys).pivot(column, values).agg(…)``.

Law: ``σ_P(pivot(d)) = pivot(σ_P(d))`` for a P over the grouping keys.
Condition: the pivoted values are listed. Spark moves such filters itself.
Why sound: P keeps or drops whole groups, and the columns are those that are listed.
Counterexample without the condition: without values there is a column for each value that some row has; with the filter
first only those that a row has that passes, and the result has other columns.
Reference: FACTS.md, *Pivot without values: the key filter changes the columns*.
"""

from __future__ import annotations

from typing import NoReturn

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Pivot

from .outcome import Stop, not_yet


def through(predicate: Expr, node: Pivot) -> NoReturn:
    """Sound over keys if the values are listed, and then Spark's work; not yet used to reach one further down."""
    if not node.listed:
        raise Stop("row-context", "which columns a `pivot` without values has depends on every row")
    if columns_of(predicate) <= set(node.keys):
        not_yet("`pivot`")
    raise Stop("opaque", "a filter on a pivoted value is not moved as yet")
