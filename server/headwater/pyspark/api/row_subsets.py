"""Methods that keep some of a frame's rows as they are: ``limit``, ``sample``, ``distinct``, ``dropDuplicates``,
``cache``, ``withWatermark`` and their kin."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from headwater.pyspark.columns import session_windows
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.syntax.names.pyspark_methods import bind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, IsNull, Not, columns_of
from headwater_ir.plan import Boundary, Cache, Distinct, DropDuplicates, Limit, Sample, Watermark
from headwater_ir.span import Span

from .api_context import ApiContext
from .rename import literal_name
from .sort import order_of
from .sources import resolve_literal

DECLARED = {"withWatermark": "withWatermark(eventTime, delayThreshold)"}


def _name(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _limit(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    order = None if _name(call) == "tail" else order_of(frame.plan)
    if order is None or not isinstance(call.func, ast.Attribute):
        return reader.same_rows(frame, Limit(frame.plan, _name(call), span))
    boundary = Boundary(_name(call), None, span, call_spans.receiver_end(reader.names.ctx, call.func))
    reader.world.bound_at[boundary] = reader.snapshot()
    facts = tuple(f for f in frame.facts if columns_of(f) <= {order.column})
    if Not(IsNull(Col(order.column))) in facts:  # then it matters to nobody where NULL would stand
        order = replace(order, nulls_first=False)
    return reader.same_rows(frame, Limit(frame.plan, _name(call), span, order, boundary, facts))


def _sample(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return reader.same_rows(frame, Sample(frame.plan, _name(call), span))


def _cache(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return reader.same_rows(frame, Cache(frame.plan, _name(call), span))


def _watermark(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    column = bind(DECLARED["withWatermark"], call).get("eventTime")
    return reader.same_rows(frame, Watermark(frame.plan, literal_name(column, reader), span))


def _check_sessions(frame: TrackedFrame, keys: tuple[str | None, ...], reader: ApiContext) -> None:
    """Refuse what is made by an aggregation by ``keys``, None for all columns, if these may be session windows: it
    would merge some."""
    outside = session_windows.from_outside(reader.names)
    if any(session_windows.origin_of(frame.plan, key, outside) != "plain" for key in keys):
        raise Refusal("row-context", "a column may be a session window, which merges rows")


def _distinct(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    _check_sessions(frame, (None,), reader)
    return reader.same_rows(frame, Distinct(frame.plan, span))


def _drop_duplicates(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    if not call.args and not call.keywords and _name(call) != "dropDuplicatesWithinWatermark":
        return _distinct(frame, call, span, reader)
    keys = _keys(frame, call, reader)
    _check_sessions(frame, keys or (None,), reader)
    return reader.same_rows(frame, DropDuplicates(frame.plan, keys, span))


def _keys(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> tuple[str, ...] | None:
    """The columns by which a call drops duplicates; None if they are not plain names."""
    if len(call.args) + len(call.keywords) != 1:
        return None
    node = resolve_literal(call.args[0] if call.args else call.keywords[0].value, reader)
    if not isinstance(node, (ast.List, ast.Tuple)):
        return None
    columns = reader.columns(frame)
    try:
        terms = [columns.column(item, text_is_name=True) for item in node.elts]
    except Refusal:
        return None
    keys = tuple(t.expr.name for t in terms if isinstance(t.expr, Col))
    return keys if len(keys) == len(terms) else None


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    **dict.fromkeys(("limit", "offset", "tail"), _limit),
    **dict.fromkeys(("sample", "sampleBy"), _sample),
    **dict.fromkeys(("cache", "persist", "checkpoint", "localCheckpoint"), _cache),
    "distinct": _distinct,
    "withWatermark": _watermark,
    **dict.fromkeys(("dropDuplicates", "drop_duplicates", "dropDuplicatesWithinWatermark"), _drop_duplicates),
}
