"""Many evaluations of many conditions at once: one bit per environment.

The universes are built from few comparisons, so each comparison is evaluated once per environment and the connectives
are computed on whole bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..semantics.interpreter import Env, EvaluationError, compile_expr


@dataclass(frozen=True)
class Mask:
    """Where a condition is TRUE, where it is FALSE, and where evaluating it is an error; NULL elsewhere."""

    true: int
    false: int
    error: int = 0


class Masks:
    """Conditions over a fixed sequence of environments, bit ``i`` for environment ``i``."""

    def __init__(self, environments: Sequence[Env], prepare: Callable[[Expr], Expr] = lambda e: e) -> None:
        self._environments, self._prepare = environments, prepare
        self.all = (1 << len(environments)) - 1
        self._known: dict[Expr, Mask] = {}

    def true(self, e: Expr) -> int:
        """Where ``e`` is TRUE."""
        return self.of(e).true

    def of(self, e: Expr) -> Mask:
        """What ``e`` is, everywhere."""
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = self._compute(e)
        return found

    def _compute(self, e: Expr) -> Mask:
        match e:
            case ir.And(operands, "sql"):
                return self._conjunction([self.of(o) for o in operands])
            case ir.Or(operands, "sql"):
                return _negation(self._conjunction([_negation(self.of(o)) for o in operands]))
            case ir.Not(operand, "sql"):
                return _negation(self.of(operand))
            case ir.IsTrue(operand):
                inner = self.of(operand)
                return Mask(inner.true, self.all & ~(inner.true | inner.error), inner.error)
            case _:
                return self._evaluated(e)

    def _conjunction(self, operands: list[Mask]) -> Mask:
        """Left to right, up to the first FALSE or error."""
        open_, null, false, error = self.all, 0, 0, 0
        for o in operands:
            error |= o.error & open_
            false |= o.false & open_
            open_ &= ~(o.error | o.false)
            null |= open_ & ~o.true
        return Mask(open_ & ~null, false, error)

    def _evaluated(self, e: Expr) -> Mask:
        evaluate = compile_expr(self._prepare(e))
        true = false = error = 0
        bit = 1
        for environment in self._environments:
            try:
                value = evaluate(environment)
                if value is True:
                    true |= bit
                elif value is not None:
                    false |= bit
            except EvaluationError:
                error |= bit
            bit <<= 1
        return Mask(true, false, error)


def _negation(m: Mask) -> Mask:
    return Mask(m.false, m.true, m.error)
