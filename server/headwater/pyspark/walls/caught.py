"""Where the code of the driver may go on behind an error."""

from __future__ import annotations

import ast
from collections.abc import Collection

from headwater.syntax.source.ast_walk import walk

from .places import Places

_TRIES: tuple[type[ast.stmt], ...] = (ast.Try,)
if hasattr(ast, "TryStar"):
    _TRIES = (*_TRIES, ast.TryStar)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LEAVE = (ast.Return, ast.Break, ast.Continue)
_OF_ALL = ast.ExceptHandler(None, None, [ast.Pass()])
_ALL = ("BaseException", "Exception")
_NOT_OF_COLUMNS = ("IndexError", "OSError", "StopIteration", "TypeError", "ValueError", "ZeroDivisionError")
"""Exceptions that a column that is not there never raises, of a frame of pandas or of a row."""


def is_caught(node: ast.AST, places: Places, others: Collection[str] = ()) -> bool:
    """Whether the scope may go on behind an error that ``node``, or what it stands for, raises. ``others``: exceptions
    of Python's that it does not raise."""
    inside = node
    for outer in places.outward(node):
        if isinstance(outer, _FUNCTIONS):
            return False
        if isinstance(outer, (ast.With, ast.AsyncWith)) and isinstance(inside, ast.stmt):
            return True
        if not all(_catches_only(h, others) for h in _going_on(outer, inside)):
            return True
        inside = outer
    return False


def is_doubted(node: ast.AST, wall: ast.AST, places: Places) -> bool:
    """Whether the scope may go on behind the error that ``node`` raises where a column is not there, and not in the
    same way behind one of Spark that ``wall`` raises in its place, which is no KeyError or AttributeError."""
    around_wall, inside = {*map(id, places.outward(wall))}, node
    for outer in places.outward(node):
        caught = _going_on(outer, inside)
        of_both = id(outer) in around_wall and any(map(_catches_all, caught))
        if not of_both and not all(_catches_only(h, _NOT_OF_COLUMNS) for h in caught):
            return True
        if isinstance(outer, ast.With) and isinstance(inside, ast.stmt):
            if any(_is_suppress(i.context_expr) for i in outer.items):
                return True
        inside = outer
    return False


def _going_on(outer: ast.AST, inside: ast.AST) -> list[ast.ExceptHandler]:
    """The handlers for an error in ``inside`` behind which the program goes on, if ``outer`` is a ``try`` for it; a
    ``finally`` that leaves it is one of all errors."""
    if not isinstance(outer, _TRIES) or not any(s is inside for s in getattr(outer, "body", ())):
        return []
    handlers: list[ast.ExceptHandler] = getattr(outer, "handlers", [])
    found = [h for h in handlers if not isinstance(h.body[-1], ast.Raise) or _leaves(h.body)]
    return [*found, _OF_ALL] if _leaves(getattr(outer, "finalbody", [])) else found


def _leaves(body: list[ast.stmt]) -> bool:
    return any(isinstance(n, _LEAVE) for s in body for n in walk(s))


def _catches_all(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in _ALL)


def _catches_only(handler: ast.ExceptHandler, names: Collection[str]) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all(isinstance(k, ast.Name) and k.id in names for k in kinds)


def _is_suppress(manager: ast.expr) -> bool:
    """Whether ``manager`` is ``contextlib.suppress(…)`` by its name, which only keeps findings back."""
    named = manager.func if isinstance(manager, ast.Call) else manager
    return (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) == "suppress"
