"""Methods that put two frames together: ``join``, ``crossJoin``, ``union``, ``unionByName``, ``subtract``, …"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from headwater.pyspark.columns import qualified, session_windows
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.tracked_values import EVERYTHING, TrackedFrame, Value, has_boundary
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import MIRRORED, Col, CompareOp
from headwater_ir.plan import (
    UNKNOWN_SCHEMA,
    Aggregate,
    Cache,
    Conjunct,
    Distinct,
    DropDuplicates,
    Filter,
    GroupMap,
    Join,
    JoinInput,
    JoinType,
    Limit,
    Opaque,
    Plan,
    Project,
    Sample,
    Schema,
    SetOperation,
    Shared,
    Sort,
    UnionAll,
)
from headwater_ir.span import Span
from headwater_ir.types import ANY, OPAQUE

from .api_context import ApiContext
from .sources import in_order, resolve_literal

_HOW: dict[str, JoinType] = {
    "inner": "inner", "cross": "inner", "left": "left", "leftouter": "left", "right": "right", "rightouter": "right",
    "full": "full", "outer": "full", "fullouter": "full", "semi": "semi", "leftsemi": "semi", "anti": "anti",
    "leftanti": "anti",
}  # fmt: skip
"""Spark's names of join types, lower case, underscores dropped."""
_SAME_COLUMNS = (Filter, Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Shared)


def _other(call: ast.Call, given: Sequence[Value], reader: ApiContext) -> TrackedFrame:
    """The frame that is the first argument, or one of which nothing is known."""
    if given and isinstance(given[0], TrackedFrame) and (call.args or call.keywords[0].arg == "other"):
        return given[0]
    plan = Opaque(None, "opaque", "what the other frame holds is not known", reader.names.ctx.span(call))
    return reader.frame(plan, UNKNOWN_SCHEMA)


def _union(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    assert isinstance(call.func, ast.Attribute)
    name, other = call.func.attr, _other(call, given, reader)
    by_name, may_miss = name == "unionByName", len(call.args) + len(call.keywords) != 1
    places = None if by_name else _places(frame, other)
    plan = UnionAll(frame.plan, other.plan, name, span, by_name, places, may_miss)
    # A column of the union is the left one's by name only: types may be widened, and facts hold on one side.
    made = reader.frame(plan, UNKNOWN_SCHEMA, frame, changed=EVERYTHING)
    return replace(made, sources=(frame, other if plan.by_name else _by_position(frame, other)))


def _set_operation(
    frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]
) -> Value:
    assert isinstance(call.func, ast.Attribute)
    other, outside = _other(call, given, reader), session_windows.from_outside(reader.names)
    if any(session_windows.origin_of(f.plan, None, outside) != "plain" for f in (frame, other)):
        raise Refusal("row-context", "a column may be a session window, which merges rows")
    plan = SetOperation(frame.plan, other.plan, call.func.attr, span, _places(frame, other))
    made = reader.frame(plan, UNKNOWN_SCHEMA, frame, changed=EVERYTHING)
    return replace(made, sources=(frame, _by_position(frame, other)))


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
    known = _in_order(left) and _in_order(right) and len(names[0]) == len(names[1])
    return tuple(zip(*names, strict=True)) if known else None


def _in_order(frame: TrackedFrame) -> bool:
    """Whether the schema lists all columns in their order, which a selection or a boundary with a result of its own
    settles."""
    plan = frame.plan
    while isinstance(plan, _SAME_COLUMNS):
        plan = plan.child
    listed = isinstance(plan, (Aggregate, GroupMap)) or (isinstance(plan, Project) and not plan.keeps_others)
    return frame.schema.complete and (listed or in_order(frame))


# --- joins


