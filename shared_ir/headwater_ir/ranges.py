"""A condition that computes something from a column of a source, and the same as a test of the bare column.

A source can leave out rows by the second, which compares the column itself with constants, and by the first it cannot.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from .assumptions import Assumption
from .expr import Col, Expr, Lit, columns_of, transform
from .parts import JoinSide
from .plan import (
    Aggregate,
    Distinct,
    DropDuplicates,
    Filter,
    Join,
    Plan,
    Project,
    Scan,
    Shared,
    Sort,
    View,
)
from .problem import Fold
from .types import STRING, Type


@dataclass(frozen=True)
class RangeCertificate:
    """The proof that ``before``, over the one column ``column``, passes the rows that ``after`` passes, or some of them
    if ``after`` stands ``beside`` it. ``cuts``: of the values of the column, where a part begins on which the truth of
    both is the same throughout: a whole number, or the number of a day. ``other``: a type that the column may have
    instead, of which the same holds with ``after`` as it is ``written``."""

    version: int
    column: str
    type: Type
    before: Expr
    after: Expr
    cuts: tuple[int, ...]
    beside: bool
    assumptions: tuple[Assumption, ...] = ()
    other: Type | None = None

    @property
    def written(self) -> Expr:
        """``after``, with days as texts where the type of the column decides what they are: Spark reads them so."""
        return self.after if self.other is None else transform(self.after, _as_text)


def _as_text(e: Expr) -> Expr | None:
    day = date_of(e)
    return None if day is None else Lit(day.isoformat(), STRING)


def date_of(e: Expr) -> dt.date | None:
    """The day that ``e`` is, or whose midnight it is; None if it is neither."""
    match e:
        case Lit(value=dt.datetime() as moment):
            return moment.date() if moment.time() == dt.time() and moment.tzinfo is None else None
        case Lit(value=dt.date() as day):
            return day
    return None


@dataclass(frozen=True)
class AtScan:
    """A condition in terms of the columns of the ``scan`` that it reaches, through these ``sides`` of joins."""

    scan: Scan
    condition: Expr
    sides: tuple[JoinSide, ...] = ()

    def same_place(self, other: AtScan) -> bool:
        """Whether both are of one and the same scan, which a plan may have several times."""
        return self.scan == other.scan and self.sides == other.sides


def at_scan(plan: Plan, condition: Expr) -> AtScan | None:
    """``condition``, over the columns of ``plan``, at the source: through filters, sorts and what only names a frame,
    through projections, whose values it then speaks of, and, of their keys, through groupings; through joins, of
    columns that one side has and the other has not. None if anything else stands between.

    Each value that a column has above is one that it has at the source, or NULL of a row that a join adds."""
    sides: tuple[JoinSide, ...] = ()
    while True:
        match plan:
            case Scan():
                return AtScan(plan, condition, sides)
            case Filter() | Sort() | Shared() | View() | Distinct():
                plan = plan.child
            case DropDuplicates(child, keys) if keys is not None and columns_of(condition) <= {*keys}:
                plan = child
            case Join():
                found = _on_a_side(plan, condition)
                if found is None:
                    return None
                side, condition = found
                plan, sides = plan.left if side == "left" else plan.right, (*sides, side)
            case Project() | Aggregate():
                told = _below(plan, condition) if isinstance(plan, Project) else _of_keys(plan.fold, condition)
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


def _of_keys(fold: Fold, condition: Expr) -> Expr | None:
    keys = {o.name: o.value for o in fold.outputs if isinstance(o.value, Col) and o.value.name in fold.keys}
    if not fold.grouped or not columns_of(condition) <= keys.keys():
        return None
    return transform(condition, lambda n: keys.get(n.name) if isinstance(n, Col) else None)


def _on_a_side(join: Join, condition: Expr) -> tuple[JoinSide, Expr] | None:
    """As ``_side_of``, if that side keeps all its rows: to one that an outer join fills with NULL, Spark hands on only
    conditions that no NULL passes."""
    found = _side_of(join, condition)
    return found if found is not None and found[0] in _KEEPING.get(join.how, ()) else None


_KEEPING: dict[str, tuple[JoinSide, ...]] = {
    "inner": ("left", "right"), "semi": ("left",), "anti": ("left",), "left": ("left",), "right": ("right",),
}  # fmt: skip


def _side_of(join: Join, condition: Expr) -> tuple[JoinSide, Expr] | None:
    """The side that alone has the columns of ``condition``, which may be called by the name of a frame, and the same as
    they are called there. A key that both have is of the side that keeps its rows."""
    if join.how in ("semi", "anti"):
        return "left", condition
    left, right = ({*map(str.lower, c)} if c is not None else None for c in (join.left_columns, join.right_columns))
    if left is None or right is None:
        return None
    shared, read = {*map(str.lower, join.using)}, {n.lower() for n in columns_of(condition)}
    if read <= left and not read & (right - (shared if join.how in ("inner", "left") else set())):
        return "left", condition
    if read <= right and not read & (left - (shared if join.how == "right" else set())):
        return "right", condition
    for alias, side, is_plain in join.called:
        beginning, there = f"{alias}.".lower(), left if side == "left" else right
        if is_plain and all(n.startswith(beginning) and n.removeprefix(beginning) in there for n in read):
            return side, _without(beginning, condition)
    return None


def _without(beginning: str, condition: Expr) -> Expr:
    """``condition`` with columns whose names begin so called by the rest of them."""
    return transform(condition, lambda e: Col(e.name[len(beginning) :]) if isinstance(e, Col) else None)
