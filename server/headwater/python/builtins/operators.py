"""The functions of ``operator``. Law: ``operator.add(a, b)`` is ``a + b``, and so on, on operands in this order.

``contains(a, b)`` is ``b in a`` and ``countOf(a, b)`` is ``list(a).count(b)``. ``itemgetter(0)``, called with an
element, is ``lambda element: element[0]``, ``itemgetter(0, 1)`` a tuple of both, ``attrgetter("x")`` is ``lambda
element: element.x``; their arguments are constants. Reference: the Python library reference, ``operator``, which gives
the expression for each.
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


def getter_spelled_out(s: Structured, node: ast.expr) -> ast.expr:
    """The getter that a call makes, as a lambda; another expression itself."""
    name = s.scope.origin(node.func) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or name not in ("operator.itemgetter", "operator.attrgetter"):
        return node
    given = [a for a in node.args if isinstance(a, (ast.Constant, ast.UnaryOp))]
    if not given or len(given) != len(node.args) or node.keywords:
        return node
    reads = [_read(a, of_items=name == "operator.itemgetter") for a in given]
    body = reads[0] if len(reads) == 1 else ast.Tuple([r for r in reads if r is not None], ast.Load())
    if body is None or None in reads:
        return node
    parameters = ast.arguments([], [ast.arg("element")], None, [], [], None, [])
    return ast.fix_missing_locations(ast.copy_location(ast.Lambda(parameters, body), node))


def _read(what: ast.expr, *, of_items: bool) -> ast.expr | None:
    """What is read of the element; None for an attribute that is no plain name."""
    element = ast.Name("element", ast.Load())
    if of_items:
        return ast.Subscript(element, what, ast.Load())
    text = what.value if isinstance(what, ast.Constant) else None
    return ast.Attribute(element, text, ast.Load()) if isinstance(text, str) and text.isidentifier() else None
