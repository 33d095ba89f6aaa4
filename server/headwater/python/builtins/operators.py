"""The functions of ``operator``. Law: ``operator.add(a, b)`` is ``a + b``, and so on, on operands in this order.

``contains(a, b)`` is ``b in a`` and ``countOf(a, b)`` is ``list(a).count(b)``. Reference: the Python library reference,
``operator``, which gives the expression for each.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.signatures import Bound

from . import tallies
from .comprehensions import listed, sequence
from .dispatch import builtin

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

_BINARY: dict[str, ast.operator] = {
    "add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "truediv": ast.Div(), "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(), "and_": ast.BitAnd(), "or_": ast.BitOr(), "xor": ast.BitXor(),
}  # fmt: skip
_COMPARE: dict[str, ast.cmpop] = {
    "eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE(),
}  # fmt: skip
_UNARY: dict[str, ast.unaryop] = {"not_": ast.Not(), "neg": ast.USub()}


@builtin(*(f"operator.{name}" for name in (*_BINARY, *_COMPARE, *_UNARY, "getitem", "contains")))
def operation(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """The expression that the function stands for."""
    name = bound.name
    given = models.in_order(f"operator.{name}", node)
    made: ast.expr
    if name in _BINARY:
        made = ast.BinOp(given[0], _BINARY[name], given[1])
    elif name in _COMPARE:
        made = ast.Compare(given[0], [_COMPARE[name]], [given[1]])
    elif name in _UNARY:
        made = ast.UnaryOp(_UNARY[name], given[0])
    elif name == "getitem":
        made = ast.Subscript(given[0], given[1], ast.Load())
    else:
        made = ast.Compare(given[1], [ast.In()], [given[0]])
    return s.any_value(ast.fix_missing_locations(ast.copy_location(made, node)), env)


@builtin("operator.countOf")
def occurrences(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``countOf(values, constant)``."""
    values, needle = models.in_order("operator.countOf", node)
    of = sequence(s, values, env, whole=True)
    if of is None or (isinstance(of, AbstractObject) and getattr(getattr(of, "of", None), "unique", False)):
        return None
    return tallies.occurrences(s, node, listed(s, node, of, ordered=False), s.any_value(needle, env))
