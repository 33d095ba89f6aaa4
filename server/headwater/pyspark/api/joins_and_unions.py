"""Methods that put two frames together: ``join``, ``crossJoin``, ``union``, ``unionByName``, ``subtract``, …"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import CompareOp
from headwater_ir.plan import UNKNOWN_SCHEMA, JoinType, Opaque
from headwater_ir.span import Span

from . import combining, plain_joins
from .api_context import ApiContext
from .sources import resolve_literal

_HOW: dict[str, JoinType] = {
    "inner": "inner", "cross": "inner", "left": "left", "leftouter": "left", "right": "right", "rightouter": "right",
    "full": "full", "outer": "full", "fullouter": "full", "semi": "semi", "leftsemi": "semi", "anti": "anti",
    "leftanti": "anti",
}  # fmt: skip
"""Spark's names of join types, lower case, underscores dropped."""


def _other(call: ast.Call, given: Sequence[Value], reader: ApiContext) -> TrackedFrame:
    """The frame that is the first argument, or one of which nothing is known."""
    if given and isinstance(given[0], TrackedFrame) and (call.args or call.keywords[0].arg == "other"):
        return given[0]
    plan = Opaque(None, "opaque", "what the other frame holds is not known", reader.names.ctx.span(call))
    return reader.frame(plan, UNKNOWN_SCHEMA)


def _union(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    assert isinstance(call.func, ast.Attribute)
    name, may_miss = call.func.attr, len(call.args) + len(call.keywords) != 1
    by_name = name == "unionByName"
    return combining.union(
        frame, _other(call, given, reader), name, span, reader, by_name=by_name, may_miss=may_miss
    )  # fmt: skip


def _set_operation(
    frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]
) -> Value:
    assert isinstance(call.func, ast.Attribute)
    return combining.set_operation(frame, _other(call, given, reader), call.func.attr, span, reader)


# --- joins


def _join(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    arguments = dict(zip(("other", "on", "how"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if None in arguments or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "the arguments of `join` are not written out", call)
    other, on = _other(call, given, reader), arguments.get("on")
    how = _how(arguments.get("how"), reader)
    using = () if on is None else _using(on, reader)
    if on is None or using is not None:
        made = combining.joined(frame, other, how, using or (), span, reader)
        keys, whole = [(name, name) for name in using or ()], True
    else:
        parts = {p: _part(p, reader) for p in _parts(on)}
        made = combining.join_on(frame, other, how, [*parts.values()], span, reader)
        keys = combining.equal_columns(
            frame, other, [o for p, o in parts.items() if isinstance(p, ast.Compare)], reader
        )
        whole = len(keys) == len(parts)
    plain_joins.note_join(made, frame, other, keys, call, reader, whole=whole)
    return made


def _cross_join(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext, given: Sequence[Value]) -> Value:
    return combining.joined(frame, _other(call, given, reader), "inner", (), span, reader)


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


# --- the ON clause


def _parts(on: ast.expr) -> list[ast.expr]:
    return [p for item in (on.elts if isinstance(on, (ast.List, ast.Tuple)) else [on]) for p in _conjuncts(item)]


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _part(part: ast.expr, reader: ApiContext) -> combining.OnPart:
    compared = tuple((_operand(a), op, _operand(b)) for a, op, b in _comparisons(part))
    return combining.OnPart(
        reader.names.ctx.span(part), "column", lambda columns: columns.conjuncts(part), compared
    )  # fmt: skip


def _operand(node: ast.expr) -> combining.Operand:
    return lambda columns: columns.column(node)


_OPERATORS: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _comparisons(part: ast.expr) -> Iterator[tuple[ast.expr, CompareOp, ast.expr]]:
    """What a conjunct compares. ``eqNullSafe`` is ``==`` here."""
    match part:
        case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _OPERATORS:
            yield a, _OPERATORS[type(op)], b
        case ast.Call(func=ast.Attribute(value=a, attr="eqNullSafe"), args=[b], keywords=[]):
            yield a, "==", b
        case ast.Call(func=ast.Attribute(value=a, attr="between"), args=[low, high], keywords=[]):
            yield a, ">=", low
            yield a, "<=", high


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext, Sequence[Value]], Value]] = {
    "join": _join,
    "crossJoin": _cross_join,
    **dict.fromkeys(("union", "unionAll", "unionByName"), _union),
    **dict.fromkeys(("intersect", "intersectAll", "subtract", "exceptAll"), _set_operation),
}
