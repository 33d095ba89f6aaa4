"""``UNION``, ``INTERSECT`` and ``EXCEPT`` between queries in SQL text, as the methods of frames mean them.

Columns go by position, with the names of the first query. Those of one level are taken from left to right; INTERSECT,
which binds closer, stands alone or in parentheses (``clauses``).
Reference: https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-setops.html
"""

from __future__ import annotations

from headwater.pyspark.api import combining
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater_ir.plan import Distinct
from headwater_ir.span import Span

METHODS = {
    "INTERSECT": "intersect", "INTERSECT ALL": "intersectAll", "EXCEPT": "subtract", "EXCEPT ALL": "exceptAll",
}  # fmt: skip
"""The method that means the same."""


def combined(left: TrackedFrame, right: TrackedFrame, operator: str, span: Span, reader: ApiContext) -> TrackedFrame:
    """The rows of ``left operator right``."""
    if operator in METHODS:
        return combining.set_operation(left, right, METHODS[operator], span, reader)
    every = combining.union(left, right, operator, span, reader)
    return every if operator == "UNION ALL" else reader.same_rows(every, Distinct(every.plan, span))
