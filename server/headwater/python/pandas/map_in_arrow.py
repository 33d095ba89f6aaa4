"""Generators over record batches that only drop rows: ``for b in it: yield b.filter(pc.greater(b["a"], 3))``.

Which rows they drop plays no part (``frame_rows``), only that it is decided for each row by itself.
"""

from __future__ import annotations

import ast

from headwater.python.values.scope import Scope
from headwater.syntax.refusal import Refusal

_ELEMENTWISE = frozenset(
    f"pyarrow.compute.{n}"
    for n in """
    greater greater_equal less less_equal equal not_equal and_ or_ and_kleene or_kleene xor invert is_null is_valid
    is_nan starts_with ends_with match_substring utf8_lower utf8_upper fill_null coalesce
    """.split()
)


def passes_rows(body: list[ast.stmt], batch: str, scope: Scope) -> None:
    """Refusal unless ``body`` returns ``batch`` with some of its rows, each kept or dropped for itself."""
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        raise Refusal("opaque", "more than one expression for each batch", body[0] if body else None)
    node = body[0].value
    while not (isinstance(node, ast.Name) and node.id == batch):
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="filter"), args=[mask], keywords=[]):
                if not (isinstance(inner, ast.Name) and inner.id == batch):
                    raise Refusal("opaque", "a batch is filtered twice, by columns of different lengths", node)
                _elementwise(mask, batch, scope)
                node = inner
            case _:
                raise Refusal("opaque", f"no model covers `{scope.ctx.text(node)}`", node)


def _elementwise(node: ast.expr, batch: str, scope: Scope) -> None:
    match node:
        case ast.Constant():
            return
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())) if name == batch:
            return
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="column"), args=[ast.Constant(value=str())], keywords=[]) if name == batch:  # fmt: skip # noqa: E501
            return
        case ast.Call(func=function, args=args, keywords=[]) if scope.origin(function) in _ELEMENTWISE:
            for argument in args:
                _elementwise(argument, batch, scope)
            return
    raise Refusal("opaque", f"no model covers `{scope.ctx.text(node)}`", node)
