"""What a function may read from outside of itself: listed objects of libraries, functions of the file, and data that
nothing in the program can change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries.refused import refuse_name
from headwater.libraries.registry import EFFECTS
from headwater.syntax.refusal import Refusal

from . import sessions
from .values import (
    ANY_DATA,
    DATA,
    MUTABLE,
    NOTHING,
    Broadcast,
    Frame,
    Function,
    Listed,
    Parameter,
    Partial,
    Site,
    Value,
    kind_of,
)

if TYPE_CHECKING:
    from .analysis import Analysis

_DEEPEST = 4
_FIXED = DATA | {"Pattern", "function", "listed", "partial", "itemgetter", "method", "abstract"}
"""Kinds of objects that reading does not change, where all parts are of these kinds too."""


def listed(a: Analysis, node: ast.expr, origin: str) -> Value:
    """The listed function, class or constant of this full name."""
    entry = EFFECTS.get(origin)
    if entry is None:
        raise refuse_name(a.program, origin, node)
    if entry.signature is None and entry.receiver is None:
        return a.listed(entry, node, None)
    return frozenset({Listed(origin)})


def value_of_name(a: Analysis, node: ast.Name) -> Value:
    """The value of a variable of the code around; Refusal if reading it, or what it holds, may change it."""
    name = node.id
    origin = a.program.origin(node)
    if origin is not None:
        return listed(a, node, origin)
    if name not in a.known:
        a.known[name] = NOTHING
        a.known[name] = _looked_up(a, node)
    return a.known[name]


def _looked_up(a: Analysis, node: ast.Name) -> Value:
    function = a.program.function(node.id)
    if function is not None:
        if function.decorator_list:
            raise a.refuse(node, f"`{node.id}` is decorated")
        return frozenset({Function(function, None)})
    if a.program.is_parameter(node.id):
        return frozenset({Parameter(node.id)})
    bound = a.program.constant(node.id)
    if bound is None:
        raise a.refuse(node, f"`{node.id}` is not known, and may be used up by reading it")
    found = evaluate(a, bound)
    mutable, nested = _containers(a, node, found)
    if mutable and not a.program.only_read(node.id, nested):
        raise Refusal("side-effect", f"`{node.id}` may be changed elsewhere in the file", node)
    return found


def default(a: Analysis, node: ast.expr, frame: Frame | None) -> Value:
    """What a parameter defaults to whose function was made outside of the run, once; Refusal of what may change: who
    calls the function elsewhere may keep it, or use it up."""
    found = evaluate(a, node, frame)
    if _containers(a, node, found)[0]:
        raise Refusal("side-effect", f"the default `{a.program.text(node)}` may be changed by another call", node)
    return found


def _containers(a: Analysis, node: ast.expr, found: Value) -> tuple[bool, bool]:
    """Whether one of the objects is a container that can be changed, and whether one is inside of another; Refusal if
    reading one may change it."""
    todo, seen = [(atom, False) for atom in found], set[object]()
    mutable, nested = False, False
    while todo:
        atom, inside = todo.pop()
        if atom in seen:
            continue
        seen.add(atom)
        if isinstance(atom, Broadcast):
            todo += [(x, inside) for x in atom.value]
            continue
        if isinstance(atom, Partial):
            held = [atom.function, *atom.given, *(v for _, v in atom.named)]
            todo += [(x, True) for v in held for x in v]
        if kind_of(atom) not in _FIXED:
            raise a.refuse(node, f"`{a.program.text(node)}` holds an object that reading may change")
        if kind_of(atom) in MUTABLE:
            mutable, nested = True, nested or inside
        if isinstance(atom, Site):
            todo += [(x, True) for x in a.heap.get(atom, NOTHING)]
    return mutable, nested


def evaluate(a: Analysis, node: ast.expr, frame: Frame | None = None) -> Value:
    """The value of an expression that is evaluated outside of the run, with the variables of ``frame``."""
    outer, a.own = a.own, False
    try:
        match node:
            case ast.Call(func=ast.Attribute(value=session, attr="broadcast"), args=[value], keywords=[]):
                if not a.program.is_replaced("broadcast") and sessions.kind_of(a.program, session) == "context":
                    return frozenset({Broadcast(evaluate(a, value))})
        return a.value(node, frame or Frame(frozenset(), None, own=False))
    finally:
        a.own = outer


def looked_into(a: Analysis, atom: Parameter) -> Value:
    """The parts of what a parameter of the code around holds: data, which is taken on trust."""
    a.program.assume(f"`{atom.name}` holds plain data that reading does not change")
    return ANY_DATA


_FRAMES = frozenset(
    """
    agg alias count crossJoin csv distinct drop dropDuplicates dropna filter format groupBy groupby join json limit
    load option options orc orderBy parquet read schema select selectExpr sort sql table text union unionAll unionByName
    where withColumn withColumnRenamed
    """.split()
)
"""Methods and attributes on the way from a session to a frame."""
_ROWS = frozenset({"collect", "take", "head", "tail"})


def is_collected(a: Analysis, node: ast.expr) -> bool:
    """Whether ``node`` is a list of the rows of a frame."""
    match node:
        case ast.Call(func=ast.Attribute(value=frame, attr=method), keywords=[]) if method in _ROWS:
            return _is_frame(a, frame, 0)
    return False


def _is_frame(a: Analysis, node: ast.expr, depth: int) -> bool:
    """Whether ``node`` is a frame for sure: made from the session by methods of frames."""
    steps = 0
    while isinstance(node, (ast.Attribute, ast.Call)):
        attr = node.attr if isinstance(node, ast.Attribute) else None
        if steps and attr not in _FRAMES and sessions.kind_of(a.program, node) == "session":
            return True
        if attr is not None and (attr not in _FRAMES or a.program.is_replaced(attr)):
            return False
        steps += attr is not None
        node = node.value if isinstance(node, ast.Attribute) else node.func
    if not isinstance(node, ast.Name):
        return False
    if steps and sessions.kind_of(a.program, node) == "session":
        return True
    bound = a.program.constant(node.id) if depth < _DEEPEST else None
    return bound is not None and _is_frame(a, bound, depth + 1)
