"""Which functions of a file are called where the program may go on behind an error."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.by_method import ByMethod

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Called = tuple[str, str, bool]
"""What is called, the function around the call, and whether an error of it may be caught in there. A method has a dot
in front of its name; the module has an empty name."""


def key_of(function: ast.FunctionDef | ast.AsyncFunctionDef, *, method: bool) -> str:
    """What calls of ``function`` name."""
    return f".{function.name}" if method else function.name


def gone_on_behind(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The functions behind an error in which the program may go on: what calls them, or calls that, may catch it."""
    every = [*map(_calls_in, body)]
    found = set[str]().union(*(c.caught for c in every))
    callees: dict[str, list[set[str]]] = {}
    for around, called in (item for c in every for item in c.callees.items()) if found else ():
        callees.setdefault(around, []).append(called)
    todo = [*found]
    while todo:
        more = set[str]().union(*callees.get(todo.pop().removeprefix("."), ())) - found
        found |= more
        todo += more
    return frozenset(found)


class _Calls(NamedTuple):
    """What one statement calls: where an error may be ``caught``; elsewhere, by the functions around."""

    caught: set[str]
    callees: dict[str, set[str]]


def _found_in(statement: ast.stmt, methods: Sequence[ast.stmt], of_each: Iterable[_Calls]) -> _Calls:
    called, found = set[Called](), _Calls(set(), {})
    for child in _without(statement, methods) if methods else (statement,):
        _add(child, "", False, called)
    for of in of_each:
        found.caught.update(of.caught)
        for around, names in of.callees.items():
            found.callees.setdefault(around, set()).update(names)
    for name, around, caught in called:
        if caught:
            found.caught.add(name)
        elif around:
            found.callees.setdefault(around, set()).add(name)
    return found


_calls_in = ByMethod("_calls", _found_in)


def _without(node: ast.AST, apart: Sequence[ast.AST]) -> Iterable[ast.AST]:
    """What stands in ``node``, but for ``apart``."""
    without = {id(a) for a in apart}
    return (child for child in children(node) if id(child) not in without)


def _add(node: ast.AST, around: str, caught: bool, found: set[Called]) -> None:
    if isinstance(node, _FUNCTIONS):
        around, caught = getattr(node, "name", around), False
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        caught = True
    elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
        name = node.func.id if isinstance(node.func, ast.Name) else f".{node.func.attr}"
        found.add((name, around, caught))
    handlers: list[ast.ExceptHandler] = getattr(node, "handlers", [])
    forgiving = not all(isinstance(h.body[-1], ast.Raise) for h in handlers)
    for name, value in ast.iter_fields(node):
        inside = caught or (forgiving and name == "body")
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                _add(part, around, inside, found)


__all__ = ["gone_on_behind", "key_of"]
