"""``withColumn("file", F.input_file_name())``: a column that Spark takes for random, though each row has its own file.

It therefore moves no filter past it (facts, section A p10d). Nothing is known here of the value, so that no pre-filter
may read it.
"""

from __future__ import annotations

import ast

from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater_ir.expr import Col
from headwater_ir.plan import Boundary, Filter, Project, RowUdf, Scan
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.span import Span
from headwater_ir.types import STRING
from headwater_ir.walks import below

from .api_context import ApiContext

API = "input_file_name"


def names_files(node: ast.expr, frame: TrackedFrame, reader: ApiContext) -> bool:
    """Whether ``node`` is the name of the file of each row of ``frame``: above a sort or a join it is that of whatever
    was read last."""
    plain = isinstance(node, ast.Call) and not node.args and not node.keywords
    known = plain and reader.names.function(node.func) == API  # type: ignore[attr-defined]
    return known and all(isinstance(p, (Scan, Filter, Project)) for p in below(frame.plan))


def with_file_name(frame: TrackedFrame, call: ast.Call, name: str, span: Span, reader: ApiContext) -> RowUdf:
    """``frame.withColumn(name, input_file_name())`` as a boundary whose own output is any text."""
    assert isinstance(call.func, ast.Attribute)
    ghost = f"{name}'s file"
    fold = Fold(
        API, API, (Column(ghost, STRING, ghost=True),), (), (), (), (OutputColumn(name, STRING, Col(ghost)),),
        rows="one",
    )  # fmt: skip
    boundary = Boundary(API, None, span, call_spans.receiver_end(reader.names.ctx, call.func))
    reader.world.bound_at[boundary] = reader.snapshot()
    return RowUdf(frame.plan, fold, boundary)
