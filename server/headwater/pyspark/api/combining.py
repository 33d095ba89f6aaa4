"""Frames put together: joins, unions and set operations, whichever language says them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from headwater.pyspark.columns import qualified, session_windows
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.tracked_values import EVERYTHING, TrackedFrame, common_type, has_boundary
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import MIRRORED, Col, CompareOp
from headwater_ir.plan import (
    UNKNOWN_SCHEMA,
    Conjunct,
    Field,
    Filter,
    Join,
    JoinInput,
    JoinSide,
    JoinType,
    Plan,
    Schema,
    SetOperation,
    UnionAll,
)
from headwater_ir.span import Span
from headwater_ir.types import ANY, OPAQUE

from .api_context import ApiContext
from .sources import in_order

Operand = Callable[[ColumnReader], Term]
"""What stands on one side of a comparison, read over the columns of a frame; Refusal if it is no column of it."""


@dataclass(frozen=True)
class OnPart:
    """One conjunct of an ON clause. ``condition``: what it means over the columns of one frame, Refusal if it is no
    condition on that frame alone; ``compared``: the operands that it says to be equal (NULL perhaps among them) or in
    order."""

    span: Span
    style: Literal["column", "sql"]
    condition: Callable[[ColumnReader], tuple[Conjunct, ...]]
    compared: tuple[tuple[Operand, CompareOp, Operand], ...]


# --- unions and set operations


def union(
    frame: TrackedFrame, other: TrackedFrame, operator: str, span: Span, reader: ApiContext, *, by_name: bool = False,
    may_miss: bool = False,
) -> TrackedFrame:  # fmt: skip
    """The rows of both frames, columns by position, or ``by_name``; ``may_miss``: one of them may lack some."""
    places = None if by_name or may_miss else _places(frame, other)
    right = other if by_name else _by_position(frame, other)
    schema = _common(frame, right, places)
    types = tuple(f.type for f in schema.fields)
    plan = UnionAll(frame.plan, other.plan, operator, span, by_name, places, may_miss, types)
    # A column of the union is the left one's by name only: types may be widened, and facts hold on one side.
    return replace(reader.frame(plan, schema, frame, changed=EVERYTHING), sources=(frame, right))


def set_operation(
    frame: TrackedFrame, other: TrackedFrame, operator: str, span: Span, reader: ApiContext
) -> TrackedFrame:  # fmt: skip
    """``intersect``, ``intersectAll``, ``subtract`` or ``exceptAll`` of both frames, columns by position."""
    outside = session_windows.from_outside(reader.names)
    if any(session_windows.origin_of(f.plan, None, outside) != "plain" for f in (frame, other)):
        raise Refusal("row-context", "a column may be a session window, which merges rows")
    places, right = _places(frame, other), _by_position(frame, other)
    schema = _common(frame, right, places)
    types = tuple(f.type for f in schema.fields)
    plan = SetOperation(frame.plan, other.plan, operator, span, places, types)
    return replace(reader.frame(plan, schema, frame, changed=EVERYTHING), sources=(frame, right))


def _common(left: TrackedFrame, right: TrackedFrame, places: tuple[tuple[str, str], ...] | None) -> Schema:
    """The columns of both frames by position, ``right`` with the names of ``left``."""
    if places is None:
        return UNKNOWN_SCHEMA
    both = zip(left.schema.fields, right.schema.fields, strict=True)
    return Schema(tuple(Field(a.name, common_type([a.type, b.type])) for a, b in both))


def _by_position(left: TrackedFrame, right: TrackedFrame) -> TrackedFrame:
    """``right`` with the names of ``left``, as a union goes by position."""
    places = _places(left, right)
    if places is not None:
        names = {theirs: ours for ours, theirs in places}
        return replace(right, schema=Schema(tuple(replace(f, name=names[f.name]) for f in right.schema.fields)))
    unknown = Schema((), complete=False, rest=OPAQUE if right.may_hold_text() else ANY)
    return replace(right, schema=unknown, parent=None, other=None, sources=())


def _places(left: TrackedFrame, right: TrackedFrame) -> tuple[tuple[str, str], ...] | None:
    """What the right frame calls the column at the place of each of the left one's; None if that is not known."""
    names = [[f.name for f in frame.schema.fields] for frame in (left, right)]
    known = in_order(left) and in_order(right) and len(names[0]) == len(names[1])
    return tuple(zip(*names, strict=True)) if known else None


