"""By which columns ``orderBy`` and ``sort`` order the rows, and in which direction."""

from __future__ import annotations

import ast

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.constant_text import given_items
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, columns_of
from headwater_ir.parts import Order
from headwater_ir.plan import Filter, Limit, Plan, Project, Shared, Sort
from headwater_ir.unread import why_unread

from .api_context import ApiContext
from .sources import resolve_literal

_DIRECTIONS = {
    "asc": (False, True), "asc_nulls_first": (False, True), "asc_nulls_last": (False, False),
    "desc": (True, False), "desc_nulls_first": (True, True), "desc_nulls_last": (True, False),
}  # fmt: skip
"""Whether the greatest come first, and whether NULL does."""


def sorted_by(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> tuple[str, ...] | None:
    """The columns of ``frame`` that ``call`` reads; None if they are not known."""
    if any(k.arg != "ascending" for k in call.keywords):
        return None
    columns = reader.columns(frame)
    found: set[str] = set()
    try:
        for item in given_items(call, reader.names, reader.lookup):
            value = columns.column(undirected(item, reader), text_is_name=True).expr
            if why_unread(value) is not None or not columns_of(value):  # a number is the position of a column
                return None
            found |= columns_of(value)
    except Refusal:
        return None
    return tuple(sorted(found))


def first_order(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Order | None:
    """The order by the first column that ``call`` sorts ``frame`` by; None if that is not known. Of ``ascending``, a
    truth value or one for each column, one that is false puts the greatest first, and NULL last."""
    items = given_items(call, reader.names, reader.lookup)
    if not items or isinstance(items[0], ast.Starred) or any(k.arg != "ascending" for k in call.keywords):
        return None
    found = directed(items[0], reader.columns(frame), reader)
    if found is None or not call.keywords:
        return found
    given = resolve_literal(call.keywords[0].value, reader)
    if isinstance(given, ast.List) and len(given.elts) == len(items):
        given = resolve_literal(given.elts[0], reader)
    if undirected(items[0], reader) is not items[0] or not isinstance(given, ast.Constant):
        return None
    if given.value not in (True, False):
        return None
    return found if given.value else Order(found.column, *_DIRECTIONS["desc"])


def order_of(plan: Plan) -> Order | None:
    """The order that the rows of ``plan`` stand in, by one of its columns; None if there is none that is known."""
    match plan:
        case Sort(order=order):
            return order
        case Limit(operator="limit" | "offset") | Filter() | Shared():
            return order_of(plan.child)
        case Project(columns=columns, keeps_others=keeps, dropped=dropped):
            order = order_of(plan.child)
            if order is None:
                return None
            kept = [name for name, value in columns if value == Col(order.column)]
            gone = {n.lower() for n in (*dropped, *(name for name, _ in columns))}
            if kept:
                return Order(kept[0], order.descending, order.nulls_first)
            return order if keeps and order.column.lower() not in gone else None
    return None


def undirected(item: ast.expr, reader: ApiContext) -> ast.expr:
    """What ``item`` orders by."""
    return _parts(item, reader)[0]


def directed(item: ast.expr, columns: ColumnReader, reader: ApiContext) -> Order | None:
    """The order that ``item`` means; None if it is not by a column."""
    item, direction = _parts(item, reader)
    try:
        column = columns.column(item, text_is_name=True).expr
    except Refusal:
        return None
    return Order(column.name, *_DIRECTIONS[direction]) if isinstance(column, Col) else None


def _parts(item: ast.expr, reader: ApiContext) -> tuple[ast.expr, str]:
    match item:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if name in _DIRECTIONS:
            return value, name
        case ast.Call(args=[value], keywords=[]) if (name := reader.names.function(item.func) or "") in _DIRECTIONS:
            return value, name
    return item, "asc"
