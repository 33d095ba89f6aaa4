"""How many rows a loop looks at that is left in its middle.

Law: a loop that is left in its turn n at the latest sees the first n of what it goes through. Conditions: what leaves
it stands in its body itself, under no condition (the first turn) or under one on the number of the turn alone, which
nothing else binds; nothing goes on to the next turn before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.syntax.source.bindings import bound_names

from .literals import number

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LEAVES = (ast.Break, ast.Return, ast.Raise)


def turns(loop: ast.For | ast.AsyncFor, counter: str | None = None, start: int = 0) -> int | None:
    """The number of turns after which ``loop`` is surely left; None if it is not known. ``counter``: the variable that
    holds the number of the turn, counted from ``start``."""
    if loop.orelse or any(isinstance(n, ast.Continue) for n in _own(loop.body)):
        return None
    found = [1] if isinstance(loop.body[-1], _LEAVES) else []
    if counter is not None and counter not in _bound(loop.body):
        found += [n for s in loop.body if (n := _left_at(s, counter, start)) is not None]
    return min(found, default=None)


def _left_at(statement: ast.stmt, counter: str, start: int) -> int | None:
    match statement:
        case ast.If(test=ast.Compare(left=left, ops=[op], comparators=[right]), body=[*_, ast.Break() | ast.Return()]):
            at = number(right)
            if not isinstance(left, ast.Name) or left.id != counter or at is None or at < start:
                return None
            if isinstance(op, (ast.Eq, ast.GtE)):
                return at - start + 1
            return at - start + 2 if isinstance(op, ast.Gt) else None
    return None


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What belongs to a loop with this body, and to none inside it."""
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*_LOOPS, *_SCOPES)):
            todo += ast.iter_child_nodes(node)
        elif isinstance(node, _LOOPS):
            todo += node.orelse


def _bound(body: list[ast.stmt]) -> set[str]:
    """What ``body`` may bind, in scopes inside it too."""
    stated = {n for s in body for p in ast.walk(s) if isinstance(p, (ast.Global, ast.Nonlocal)) for n in p.names}
    stored = {p.id for s in body for p in ast.walk(s) if isinstance(p, ast.Name) and not isinstance(p.ctx, ast.Load)}
    return bound_names(body) | stated | stored
