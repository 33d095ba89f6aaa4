"""By which columns ``orderBy`` and ``sort`` order the rows."""

from __future__ import annotations

import ast

from headwater.pyspark.frames.constant_text import given_items
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import columns_of
from headwater_ir.unread import why_unread

from .api_context import ApiContext

_DIRECTIONS = frozenset("asc desc asc_nulls_first asc_nulls_last desc_nulls_first desc_nulls_last".split())


def sorted_by(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> tuple[str, ...] | None:
    """The columns of ``frame`` that ``call`` reads; None if they are not known."""
    if any(k.arg != "ascending" for k in call.keywords):
        return None
    columns = reader.columns(frame)
    found: set[str] = set()
    try:
        for item in given_items(call, reader.names, reader.lookup):
            value = columns.column(_without_direction(item, reader), text_is_name=True).expr
            if why_unread(value) is not None or not columns_of(value):  # a number is the position of a column
                return None
            found |= columns_of(value)
    except Refusal:
        return None
    return tuple(sorted(found))


def _without_direction(node: ast.expr, reader: ApiContext) -> ast.expr:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if name in _DIRECTIONS:
            return value
        case ast.Call(args=[value], keywords=[]) if reader.names.function(node.func) in _DIRECTIONS:
            return value
    return node
