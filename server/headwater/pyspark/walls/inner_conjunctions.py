"""Conjunctions inside of conditions, that Spark takes apart in a filter and not in an aggregate.

``(a & b) | (a & c)`` is ``a & (b | c)`` to its optimizer, and ``~(a | b)`` is ``~a & ~b``: a filter looks at the second
operand only where the first is TRUE, and an aggregate does so where it is NULL as well.
"""

from __future__ import annotations

import ast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.sql_conjuncts import conjuncts
from headwater.pyspark.columns.sql_templates import filled, template
from headwater.pyspark.frames.tracked_values import Unevaluated

from .measures import held_text

_DEEPEST = 20


def has_inner_conjunction(node: ast.expr, scope: ApiContext) -> bool:
    """Whether the condition ``node`` may have a conjunction in it other than the one of its own outer operands."""
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        return any(map(_in_sql, conjuncts(node)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        return has_inner_conjunction(node.left, scope) or has_inner_conjunction(node.right, scope)
    return _inside(node, scope, negated=False, depth=0)


def _inside(node: ast.expr, scope: ApiContext, *, negated: bool, depth: int) -> bool:
    if depth > _DEEPEST:
        return True

    def inside(part: ast.expr, negated: bool) -> bool:
        return _inside(part, scope, negated=negated, depth=depth + 1)

    match node:
        case ast.BinOp(left=a, op=ast.BitAnd() | ast.BitOr() as op, right=b):
            return isinstance(op, ast.BitOr) == negated or inside(a, negated) or inside(b, negated)
        case ast.UnaryOp(op=ast.Invert(), operand=a):
            return inside(a, not negated)
        case ast.Name(id=name):
            bound = scope.lookup(name)
            held = bound.value if bound is not None else None
            if held_text(node, scope) is not None:
                return _has_and(node, scope)
            return isinstance(held, Unevaluated) and held.node is not node and inside(held.node, negated)
    if _is_between(node) or (isinstance(node, ast.Call) and _is_sql(node, scope)):
        return True
    return any(_has_connective(c, scope, depth) for c in ast.iter_child_nodes(node))


def _has_connective(node: ast.AST, scope: ApiContext, depth: int) -> bool:
    """Whether any value in ``node`` is made by ``&``, ``|`` or ``~``, or by SQL text that may have a conjunction."""
    for part in ast.walk(node):
        if isinstance(part, (ast.BitAnd, ast.BitOr, ast.Invert)):
            return True
        if isinstance(part, ast.Call) and (_is_between(part) or _is_sql(part, scope)):
            return True
        bound = scope.lookup(part.id) if isinstance(part, ast.Name) else None
        held = bound.value if bound is not None else None
        if isinstance(held, Unevaluated) and held.node is not part:
            if depth > _DEEPEST or _has_connective(held.node, scope, depth + 1):
                return True
    return False


def _is_sql(call: ast.Call, scope: ApiContext) -> bool:
    """Whether ``call`` is ``expr`` of a text with a conjunction."""
    texts = call.args if scope.names.function(call.func) == "expr" else []
    return any(_has_and(t, scope) for t in texts)


def _has_and(node: ast.expr, scope: ApiContext) -> bool:
    """Whether the SQL text that ``node`` is, or holds, has a conjunction."""
    text = held_text(node, scope) or node
    return len(conjuncts(text)) > 1 or _in_sql(text)


def _is_between(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="between"), args=args):
            return not all(isinstance(a, ast.Constant) for a in args)
    return False


def _in_sql(node: ast.expr) -> bool:
    """Whether there may be a conjunction in the SQL text ``node``."""
    import sqlglot
    from sqlglot import exp

    text = node.value if isinstance(node, ast.Constant) else filled(template(node) or "")
    try:
        tree = sqlglot.parse_one(text, read="spark") if isinstance(text, str) else None
    except (sqlglot.errors.SqlglotError, RecursionError):
        return True
    if tree is None or tree.find(exp.And) is not None:
        return True
    denied = (n.this.unnest() for n in tree.find_all(exp.Not))
    bounds = (b.args[k] for b in tree.find_all(exp.Between) for k in ("low", "high"))
    compared = (n for n in tree.find_all(exp.EQ, exp.NullSafeEQ) if n.find(exp.Or, exp.Not) is not None)
    return (
        any(isinstance(d, (exp.Or, exp.Not)) for d in denied)
        or any(b.find(exp.Column, exp.Func) is not None for b in bounds)
        or any(True for _ in compared)
    )
