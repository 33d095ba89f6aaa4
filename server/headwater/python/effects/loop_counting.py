"""What one iteration of a loop does, and how often, as far as its text alone shows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence


def is_one(node: ast.expr) -> bool:
    """Whether it says 1."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1


def most(body: Sequence[ast.stmt], happens: Callable[[ast.stmt], bool]) -> int:
    """How often at most one run of ``body`` comes by a statement that ``happens`` names; 2 also where that is not
    bounded."""
    total = 0
    for statement in body:
        if isinstance(statement, ast.If):
            total += max(most(statement.body, happens), most(statement.orelse, happens))
        elif happens(statement):
            total += 1
        elif any(happens(n) for n in ast.walk(statement) if isinstance(n, ast.stmt)):
            total += 2
    return min(total, 2)


def is_yield(node: ast.stmt) -> bool:
    """Whether all that it does is to yield an element."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def yields(node: ast.AST) -> bool:
    """Whether it, or something inside, yields."""
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def appends(name: str, node: ast.stmt) -> bool:
    """Whether all that it does is to append to the list ``name``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="append"), args=[_])):
            return owner == name
    return False


def counts(name: str, node: ast.stmt) -> bool:
    """Whether all that it does is to add 1 to ``name``."""
    match node:
        case ast.AugAssign(target=ast.Name(id=owner), op=ast.Add(), value=value):
            return owner == name and is_one(value)
    return False


def only_appended(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether nothing is done to the list ``name`` but to append to it."""
    appended = sum(appends(name, n) for s in body for n in ast.walk(s) if isinstance(n, ast.stmt))
    return uses(name, body) == appended + len(_looked_into(name, body))


def only_counted(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether nothing is done to ``name`` but to add 1."""
    return uses(name, body) == sum(counts(name, n) for s in body for n in ast.walk(s) if isinstance(n, ast.stmt))


def uses(name: str, body: Sequence[ast.stmt]) -> int:
    """How often ``name`` stands there."""
    return sum(isinstance(n, ast.Name) and n.id == name for s in body for n in ast.walk(s))


def changes_object(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether the object ``name`` may be changed: it is used otherwise than by looking into it."""
    return uses(name, body) > len(_looked_into(name, body))


def _looked_into(name: str, body: Sequence[ast.stmt]) -> list[ast.expr]:
    """Where ``name`` stands in a membership test."""
    tests = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Compare)]
    found = [c for t in tests for o, c in zip(t.ops, t.comparators, strict=True) if isinstance(o, (ast.In, ast.NotIn))]
    return [c for c in found if isinstance(c, ast.Name) and c.id == name]


def stored_names(node: ast.AST) -> set[str]:
    """The variables that it binds or deletes."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def target_names(target: ast.AST) -> set[str]:
    """The variables of the target of a loop."""
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}


def mentioned_names(node: ast.For) -> set[str]:
    """The variables that a loop mentions."""
    return {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name)} | target_names(node.target)