def _join(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    arguments = dict(zip(("other", "on", "how"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if None in arguments or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "the arguments of `join` are not written out", call)
    other, on = _other(call, given, reader), arguments.get("on")
    how = _how(arguments.get("how"), reader)
    using = () if on is None else _using(on, reader)
    if on is not None and using is None:
        _on_clause(frame, other, how, on, reader)
    compared = () if on is None or using is not None else tuple(_compared(frame, other, on, reader))
    return _joined(frame, other, how, using or (), span, reader, compared)


def _cross_join(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    return _joined(frame, _other(call, given, reader), "inner", (), span, reader)


def _how(node: ast.expr | None, reader: ApiContext) -> JoinType:
    if node is None:
        return "inner"
    literal = resolve_literal(node, reader)
    text = literal.value if isinstance(literal, ast.Constant) else None
    how = _HOW.get(text.lower().replace("_", "")) if isinstance(text, str) else None
    if how is None:
        raise Refusal("opaque", "the type of the join is not a literal", node)
    return how


def _using(on: ast.expr, reader: ApiContext) -> tuple[str, ...] | None:
    """The names that a join is made on; None if it is a condition."""
    node = resolve_literal(on, reader)
    items = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    names = [i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)]
    return tuple(names) if len(names) == len(items) else None


def _joined(
    left: TrackedFrame, right: TrackedFrame, how: JoinType, using: tuple[str, ...], span: Span, reader: ApiContext,
    compared: tuple[tuple[str, CompareOp, str], ...] = (),
) -> TrackedFrame:  # fmt: skip
    """The frame of a join. Only columns that one side has for certain and the other has not can be told by their
    bare names, so only they stay the columns that they are."""
    of_left, of_right = _columns(left), _columns(right)
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


def _columns(frame: TrackedFrame) -> tuple[str, ...] | None:
    """The names of all columns of a frame, of a join those of both sides; None if they are not known."""
    if frame.schema.complete:
        return tuple(f.name for f in frame.schema.fields)
    plan = frame.plan
    while isinstance(plan, _SAME_COLUMNS):
        plan = plan.child
    if isinstance(plan, Join) and plan.left_columns is not None and plan.right_columns is not None:
        return tuple(dict.fromkeys((*plan.left_columns, *plan.right_columns)))
    return None


# --- the ON clause


def _on_clause(left: TrackedFrame, right: TrackedFrame, how: JoinType, on: ast.expr, reader: ApiContext) -> None:
    """Note each conjunct that reads one side only, where there is a boundary that it might be moved to."""
    for part in _parts(on):
        found = [(side, c) for side, frame in _sides(left, right) if (c := _condition(part, frame, reader))]
        if len(found) != 1:
            continue  # of neither side alone, or not to be told
        ((side, conjuncts),) = found
        frame = left if side == "left" else right
        if has_boundary(frame.plan):
            span = reader.names.ctx.span(part)
            plan: Plan = JoinInput(frame.plan, how, side, span)
            reader.world.filters.append(Filter(plan, conjuncts, span, span, "column"))


def _parts(on: ast.expr) -> list[ast.expr]:
    return [p for item in (on.elts if isinstance(on, (ast.List, ast.Tuple)) else [on]) for p in _conjuncts(item)]


_OPERATORS: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _compared(
    left: TrackedFrame, right: TrackedFrame, on: ast.expr, reader: ApiContext
) -> Iterator[tuple[str, CompareOp, str]]:
    """The columns of each side that the ON clause compares: the left one's first. ``eqNullSafe`` is ``==`` here."""
    for part in _parts(on):
        for a, op, b in _comparisons(part):
            one, other = (_column_of(n, left, right, reader) for n in (a, b))
            if one is not None and other is not None and one[0] != other[0]:
                yield (one[1], op, other[1]) if one[0] == "left" else (other[1], MIRRORED[op], one[1])


def _comparisons(part: ast.expr) -> Iterator[tuple[ast.expr, CompareOp, ast.expr]]:
    match part:
        case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _OPERATORS:
            yield a, _OPERATORS[type(op)], b
        case ast.Call(func=ast.Attribute(value=a, attr="eqNullSafe"), args=[b], keywords=[]):
            yield a, "==", b
        case ast.Call(func=ast.Attribute(value=a, attr="between"), args=[low, high], keywords=[]):
            yield a, ">=", low
            yield a, "<=", high


def _column_of(node: ast.expr, left: TrackedFrame, right: TrackedFrame, reader: ApiContext) -> tuple[str, str] | None:
    """The side that ``node`` is a plain column of, and its name; None if it is none, or it may be of both."""
    found = []
    for side, frame in _sides(left, right):
        try:
            found.append((side, _reader(frame, reader).column(node).expr))
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


def _sides(left: TrackedFrame, right: TrackedFrame) -> Iterator[tuple[Literal["left", "right"], TrackedFrame]]:
    yield "left", left
    yield "right", right


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _condition(node: ast.expr, frame: TrackedFrame, reader: ApiContext) -> tuple[Conjunct, ...] | None:
    """``node`` as a condition over ``frame`` alone; None if it is none."""
    columns = _reader(frame, reader)
    try:
        found = columns.conjuncts(node)
        reader.check_variables(frame.plan, columns.used)
    except Refusal:
        return None
    return found


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext, Sequence[Value]], Value]] = {
    "join": _join,
    "crossJoin": _cross_join,
    **dict.fromkeys(("union", "unionAll", "unionByName"), _union),
    **dict.fromkeys(("intersect", "intersectAll", "subtract", "exceptAll"), _set_operation),
}
