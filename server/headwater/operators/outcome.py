"""What moving a filter down to a boundary gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from headwater_ir.expr import Arith, Call, Expr, Neg, Raise, walk
from headwater_ir.plan import BoundaryNode, Filter
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.verdict import Obstruction


@dataclass(frozen=True)
class Moved:
    """A filter that reached a boundary.

    ``filters``: the filters whose conjunction is P, outermost first; ``renamed``: a projection that renames or computes
    stands between them and the boundary; ``key_only``: conjuncts of P that read only what each input row already has
    (grouping keys, columns that a row function passes through). ``shared``: P is what all consumers of a frame ask for
    together, so that each of their filters stays as it is.
    """

    boundary: BoundaryNode
    filters: tuple[Filter, ...]
    problem: FoldProblem
    renamed: bool
    key_only: tuple[Expr, ...]
    shared: bool = False


@dataclass(frozen=True)
class Stopped:
    """A filter that stays. ``no_boundary``: there is nothing below that Spark does not see through itself, so
    that there is
    nothing to report."""

    obstruction: Obstruction
    reason: str
    span: Span
    no_boundary: bool = False


def may_raise(e: Expr) -> bool:
    """Whether evaluating ``e``, which is in the sql dialect, may raise on some row."""
    return any(isinstance(n, (Arith, Neg, Raise)) or (isinstance(n, Call) and not n.total) for n in walk(e))


class Stop(Exception):
    """Raised by an operator that does not let a filter pass. ``spark_moves``: it could, and Spark sees to it."""

    def __init__(self, obstruction: Obstruction, reason: str, *, spark_moves: bool = False) -> None:
        super().__init__(reason)
        self.obstruction: Obstruction = obstruction
        self.reason = reason
        self.spark_moves = spark_moves


def not_yet(operator: str) -> NoReturn:
    """Stop at an operator that the filter could pass, and that Spark moves it through."""
    raise Stop("opaque", f"a filter is not moved through {operator} as yet", spark_moves=True)
