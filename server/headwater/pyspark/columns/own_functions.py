"""Calls of the file's own functions that make a Column of Columns, written out: ``is_valid(F.col("x"))`` for
``def is_valid(c): return c.isNotNull() & (c > 5)``.

What a function reads besides its parameters must mean the same wherever it is called: an import, another function or a
constant of the top level.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import copy

from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import NESTED

DEEPEST = 5
"""Functions of the file that call one another."""
_NOT_WRITTEN_OUT = (*NESTED, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.JoinedStr)
_MOST = 200
"""Nodes of an expression that is written out; what is used twice in each of many functions grows without end."""


def written_out(call: ast.Call, names: Names) -> ast.expr | None:
    """What ``call`` stands for, with its arguments in the places of the parameters; None if it calls no function of the
    top level that is one expression, perhaps after assignments of variables of its own."""
    function = names.ctx.function(call.func.id) if isinstance(call.func, ast.Name) else None
    if function is None or function.decorator_list or names.reflective or function not in names.ctx.tree.body:
        return None
    if function.name in names.imported | names.rebound:
        return None
    given = _given(function.args, call)
    return None if given is None else _result(function.body, given, names)


def _given(parameters: ast.arguments, call: ast.Call) -> dict[str, ast.expr] | None:
    if parameters.vararg or parameters.kwarg or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    order = [p.arg for p in (*parameters.posonlyargs, *parameters.args)]
    by_name = {p.arg for p in (*parameters.args, *parameters.kwonlyargs)}
    named = {k.arg: k.value for k in call.keywords if k.arg is not None}
    if len(named) < len(call.keywords) or len(call.args) > len(order) or not named.keys() <= by_name:
        return None
    given = dict(zip(order, call.args, strict=False))
    if not given.keys().isdisjoint(named):
        return None
    defaults = dict(zip(order[::-1], parameters.defaults[::-1], strict=False))
    defaults |= {p.arg: d for p, d in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if d is not None}
    constants = {name: d for name, d in defaults.items() if isinstance(d, ast.Constant)}
    found = {**constants, **given, **named}
    return found if found.keys() == {*order, *by_name} else None


def _result(body: list[ast.stmt], given: dict[str, ast.expr], names: Names) -> ast.expr | None:
    known = dict(given)
    unread = {name for name, value in given.items() if not isinstance(value, (ast.Constant, ast.Name))}
    """What would no longer be computed where the call goes, and is read by nobody who sees what it does."""
    for statement in body:
        unread -= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        match statement:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made = _filled(value, known, names)
                if made is None or name in unread:
                    return None
                known[name] = made
                unread.add(name)
            case ast.Return(value=ast.expr() as value):
                return None if unread else _filled(value, known, names)
            case _:
                return None
    return None


def _filled(node: ast.expr, known: Mapping[str, ast.expr], names: Names) -> ast.expr | None:
    """``node`` with what is ``known`` in the places of variables; None if it reads others. What holds none of them
    stays the node that it is, of which the file knows where it stands."""
    if any(
        isinstance(n, (*NESTED, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.JoinedStr))
        for n in ast.walk(node)
    ):
        return None
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and n.id not in known and not _is_fixed(n, names):
            return None
    filled = _put(node, known)
    assert isinstance(filled, ast.expr)
    return filled if sum(1 for _ in ast.walk(filled)) <= _MOST else None


def _is_fixed(node: ast.Name, names: Names) -> bool:
    return names.resolve(node) is not None or names.ctx.function(node.id) is not None


def _put(node: ast.AST, known: Mapping[str, ast.expr]) -> ast.AST:
    if isinstance(node, ast.Name):
        return known.get(node.id, node)
    changed: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            new: object = _put(value, known)
        elif isinstance(value, list):
            new = [_put(v, known) if isinstance(v, ast.AST) else v for v in value]
            new = value if all(a is b for a, b in zip(new, value, strict=True)) else new
        else:
            continue
        if new is not value:
            changed[name] = new
    if not changed:
        return node
    made = copy(node)
    for name, value in changed.items():
        setattr(made, name, value)
    return made
