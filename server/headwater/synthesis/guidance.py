"""How far an output is from passing P: the branch distance of search-based testing. Random rows seldom satisfy a
filter with several thresholds; extending a group by the row that comes nearest soon does."""

from __future__ import annotations

from collections.abc import Callable

from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar

from ..semantics.interpreter import Env, EvaluationError, Evaluator, compile_expr

FAR = 1e6
Distance = Callable[[Env], float]


def distance(e: Expr) -> Distance:
    """The function that is 0 where ``e`` is TRUE, and larger the more its comparisons miss."""
    if isinstance(e, ir.And):
        parts = [distance(o) for o in e.operands]
        return lambda env: sum([p(env) for p in parts])
    if isinstance(e, ir.Or) and e.operands:
        parts = [distance(o) for o in e.operands]
        return lambda env: min([p(env) for p in parts])
    if isinstance(e, ir.Compare):
        return _gap(compile_expr(e), compile_expr(e.left), compile_expr(e.right))
    holds = compile_expr(e)

    def missed(env: Env) -> float:
        try:
            return 0.0 if holds(env) is True else FAR
        except EvaluationError:
            return FAR

    return missed


def _gap(holds: Evaluator, left: Evaluator, right: Evaluator) -> Distance:
    def gap(env: Env) -> float:
        try:
            return 0.0 if holds(env) is True else 1.0 + _apart(left(env), right(env))
        except EvaluationError:
            return 2.0

    return gap


def _apart(a: Scalar, b: Scalar) -> float:
    """Between 0 and 1, so that a comparison that holds is worth more than another that nearly does."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a == a and b == b:
        gap = min(abs(a - b), FAR)
        return gap / (gap + 1.0)
    return 1.0
