"""Calls of ``join`` that compare columns, and filters above them that keep the rows without a match."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from headwater.pyspark.columns import qualified
from headwater.pyspark.frames.by_name import is_of_groups
from headwater.pyspark.frames.groups_joined import frame_of_both
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.uses_found import Joined, Tested
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import names_in
from headwater_ir.demand import KeyPair, KeyType
from headwater_ir.expr import Col, IsNull, Lit, Not
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Conjunct,
    Distinct,
    DropDuplicates,
    Filter,
    Join,
    Limit,
    Opaque,
    Plan,
    Project,
    Sample,
    Scan,
    Shared,
    Sort,
    View,
)
from headwater_ir.types import ANY, OPAQUE
from headwater_ir.walks import below, inputs

from .api_context import ApiContext

_SAME_CELLS = (Filter, Sort, Limit, Sample, Distinct, DropDuplicates, Cache)


def note_join(
    made: TrackedFrame, left: TrackedFrame, right: TrackedFrame, keys: Sequence[tuple[str, str]], call: ast.Call,
    reader: ApiContext, *, whole: bool,
) -> None:  # fmt: skip
    """Note that ``call`` has made ``made``, a join in which ``==`` compares ``keys``, columns of each side; ``whole``:
    and nothing else is asked for."""
    if not isinstance(made.plan, Join) or not keys:
        return
    ctx = reader.names.ctx
    last = max((ctx.span(a) for a in (*call.args, *(k.value for k in call.keywords))), key=lambda s: s.end)
    how = call.args[2] if len(call.args) > 2 else next((k.value for k in call.keywords if k.arg == "how"), None)
    pairs = tuple(KeyPair(a, b, _types(left, a, right, b)) for a, b in keys)
    place = None if how is None else ctx.span(how)
    whole = whole and is_of_groups(right.plan)
    same = frame_of_both(made.plan, ctx.readable_at, reader.lookup) if whole else None
    reader.world.joins.append(
        Joined(made.plan, ctx.span(call), place, last, bool(call.keywords), pairs, left, right, whole, same)
    )  # fmt: skip


def note_test(frame: TrackedFrame, node: ast.expr, call: ast.Call, made: TrackedFrame, reader: ApiContext) -> None:
    """Note that ``call``, which has made ``made``, filters ``frame`` by ``node``, if that asks for rows of a left join
    in which a column of the right side is NULL."""
    joined = next((j for j in reader.world.joins if j.plan is frame.plan), None)
    if joined is None or joined.plan.how != "left" or not isinstance(made.plan, Filter):
        return
    column = _tested(node, made.plan, joined, reader)
    if column is None or not isinstance(call.func, ast.Attribute):
        return
    ctx, receiver = reader.names.ctx, call.func.value
    never = Not(IsNull(Col(column)), "sql") in joined.right.facts or _is_constant(joined.right.plan, column)
    reader.world.tests.append(Tested(joined.plan, made.plan, ctx.span(call), ctx.span(receiver), column, never))


def _tested(node: ast.expr, made: Filter, joined: Joined, reader: ApiContext) -> str | None:
    """The column of the right side that ``node`` asks to be NULL; None if it asks for something else, or may ask it of
    the left side."""
    column = _null(made.conjuncts) if made.style == "sql" else _is_null(node, joined.right, reader)
    frame, _, name = (column or "").rpartition(".")
    if any((alias, side, plain) == (frame, "right", True) for alias, side, plain in joined.plan.called):
        return name if name.lower() in {c.lower() for c in joined.plan.right_columns or ()} else None
    if column is None or joined.plan.right_columns is None:
        return None
    if column.lower() not in {c.lower() for c in joined.plan.right_columns}:
        return None
    if _names_frames(node, reader):
        apart = not _sources(joined.left.plan) & _sources(joined.right.plan)  # else `b.x` may be the left one's
        return column if apart and _is_null(node, joined.left, reader) is None else None
    return None if column.lower() in {k.lower() for k in joined.plan.using} else column


def _is_null(node: ast.expr, frame: TrackedFrame, reader: ApiContext) -> str | None:
    """The column of ``frame`` that ``node`` asks to be NULL, and nothing else."""
    columns = reader.columns(frame, joins=True)
    columns.qualified = True
    try:
        return _null(columns.conjuncts(node))
    except Refusal:
        return None


def _null(conjuncts: Sequence[Conjunct]) -> str | None:
    match [c.condition for c in conjuncts]:
        case [IsNull(operand=Col(name))]:
            return name
    return None


def _names_frames(node: ast.expr, reader: ApiContext) -> bool:
    bound = (reader.lookup(name) for name in names_in(node))
    return any(b is not None and b.is_frame for b in bound)


def _sources(plan: Plan) -> set[object]:
    """The sources that the rows of ``plan`` are made of."""
    return {n.span for n in below(plan) if isinstance(n, Scan) or (isinstance(n, Opaque) and n.child is None)}


def _is_constant(plan: Plan, column: str) -> bool:
    """Whether ``column`` is the same value, and not NULL, in all rows of ``plan``."""
    while True:
        if isinstance(plan, Project):
            made = {n.lower(): e for n, e in plan.columns}.get(column.lower())
            if made is not None:
                return isinstance(made, Lit) and made.value is not None
            if not plan.keeps_others:
                return False
        elif not isinstance(plan, (*_SAME_CELLS, Shared)):
            return False
        plan = plan.child


def _types(left: TrackedFrame, a: str, right: TrackedFrame, b: str) -> KeyType:
    """Whether column ``a`` of ``left`` and ``b`` of ``right`` have one type."""
    one, other = qualified.type_of(left, a), qualified.type_of(right, b)
    known = one is not None and other is not None and not {one, other} & {ANY, OPAQUE}
    if known:
        return "same" if one == other else "different"
    return "same" if {*_history(left.plan, a)} & {*_history(right.plan, b)} else "unknown"


def _history(plan: Plan, column: str) -> Iterator[tuple[int, str]]:
    """The frames that ``column`` of ``plan`` comes from as it is, each by its identity, and its name there."""
    at: Plan | None = plan
    while at is not None:
        name: str | None = column.lower()
        yield id(at), column.lower()
        match at:
            case Project():
                made = {n.lower(): e for n, e in at.columns}.get(column.lower())
                if made is not None:
                    name = made.name if isinstance(made, Col) else None
                elif not at.keeps_others or column.lower() in {d.lower() for d in at.dropped}:
                    name = None
            case Aggregate(fold=fold):
                name = column if column in fold.keys else None
            case Join(how="semi" | "anti"):
                pass
            case Join(how="inner" | "left", using=using):
                name = column if column in using else None
            case _ if not isinstance(at, (*_SAME_CELLS, Shared, View)):
                name = None
        if name is None:
            return
        column, at = name, next(iter(inputs(at)), None)
