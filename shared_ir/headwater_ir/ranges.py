"""A condition that computes something from a column of a source, and the same as a test of the bare column.

A source can leave out rows by the second, which compares the column itself with constants, and by the first it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from .assumptions import Assumption
from .expr import Col, Expr, columns_of, transform
from .plan import Filter, Plan, Project, Scan, Shared, Sort, View
from .types import Type


@dataclass(frozen=True)
class RangeCertificate:
    """The proof that ``before``, over the one column ``column``, passes the rows that ``after`` passes, or some of them
    if ``after`` stands ``beside`` it. ``cuts``: of the values of the column, where a part begins on which the truth of
    both is the same throughout: a whole number, or the number of a day."""

    version: int
    column: str
    type: Type
    before: Expr
    after: Expr
    cuts: tuple[int, ...]
    beside: bool
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True)
class AtScan:
    """A condition in terms of the columns of the ``scan`` that it reaches."""

    scan: Scan
    condition: Expr


def at_scan(plan: Plan, condition: Expr) -> AtScan | None:
    """``condition``, over the columns of ``plan``, at the source: through filters, sorts and what only names a frame,
    and through projections, whose values it then speaks of. None if anything else stands between."""
    while True:
        match plan:
            case Scan():
                return AtScan(plan, condition)
            case Filter() | Sort() | Shared() | View():
                plan = plan.child
            case Project():
                told = _below(plan, condition)
                if told is None:
                    return None
                plan, condition = plan.child, told
            case _:
                return None


def _below(project: Project, condition: Expr) -> Expr | None:
    values = {name.lower(): value for name, value in project.columns}
    gone = {name.lower() for name in project.dropped}
    for name in columns_of(condition):
        if name.lower() in gone or not (project.keeps_others or name.lower() in values):
            return None
    return transform(condition, lambda n: values.get(n.name.lower()) if isinstance(n, Col) else None)
