"""Which names a body may change: their objects in place, or what they stand for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries.registry import EFFECTS
from headwater.python.values.scope import Value
from headwater.python.values.structures import RecordValue
from headwater.syntax.source import ast_walk

if TYPE_CHECKING:
    from .statements import Interpreter


METHODS = ("append", "add", "extend", "update", "sort", "pop", "clear", "insert")
"""Methods of lists, sets and dicts that change them, and that a model covers."""
HEAP, BISECT = (
    tuple(e.name for e in EFFECTS.values() if e.changes and e.kind == module) for module in ("heapq", "bisect")
)
"""Functions that change the list that they are given."""


def mutated_names(run: Interpreter, body: list[ast.stmt]) -> set[str]:
    """Names whose object ``body`` may change in place."""
    found: set[str] = set()
    for node in (n for s in body for n in ast_walk.walk(s)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            found.add(base(node.func.value))
        if isinstance(node, ast.Call) and node.args and run.scope.origin(node.func) in (*HEAP, *BISECT):
            found.add(base(node.args[0]))
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(base(node))
    return found - {""}


def augmented_names(body: list[ast.stmt]) -> set[str]:
    """Names that an augmented assignment changes, perhaps in place."""
    every = (n for s in body for n in ast_walk.walk(s) if isinstance(n, ast.AugAssign))
    return {n.target.id for n in every if isinstance(n.target, ast.Name)}


def only_grows(run: Interpreter, name: str, body: list[ast.stmt]) -> bool:
    """Whether ``body`` does nothing to ``name`` but add elements."""
    for node in (n for s in body for n in ast_walk.walk(s)):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and base(node) == name:
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and base(node.func.value) == name:
            if node.func.attr in METHODS and node.func.attr not in ("append", "add", "extend", "update"):
                return False
        if isinstance(node, ast.Call) and node.args and run.scope.origin(node.func) in (*HEAP, *BISECT):
            if base(node.args[0]) == name:
                return False
    return True


def keyed(name: str, before: Value, body: list[ast.stmt]) -> bool:
    """Whether ``name`` is an empty dict in which ``body`` keeps values by keys that are not constant."""
    if not isinstance(before, RecordValue) or before.names or before.access != "item":
        return False
    stored = (
        n for s in body for n in ast_walk.walk(s) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
    )
    return any(
        isinstance(n.value, ast.Name) and n.value.id == name and not isinstance(n.slice, ast.Constant) for n in stored
    )


def base(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
