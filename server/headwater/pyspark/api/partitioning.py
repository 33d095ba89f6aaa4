"""Methods that only say where rows are computed: ``repartition``, ``coalesce``, ``hint``, ``sortWithinPartitions``.

The rows stay what they are, as under a sort; what runs once per partition must not take the plan for a plain source,
for partitions may be without rows. Columns that rows are placed by are read like those of a sort, which may be some
that a projection below has dropped (``ResolveReferencesInSort``). Functions whose value depends on where a row is
(``spark_partition_id``, ``rand``) have no model, nor have boundaries that go by partitions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater_ir.plan import Sort
from headwater_ir.span import Span

from .api_context import ApiContext
from .sort import sorted_by


def _anywhere(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return reader.same_rows(frame, Sort(frame.plan, span, ()))


def _by_columns(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    only_numbers = all(isinstance(a, ast.Constant) and isinstance(a.value, int) for a in call.args)
    by = () if only_numbers and not call.keywords else None
    return reader.same_rows(frame, Sort(frame.plan, span, by))


def _sorted(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return reader.same_rows(frame, Sort(frame.plan, span, sorted_by(frame, call, reader)))


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "coalesce": _anywhere,
    "hint": _anywhere,
    "repartition": _by_columns,
    "repartitionByRange": _by_columns,
    "sortWithinPartitions": _sorted,
}
