"""Values without the branches that are not taken."""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.expr import And, Arith, Compare, Expr, If, IsNull, Neg, Not, Or

from .facts import Facts
from .simplify import NONE, choose


def assuming(e: Expr, known: Facts) -> Expr:
    """``e`` without the branches that the tests rule out."""
    if isinstance(e, If):
        outcome = known.decide(e.cond)
        if outcome is not None:
            return assuming(e.then if outcome else e.otherwise, known)
        cond = assuming(e.cond, known)
        then, otherwise = assuming(e.then, known.plus(e.cond, True)), assuming(e.otherwise, known.plus(e.cond, False))
        if then == NONE and isinstance(e.cond, IsNull) and otherwise == e.cond.operand:
            return otherwise
        return choose(cond, then, otherwise) if (cond, then, otherwise) != (e.cond, e.then, e.otherwise) else e
    if isinstance(e, (And, Or)):
        operands: list[Expr] = []
        for o in e.operands:
            operands.append(assuming(o, known))
            known = known.plus(o, isinstance(e, And))
        return replace(e, operands=tuple(operands)) if tuple(operands) != e.operands else e
    if isinstance(e, Compare):
        left, right = assuming(e.left, known), assuming(e.right, known)
        return replace(e, left=left, right=right) if (left, right) != (e.left, e.right) else e
    if isinstance(e, Arith):
        left, right = assuming(e.left, known), assuming(e.right, known)
        return replace(e, left=left, right=right) if (left, right) != (e.left, e.right) else e
    if isinstance(e, (Not, Neg)):
        operand = assuming(e.operand, known)
        return replace(e, operand=operand) if operand != e.operand else e
    return e
