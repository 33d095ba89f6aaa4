"""Constant points in time and durations: ``pd.Timestamp("2024-03-01") + pd.Timedelta(hours=2)``."""

from __future__ import annotations

import ast
import datetime as dt
from typing import Union

from headwater.libraries import models
from headwater.python.values.scope import Env, Scope
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Lit
from headwater_ir.types import DATE, TIMESTAMP

Time = Union[dt.datetime, dt.date, dt.timedelta]
_UNITS = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
_DEPTH = 4


def constant_time(scope: Scope, node: ast.expr, env: Env, depth: int = 0) -> Time | None:
    """The constant that ``node`` computes; None if it is none."""
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Name) and node.id in env:
        known = env[node.id]
        return known.value if isinstance(known, Lit) and isinstance(known.value, dt.date) else None
    if isinstance(node, ast.Name):
        local = node.id in scope.local_names or scope.shadowed(node.id)
        bound = None if local else scope.ctx.constant(node.id)
        return None if bound is None else constant_time(scope, bound, {}, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left, right = (constant_time(scope, n, env, depth + 1) for n in (node.left, node.right))
        if left is None or not isinstance(right, dt.timedelta):
            return None
        if isinstance(left, dt.date) and not isinstance(left, dt.datetime) and right % dt.timedelta(days=1):
            raise Refusal("opaque", "a date and a part of a day", node)
        try:
            return left + right if isinstance(node.op, ast.Add) else left - right
        except OverflowError:
            return None
    return _made(scope, node) if isinstance(node, ast.Call) else None


def _made(scope: Scope, node: ast.Call) -> Time | None:
    from .calls import constant_call  # the literals that calls make

    name = scope.origin(node.func)
    if name in ("datetime.timedelta", "pandas.Timedelta"):
        bound = models.bind(name, node).only(*_UNITS, "**")
        parts = {**bound.arguments, **bound.named}
        given = {n: v.value for n, v in parts.items() if isinstance(v, ast.Constant) and type(v.value) is int}
        if len(given) != len(parts) or not set(given) <= set(_UNITS) or not given:
            return None
        return dt.timedelta(**given)
    found = constant_call(name, node)
    return found.value if isinstance(found, Lit) and isinstance(found.value, dt.date) else None


def literal_time(scope: Scope, node: ast.expr, env: Env) -> Lit | None:
    """The point in time that ``node`` computes from constants."""
    found = constant_time(scope, node, env)
    if found is None or isinstance(found, dt.timedelta):
        return None
    return Lit(found, TIMESTAMP if isinstance(found, dt.datetime) else DATE)
