"""Columns that hold the greatest or least value of a group: ``F.max("x").over(Window.partitionBy("k"))``."""

from __future__ import annotations

import ast

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.consumers import Extreme
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, columns_of
from headwater_ir.plan import Window

from .api_context import ApiContext
from .window import is_only_partitioned


def extreme(
    made: TrackedFrame, value: ast.expr, frame: TrackedFrame, columns: ColumnReader, call: ast.Call, reader: ApiContext
) -> Extreme | None:
    """What ``value`` is, of which ``call`` has made a column of ``made``; None if it is something else."""
    plan, ctx = made.plan, reader.names.ctx
    if not isinstance(plan, Window) or len(plan.windows) != 1 or plan.columns or plan.windows[0].partition is None:
        return None
    match value:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=module)) as of) as inner, attr="over"
            ),
            args=[spec],
            keywords=[],
        ):
            function = reader.names.function(of)
        case _:
            return None
    if function not in ("max", "min") or of.attr != function or len(inner.args) != 1 or inner.keywords:
        return None
    try:
        column = columns.column(inner.args[0], text_is_name=True).expr
    except Refusal:
        return None
    if not _by_name(inner.args[0], reader) or not isinstance(column, Col) or not is_only_partitioned(spec, reader):
        return None
    facts = tuple(f for f in frame.facts if columns_of(f) <= {column.name})
    return Extreme(plan, function, column.name, module, ctx.span(value), ctx.span(spec), ctx.span(call), facts)


def _by_name(node: ast.expr, reader: ApiContext) -> bool:
    """Whether ``node`` names a column of whatever frame it is used on: no other column then has the name."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Call(args=[ast.Constant(value=str())], keywords=[]):
            return reader.names.function(node.func) in ("col", "column")
    return False
