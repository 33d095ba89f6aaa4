"""``operator.itemgetter`` and ``operator.attrgetter`` where they are called with an element: ``itemgetter(0)`` is
``lambda element: element[0]``, ``itemgetter(0, 1)`` a tuple of both, ``attrgetter("x")`` is ``lambda element:
element.x``. Their arguments are constants. Reference: the Python library reference, ``operator``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


def spelled_out(s: Structured, node: ast.expr) -> ast.expr:
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
