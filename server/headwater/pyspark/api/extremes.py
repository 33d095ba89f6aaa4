"""Columns that hold the greatest or least value of a group: ``F.max("x").over(Window.partitionBy("k"))``, or whether
a column equals it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import NamedTuple

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.uses_found import Asked, Extreme
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, columns_of
from headwater_ir.plan import Filter, Order, Window

from .api_context import ApiContext
from .window import has_window, partitioned, ranked

FUNCTIONS = ("max", "min")
_FIRST = ("first", "first_value")


class _Over(NamedTuple):
    """A call of ``function`` of one argument, ``given``, over the window ``spec``, all of it at ``node``."""

    node: ast.Call
    function: ast.expr
    given: ast.expr
    spec: ast.expr


def note_extreme(
    made: TrackedFrame, value: ast.expr, frame: TrackedFrame, call: ast.Call, reader: ApiContext
) -> None:  # fmt: skip
    """Note what ``value`` is, of which ``call`` has made a column of ``made`` from ``frame``, if it is an extreme."""
    if has_window(value):
        found = _extreme(made, value, frame, call, reader)
        reader.world.extremes += [] if found is None else [found]


def _extreme(
    made: TrackedFrame, value: ast.expr, frame: TrackedFrame, call: ast.Call, reader: ApiContext
) -> Extreme | None:
    plan, ctx = made.plan, reader.names.ctx
    held, value = _held(value, reader)
    over, beside, value = _parts(value)
    if beside is None and held is not True:
        return None
    if not isinstance(plan, Window) or len(plan.windows) != 1 or over is None:
        return None
    function = reader.names.function(over.function)
    columns = _columns(frame, reader)
    column = _column(over.given, columns, text_is_name=True)
    window = partitioned(over.spec, columns, reader)
    if column is None or window is None or not _passes(plan, column):
        return None
    if columns.unknown and (plan.columns or not plan.keeps_others):
        return None  # what is made may have that name
    if function in _FIRST and window[0] is not None and not window[0].nulls_first:
        function = "max" if window[0].descending else "min"  # the value that comes first in the order
    if function not in FUNCTIONS or not _is_known(window[0], function, column):
        return None
    if beside is not None and _column(beside, columns) != column:
        return None
    span, name = ctx.span, plan.windows[0].name
    rank = ranked(name, value, over.node, reader.columns(frame, joins=True), reader) if columns.unknown else None
    return Extreme(
        plan, function, column, span(over.function), span(over.given), span(over.node), span(over.spec), span(call),
        tuple(f for f in frame.facts if columns_of(f) <= {column}), window[0],
        None if beside is None else span(value), None if beside is None else span(beside), held,
        columns.unknown or {}, rank,
    )  # fmt: skip


def note_asked(frame: TrackedFrame, node: ast.expr, made: TrackedFrame, reader: ApiContext) -> None:
    """Note what ``made``, ``frame`` filtered by ``node``, asks for, if only what the columns are called is not known,
    and one of them may hold an extreme."""
    plan = made.plan
    if not isinstance(plan, Filter) or plan.unread is None or plan.style != "column":
        return
    if not any(e.unknown for e in reader.world.extremes):
        return
    columns = _columns(frame, reader)
    try:
        conjuncts, unread = columns.readable(node)
    except Refusal:
        return
    if unread is None and columns.unknown:
        reader.world.asked.append(Asked(plan, replace(plan, conjuncts=conjuncts, unread=None), columns.unknown))


def _columns(frame: TrackedFrame, reader: ApiContext) -> ColumnReader:
    columns = reader.columns(frame, joins=True)
    columns.qualified, columns.unknown = True, {}
    return columns


def _held(value: ast.expr, reader: ApiContext) -> tuple[bool | int | str, ast.expr]:
    """What a column holds in the rows that a condition takes and in no others, and that condition: of
    ``F.when(condition, 1).otherwise(0)``, 1; of any other ``value``, TRUE and the value itself."""
    made, other = value, None
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[_], keywords=[]):
            return _held(inner, reader)
        case ast.Call(func=ast.Attribute(value=inner, attr="otherwise"), args=[ast.Constant(value=rest)], keywords=[]):
            made, other = inner, rest
    match made:
        case ast.Call(
            func=function, args=[condition, ast.Constant(value=bool() | int() | str() as held)], keywords=[]
        ) if reader.names.function(function) == "when":
            same = type(held) is type(other) and held == other
            if not same and (other is None or type(held) is type(other)):
                return held, condition
    return True, value


def _parts(value: ast.expr) -> tuple[_Over | None, ast.expr | None, ast.expr]:
    """The extreme in ``value``, what it is compared with, and ``value`` without its label."""
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[_], keywords=[]):
            return _parts(inner)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            a, b = _over(left), _over(right)
            return (b, left, value) if a is None else (a, right, value)
    return _over(value), None, value


def _over(node: ast.expr) -> _Over | None:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=function, args=[given], keywords=[]), attr="over"),
            args=[spec],
            keywords=[],
        ):
            return _Over(node, function, given, spec)
    return None


def _column(node: ast.expr, columns: ColumnReader, *, text_is_name: bool = False) -> str | None:
    """The column that ``node`` is as it stands in the frame; None if it is something else."""
    try:
        found = columns.column(node, text_is_name=text_is_name).expr
    except Refusal:
        return None
    return found.name if isinstance(found, Col) else None


def _passes(plan: Window, column: str) -> bool:
    """Whether ``column`` of the input of ``plan`` is what its result calls so."""
    made = {n.lower(): e for n, e in plan.columns}
    return made[column.lower()] == Col(column) if column.lower() in made else plan.keeps_others


def _is_known(order: Order | None, function: str, column: str) -> bool:
    """Whether the extreme is of all rows of the group, or comes first among them."""
    return order is None or (order.column == column and order.descending == (function == "max"))
