"""Rewrites that make statements simpler before they are run: assignments inside expressions, loops over constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.python.values.scope import Items, Value
from headwater.syntax.refusal import Refusal

MOST = 16


def hoisted(node: ast.stmt) -> list[ast.stmt] | None:
    """``node`` with its ``:=`` moved in front of it; None if it has none.

    Only those that are evaluated first, whatever the values, and whose name nothing to their left reads.
    """
    test = node.test if isinstance(node, (ast.If, ast.Assert)) else getattr(node, "value", None)
    if not isinstance(test, ast.expr) or not any(isinstance(n, ast.NamedExpr) for n in ast.walk(test)):
        return None
    moved: list[ast.stmt] = []
    read: set[str] = set()
    for part in _first_evaluated(test):
        if isinstance(part, ast.Name):
            read.add(part.id)
        if isinstance(part, ast.NamedExpr):
            if part.target.id in read:
                raise Refusal("opaque", f"`{part.target.id}` is read and assigned in one expression", node)
            assign = ast.Assign([ast.Name(part.target.id, ast.Store())], part.value)
            moved.append(ast.fix_missing_locations(ast.copy_location(assign, part)))
    if len(moved) != sum(isinstance(n, ast.NamedExpr) for n in ast.walk(test)):
        raise Refusal("opaque", "an assignment in the middle of a condition", node)
    field = "test" if isinstance(node, (ast.If, ast.Assert)) else "value"
    fields = {name: getattr(node, name) for name in node._fields}
    new = type(node)(**{**fields, field: _Plain().visit(ast.parse(ast.unparse(test), mode="eval").body)})
    for n in ast.walk(getattr(new, field)):
        ast.copy_location(n, test)
    return [*moved, ast.copy_location(new, node)]


class _Plain(ast.NodeTransformer):
    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        return ast.Name(node.target.id, ast.Load())


def _first_evaluated(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of ``node`` that are always evaluated, in order; parts of an assignment before it."""
    if isinstance(node, ast.BoolOp):
        yield from _first_evaluated(node.values[0])
        return
    if isinstance(node, ast.IfExp):
        yield from _first_evaluated(node.test)
        return
    if isinstance(node, ast.Compare):
        yield from _first_evaluated(node.left)
        yield from _first_evaluated(node.comparators[0])
        return
    if isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not (isinstance(node, ast.NamedExpr) and child is node.target):
            yield from _first_evaluated(child)
    yield node


def constant_items(value: Value | None) -> tuple[Value, ...] | None:
    """The elements of a tuple or list that a loop can be unrolled over."""
    if isinstance(value, Items) and not value.unique and len(value.items) <= MOST:
        return value.items
    return None
