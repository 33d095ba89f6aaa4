"""Pivot: ``groupBy(keys).pivot(column, values).agg(…)``.

Law: ``σ_P(pivot(d)) = pivot(σ_P(d))`` for a P over the grouping keys.
Condition: the pivoted values are listed, and P is alike on equal keys. Spark moves such filters itself, as far as the
next boundary.
Why sound: P keeps or drops whole groups, and the columns are those that are listed.
Counterexample without the condition: without values there is a column for each value that some row has; with the filter
first only those that a row has that passes, and the result has other columns.
Reference: FACTS.md, *Pivot without values: the key filter changes the columns*.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Pivot

from .outcome import Stop, check_equality
from .protocol import LAST, UNKNOWN, Inputs, Operator


def through(predicate: Expr, node: Pivot, inputs: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged, if it reads keys only and the values are listed."""
    if not node.listed:
        raise Stop("row-context", "which columns a `pivot` without values has depends on every row")
    if not columns_of(predicate) <= set(node.keys):
        raise Stop("opaque", "a filter on a pivoted value is not moved as yet")
    check_equality(predicate, "`pivot`")
    return predicate


OPERATOR = Operator(Pivot, "pivot", through, lambda _: UNKNOWN, lambda _: LAST)