# --- joins


def join_on(
    left: TrackedFrame, right: TrackedFrame, how: JoinType, on: Sequence[OnPart], span: Span, reader: ApiContext
) -> TrackedFrame:
    """The frame of a join on a condition. Each conjunct of it that reads one side only is noted as a filter of that
    side, where there is a boundary that it might be moved to."""
    for part in on:
        found = [(side, c) for side, frame in _sides(left, right) if (c := _condition(part, frame, reader))]
        if len(found) != 1:
            continue  # of neither side alone, or not known which
        ((side, conjuncts),) = found
        frame = left if side == "left" else right
        if has_boundary(frame.plan):
            plan: Plan = JoinInput(frame.plan, how, side, part.span)
            reader.world.filters.append(Filter(plan, conjuncts, part.span, part.span, part.style))
    return joined(left, right, how, (), span, reader, tuple(_compared(left, right, on, reader)))


def joined(
    left: TrackedFrame, right: TrackedFrame, how: JoinType, using: tuple[str, ...], span: Span, reader: ApiContext,
    compared: tuple[tuple[str, CompareOp, str], ...] = (),
) -> TrackedFrame:  # fmt: skip
    """The frame of a join. Only columns that one side has for certain and the other has not can be identified by their
    bare names, so only they stay the columns that they are."""
    of_left, of_right = left.column_names(), right.column_names()
    equal = tuple((a, b) for a, op, b in compared if op == "==")
    ordered = tuple(c for c in compared if c[1] != "==")
    plan = Join(
        left.plan, right.plan, how, using, of_left, of_right, span, equal, ordered, qualified.called(left, right)
    )  # fmt: skip
    if how in ("semi", "anti"):
        return reader.same_rows(left, plan)
    if of_left is None or of_right is None:
        return replace(reader.frame(plan, UNKNOWN_SCHEMA, left, changed=EVERYTHING), sources=(left, right))
    both = {name.lower() for name in of_left} & {name.lower() for name in of_right}
    told = {name for name in (*of_left, *of_right) if name.lower() not in both} - set(using)
    return reader.joined(plan, left, right, frozenset(told))


def equal_columns(
    left: TrackedFrame, right: TrackedFrame, on: Sequence[OnPart], reader: ApiContext
) -> list[tuple[str, str]]:
    """The columns of each side that ``on`` says to be equal, the left one's first."""
    return [(a, b) for a, op, b in _compared(left, right, on, reader) if op == "=="]


def _compared(
    left: TrackedFrame, right: TrackedFrame, on: Sequence[OnPart], reader: ApiContext
) -> Iterator[tuple[str, CompareOp, str]]:
    """The columns of each side that the ON clause compares: the left one's first."""
    for a, op, b in (compared for part in on for compared in part.compared):
        one, other = (_column_of(operand, left, right, reader) for operand in (a, b))
        if one is not None and other is not None and one[0] != other[0]:
            yield (one[1], op, other[1]) if one[0] == "left" else (other[1], MIRRORED[op], one[1])


def _column_of(
    operand: Operand, left: TrackedFrame, right: TrackedFrame, reader: ApiContext
) -> tuple[JoinSide, str] | None:
    """The side that ``operand`` is a plain column of, and its name; None if it is none, or it may be of both."""
    found = []
    for side, frame in _sides(left, right):
        try:
            found.append((side, operand(_reader(frame, reader)).expr))
        except Refusal:
            continue
    match found:
        case [(side, Col(name))]:
            return side, name
    return None


def _reader(frame: TrackedFrame, reader: ApiContext) -> ColumnReader:
    columns = reader.columns(frame, joins=True)
    columns.qualified = True
    return columns


def _sides(left: TrackedFrame, right: TrackedFrame) -> Iterator[tuple[JoinSide, TrackedFrame]]:
    yield "left", left
    yield "right", right


def _condition(part: OnPart, frame: TrackedFrame, reader: ApiContext) -> tuple[Conjunct, ...] | None:
    """``part`` as a condition over ``frame`` alone; None if it is none."""
    columns = _reader(frame, reader)
    try:
        found = part.condition(columns)
        reader.check_variables(frame.plan, columns.used)
    except Refusal:
        return None
    return found
