"""Sort: ``σ_P(sort(d)) = sort(σ_P(d))``.

Condition: the sort is not fused with a limit.
Why sound: a filter decides each row by itself and keeps the order of those that it keeps.
Without the condition: the first 10 of ``[11 rows]`` that satisfy P are others than those of the first 10 that satisfy P
(polars#26803, datafusion#21063).
Reference: ANCHORS.md, *When engines let a filter pass*.
"""

from __future__ import annotations

from headwater_ir.plan import Sort

from .protocol import UNKNOWN, Operator, Reads, passes_as_it_is, same_columns


def reads(node: Sort) -> Reads | None:
    """The columns that it sorts by."""
    return UNKNOWN if node.by is None else Reads(frozenset(node.by))


OPERATOR = Operator(Sort, "sort", passes_as_it_is, same_columns, reads, renames=lambda _: False, rows_of_input=True)
