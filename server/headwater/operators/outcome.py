"""What moving a filter down to a boundary gives."""

from __future__ import annotations

from dataclasses import dataclass

from headwater_ir.crossing import Path
from headwater_ir.expr import Arith, Call, Expr, Neg, Raise, walk
from headwater_ir.plan import Boundary, Filter, Plan
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.types import OPAQUE, Type
from headwater_ir.verdict import Obstruction
from headwater_ir.walks import BoundaryNode


@dataclass(frozen=True)
class Moved:
    """A filter that reached a boundary.

    ``filters``: the filters whose conjunction is P, outermost first; ``renamed``: a projection that renames or computes
    stands between them and the boundary; ``key_only``: conjuncts of P that read only what each input row already has
    (grouping keys, columns that a row function passes through). ``stays``: the rows that the filters drop come from
    elsewhere as well, or P is not all that they say, so that each of them stays as it is. ``whole``: what passes the
    filters is made of a row of the boundary that passes P; not so of one branch of a union, or of a side that a join
    makes up. ``path``: all that P passes on its way; None if it goes none, and nothing is moved.
    """

    boundary: BoundaryNode
    filters: tuple[Filter, ...]
    problem: FoldProblem
    renamed: bool
    key_only: tuple[Expr, ...]
    stays: bool = False
    whole: bool = True
    path: Path | None = None

    @property
    def place(self) -> Boundary:
        """Where the boundary stands in the text."""
        assert self.boundary.boundary is not None
        return self.boundary.boundary


@dataclass(frozen=True)
class Stopped:
    """A filter that stays. ``no_boundary``: there is nothing below that Spark does not see through itself, so
    that there is
    nothing to report."""

    obstruction: Obstruction
    reason: str
    span: Span
    no_boundary: bool = False


@dataclass(frozen=True)
class Down:
    """A filter below an operator: its condition in terms of ``child``'s columns. ``whole``: as in ``Moved``, of the
    rows of ``child``."""

    predicate: Expr
    child: Plan
    whole: bool = True


def may_raise(e: Expr) -> bool:
    """Whether evaluating ``e``, which is in the sql dialect, may raise on some row."""
    return any(isinstance(n, (Arith, Neg, Raise)) or (isinstance(n, Call) and not n.total) for n in walk(e))


def tells_equals_apart(e: Expr) -> bool:
    """Whether ``e`` may differ on values that are one value to a grouping, a partition or a join: -0.0 and 0.0, of
    which a cast to a string makes two (facts, section E 8). Comparisons, lists and tests for NULL do not."""
    return any(isinstance(n, Call) for n in walk(e))


class Stop(Exception):
    """Raised by an operator that does not let a filter pass. ``spark_moves``: it could, and Spark sees to it."""

    def __init__(self, obstruction: Obstruction, reason: str, *, spark_moves: bool = False) -> None:
        super().__init__(reason)
        self.obstruction: Obstruction = obstruction
        self.reason = reason
        self.spark_moves = spark_moves


def check_equality(predicate: Expr, operator: str, obstruction: Obstruction = "opaque") -> None:
    """Stop if ``predicate`` may keep one and drop another of the rows that ``operator`` takes for one class."""
    if tells_equals_apart(predicate):
        raise Stop(obstruction, f"the filter may tell apart values that are equal to {operator}, such as -0.0 and 0.0")


def alike(left: Type, right: Type) -> bool | None:
    """Whether Spark takes columns of two types together without changing a value of either; None if that is not
    known."""
    if OPAQUE in (left, right):
        return False
    return None if {left.name, right.name} & {"any", "number"} else left.name == right.name
