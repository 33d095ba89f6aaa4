"""Bodies of functions as statements that stand elsewhere: names of their own, returns where their ways end."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from headwater.syntax.source.bindings import own_nodes

from . import build

_Node = TypeVar("_Node", bound=ast.AST)


def ends(body: list[ast.stmt]) -> bool:
    """Whether nothing behind ``body`` is reached."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return ends(last.body) and ends(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


@dataclass
class Room:
    """How many more statements may be made: what stands behind a branch that may return is written into both sides, so
    that it doubles at each."""

    left: int


def finished(body: list[ast.stmt], end: Callable[[ast.expr | None], ast.stmt], room: Room) -> list[ast.stmt] | None:
    """``body`` with ``end`` of what is returned in place of each return, and behind it; None where a return stands
    inside a loop or the like, or where it grows too large."""
    room.left -= len(body)
    if room.left < 0:
        return None
    for i, s in enumerate(body):
        if isinstance(s, ast.Return):
            return [*body[:i], end(s.value)]
        if isinstance(s, ast.Raise):
            return body[: i + 1]
        if not any(isinstance(n, ast.Return) for n in (s, *own_nodes(s))):
            continue
        if not isinstance(s, ast.If):
            return None
        rest = body[i + 1 :]
        then = finished(s.body if ends(s.body) else [*s.body, *rest], end, room)
        if then is None:
            return None
        other = finished(s.orelse if s.orelse and ends(s.orelse) else [*s.orelse, *rest], end, room)
        if other is None:
            return None
        return [*body[:i], build.branch(s.test, then, other, s)]
    return [*body, end(None)]


def with_own_names(node: _Node, prefix: str, own: Collection[str], names: Mapping[str, ast.expr]) -> _Node:
    """``node`` with the values of ``names`` in their place, and names of its own for the other ones of ``own``."""

    def changed(child: ast.AST) -> ast.AST:
        match child:
            case ast.Name(id=name) if name in names:
                return ast.copy_location(copy.copy(names[name]), child)
            case ast.Name(id=name, ctx=ctx) if name in own:
                return ast.copy_location(ast.Name(prefix + name, ctx), child)
            case ast.arg(arg=name) if name in own:
                return ast.copy_location(ast.arg(prefix + name), child)
            case ast.ExceptHandler(name=str(name)) if name in own:
                made = mapped(copy.copy(child), changed)
                made.name = prefix + name
                return made
        return mapped(child, changed)

    return cast(_Node, changed(node))


def mapped(
    node: _Node, change: Callable[[ast.AST], ast.AST], block: Callable[[list[ast.stmt]], list[ast.stmt]] | None = None
) -> _Node:
    """``node`` with its children changed, lists of statements by ``block``; the same one if none of them is."""
    made = node
    for name, old in ast.iter_fields(node):
        if isinstance(old, ast.AST):
            new: object = change(old)
            if new is old:
                continue
        elif isinstance(old, list):
            statements = block is not None and bool(old) and isinstance(old[0], ast.stmt)
            new = block(old) if block and statements else [change(n) if isinstance(n, ast.AST) else n for n in old]
            if len(new) == len(old) and all(a is b for a, b in zip(old, new, strict=True)):
                continue
        else:
            continue
        made = copy.copy(node) if made is node else made
        setattr(made, name, new)
    return made
