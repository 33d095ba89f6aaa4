"""How far an output is from passing P: the branch distance of search-based testing. Random rows seldom satisfy a
filter with several thresholds; extending a group by the row that comes nearest soon does."""

from __future__ import annotations

from functools import lru_cache

from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar

from ..semantics.interpreter import Env, EvaluationError, compile_expr

FAR = 1e6
_compiled = lru_cache(maxsize=512)(compile_expr)


def distance(e: Expr, env: Env) -> float:
    """0 where ``e`` is TRUE, larger the more its comparisons miss."""
    if isinstance(e, ir.And):
        return sum(distance(o, env) for o in e.operands)
    if isinstance(e, ir.Or) and e.operands:
        return min(distance(o, env) for o in e.operands)
    try:
        if _compiled(e)(env) is True:
            return 0.0
        if isinstance(e, ir.Compare):
            return 1.0 + _gap(_compiled(e.left)(env), _compiled(e.right)(env))
    except EvaluationError:
        pass
    return FAR


def _gap(a: Scalar, b: Scalar) -> float:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a == a and b == b:
        return min(abs(a - b), FAR)
    return FAR
