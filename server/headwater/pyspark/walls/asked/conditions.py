"""Conditions on the row that a variable holds: how they are put together, and where the file writes their parts."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import TypeVar

MOST = 300
"""A condition with more nodes is not read."""
TRUE, FALSE = ast.Constant(True), ast.Constant(False)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)


class NotReadError(Exception):
    """What is looked at of a row has no condition here."""


_N = TypeVar("_N", bound=ast.AST)
Env = Mapping[str, ast.expr]
"""What variables hold, in terms of the row."""


def chosen(test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    """What is true where ``test`` and ``then`` are, or ``otherwise`` is and ``test`` is not."""
    match _value(then), _value(otherwise):
        case True, True:
            return TRUE
        case False, False:
            return joined(ast.And(), test, FALSE)  # it may do more than compute
        case True, False:
            return test
        case False, True:
            return negated(test)
        case True, None:
            return joined(ast.Or(), test, otherwise)
        case False, None:
            return joined(ast.And(), negated(test), otherwise)
        case None, False:
            return joined(ast.And(), test, then)
        case None, True:
            return joined(ast.Or(), negated(test), then)
    return ast.copy_location(ast.IfExp(test, then, otherwise), test)


def any_of(*conditions: ast.expr) -> ast.expr:
    """What is true where one of ``conditions`` is."""
    if any(c is TRUE for c in conditions):
        return TRUE
    return conditions[0] if len(conditions) == 1 else joined(ast.Or(), *conditions)


def all_of(*conditions: ast.expr) -> ast.expr:
    """What is true where all ``conditions`` are, which are evaluated in their order."""
    return conditions[0] if len(conditions) == 1 else joined(ast.And(), *conditions)


def negated(test: ast.expr) -> ast.expr:
    """``not test``."""
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def joined(op: ast.boolop, *parts: ast.expr) -> ast.expr:
    """``parts`` with ``op`` between them."""
    flat = [v for p in parts for v in (p.values if isinstance(p, ast.BoolOp) and type(p.op) is type(op) else [p])]
    return ast.copy_location(ast.BoolOp(op, flat), parts[0])


def _value(node: ast.expr) -> bool | None:
    return True if node is TRUE else False if node is FALSE else None


def in_row(node: ast.expr, env: Env, row: str) -> ast.expr:
    """``node`` in terms of ``row``, which is a name of its own; NotReadError where a part of it has variables of its
    own."""
    if row not in env and any(isinstance(n, ast.Name) and n.id == row for n in ast.walk(node)):
        raise NotReadError  # another variable of that name
    inside = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in env]
    if all(isinstance(env[n.id], ast.Name) and env[n.id].id == n.id for n in inside):  # type: ignore[attr-defined]
        return node
    if any(isinstance(n, _SCOPES) for n in ast.walk(node)):
        raise NotReadError
    made: ast.expr = _Put(env).visit(_copied(node))
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _copied(node: _N) -> _N:
    made = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value = [_copied(v) if isinstance(v, ast.AST) else v for v in value]
        setattr(made, name, _copied(value) if isinstance(value, ast.AST) else value)
    return made


class _Put(ast.NodeTransformer):
    def __init__(self, env: Env) -> None:
        self._env = env

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._env.get(node.id)
        if found is None:
            return node
        if not isinstance(node.ctx, ast.Load):
            raise NotReadError
        return ast.copy_location(_copied(found), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``row.asDict()["c"]`` is ``row["c"]``; ``(a, b)[0]`` is ``a``."""
        self.generic_visit(node)
        match node.value, node.slice:
            case ast.Call(func=ast.Attribute(value=row, attr="asDict"), args=[], keywords=[]), ast.Constant(str()):
                return ast.copy_location(ast.Subscript(row, node.slice, node.ctx), node)
            case ast.Tuple(elts=parts), ast.Constant(int() as place) if 0 <= place < len(parts):
                return parts[place]
        return node


def is_plain(node: ast.expr, env: Env, row: str) -> bool:
    """Whether ``node`` does nothing but take a column out of the row, or put such together."""
    match node:
        case ast.Name(id=name):
            return name in env or name == row
        case ast.Constant():
            return True
        case ast.Subscript(value=of, slice=ast.Constant()) | ast.Attribute(value=of):
            return isinstance(of, ast.Name) and is_plain(of, env, row) and _is_row(of, env, row)
        case ast.Call(func=ast.Attribute(value=ast.Name() as of, attr="asDict"), args=[], keywords=[]):
            return _is_row(of, env, row)
        case ast.Tuple(elts=parts):
            return all(is_plain(p, env, row) for p in parts)
    return False


def _is_row(node: ast.Name, env: Env, row: str) -> bool:
    held = env.get(node.id, node)
    if isinstance(held, ast.Call) and isinstance(held.func, ast.Attribute):
        held = held.func.value  # its dictionary
    return isinstance(held, ast.Name) and held.id == row
