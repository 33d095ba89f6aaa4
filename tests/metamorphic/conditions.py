"""Comparisons and boolean operators in another form."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .registry import rewrite
from .scopes import binds_in_place, each_expression, negated, stable

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
"""``<`` and ``>=`` are no opposites: with a NaN both are false."""


@rewrite
def mirrored_comparisons(tree: ast.Module) -> ast.Module:
    """``a < b`` is ``b > a``, ``a == b`` is ``b == a``; for columns and Series as for values."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not binds_in_place(node):
            op = _MIRRORED.get(type(node.ops[0]))
            return ast.Compare(node.comparators[0], [op()], [node.left]) if op else None
        return None

    each_expression(tree, change)
    return tree


@rewrite
def opposite_comparisons(tree: ast.Module) -> ast.Module:
    """``a == b`` is ``not a != b``, ``a is None`` is ``not a is not None``, where only the truth is asked."""

    def change(node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            op = _OPPOSITE.get(type(node.ops[0]))
            return negated(ast.Compare(node.left, [op()], node.comparators)) if op else node
        return node

    return _in_tests(tree, change)


@rewrite
def de_morgan(tree: ast.Module) -> ast.Module:
    """``a and b`` is ``not (not a or not b)``, where only the truth is asked."""

    def change(node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return negated(ast.BoolOp(other, [negated(v) for v in node.values]))
        return node

    return _in_tests(tree, change)


@rewrite
def double_negation(tree: ast.Module) -> ast.Module:
    """``a`` is ``not not a``, where only the truth is asked."""
    return _in_tests(tree, lambda node: ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), node)), inside=False)


@rewrite
def truth_by_bool(tree: ast.Module) -> ast.Module:
    """``a`` is ``bool(a)``, where only the truth is asked."""
    return _in_tests(tree, lambda node: ast.Call(ast.Name("bool", ast.Load()), [node], []), inside=False)


@rewrite
def split_chains_of_comparisons(tree: ast.Module) -> ast.Module:
    """``a < b < c`` is ``a < b and b < c`` where ``b`` may be read twice."""

    def change(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Compare) or len(node.ops) < 2 or not all(map(stable, node.comparators[:-1])):
            return None
        operands = [node.left, *node.comparators]
        each = [ast.Compare(a, [op], [b]) for a, op, b in zip(operands, node.ops, operands[1:], strict=False)]
        return ast.BoolOp(ast.And(), list[ast.expr](each))

    each_expression(tree, change)
    return tree


@rewrite
def chained_comparisons(tree: ast.Module) -> ast.Module:
    """``a < b and b < c`` is ``a < b < c`` where ``b`` may be read twice."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) and len(node.values) == 2:
            a, b = node.values
            if isinstance(a, ast.Compare) and isinstance(b, ast.Compare) and stable(b.left):
                if ast.unparse(a.comparators[-1]) == ast.unparse(b.left):
                    return ast.Compare(a.left, [*a.ops, *b.ops], [*a.comparators, *b.comparators])
        return None

    each_expression(tree, change)
    return tree


@rewrite
def membership_by_equality(tree: ast.Module) -> ast.Module:
    """``x in ("a", "b")`` is ``x == "a" or x == "b"`` for constants, none of which is a NaN."""

    def change(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not stable(node.left):
            return None
        among, op = node.comparators[0], node.ops[0]
        if not isinstance(among, (ast.Tuple, ast.List, ast.Set)) or len(among.elts) < 2:
            return None
        if not all(isinstance(e, ast.Constant) for e in among.elts) or not isinstance(op, (ast.In, ast.NotIn)):
            return None
        equal: ast.cmpop = ast.Eq() if isinstance(op, ast.In) else ast.NotEq()
        joined = ast.Or() if isinstance(op, ast.In) else ast.And()
        return ast.BoolOp(joined, [ast.Compare(node.left, [equal], [e]) for e in among.elts])

    each_expression(tree, change)
    return tree


@rewrite
def membership_in_another_container(tree: ast.Module) -> ast.Module:
    """``x in (…)`` is ``x in […]`` for constants."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            among = node.comparators[0]
            if isinstance(among, (ast.Tuple, ast.List)) and all(isinstance(e, ast.Constant) for e in among.elts):
                other = ast.List if isinstance(among, ast.Tuple) else ast.Tuple
                return ast.Compare(node.left, node.ops, [other(among.elts, ast.Load())])
        return None

    each_expression(tree, change)
    return tree


@rewrite
def swapped_conjuncts_over_scalars(tree: ast.Module) -> ast.Module:
    """``a and b`` is ``b and a`` where only the truth is asked and neither can raise: comparisons by ``is``, ``==``
    and ``!=`` of names and constants."""

    def harmless(node: ast.expr) -> bool:
        kinds = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)
        return isinstance(node, ast.Compare) and all(
            isinstance(n, (ast.Name, ast.Constant)) for n in (node.left, *node.comparators)
        ) and all(isinstance(op, kinds) for op in node.ops)  # fmt: skip

    def change(node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp) and all(map(harmless, node.values)):
            return ast.BoolOp(node.op, node.values[::-1])
        return node

    return _in_tests(tree, change)


def _in_tests(tree: ast.Module, change: Callable[[ast.expr], ast.expr], inside: bool = True) -> ast.Module:
    """``change`` for the expressions of which only the truth is asked; ``inside``: for the operands of ``and``, ``or``
    and ``not`` as well."""

    def changed(node: ast.expr) -> ast.expr:
        if inside and isinstance(node, ast.BoolOp):
            node.values = [changed(v) for v in node.values]
        elif inside and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = changed(node.operand)
        return change(node)

    for node in list(ast.walk(tree)):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            node.test = changed(node.test)
        elif isinstance(node, ast.comprehension):
            node.ifs = [changed(test) for test in node.ifs]
    return tree
