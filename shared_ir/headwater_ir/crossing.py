"""What a filter passes on its way down to a boundary, as data of a certificate.

Each class describes one operator of a plan without its inputs and places: what the proof that a predicate passes it may
rely on, and nothing else. ``proof.crossings`` says what must be proved of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from .assumptions import Assumption
from .expr import CompareOp, Expr
from .parts import JoinSide, JoinType, Order, WindowColumn
from .problem import Column


@dataclass(frozen=True)
class Asked:
    """The filter itself, before anything is passed: its conjuncts that have a model. ``unread``: it has others."""

    conjuncts: tuple[Expr, ...]
    unread: bool = False


@dataclass(frozen=True)
class PassesFilter:
    """A filter below. ``merged``: the predicate goes on as one with it; else without it."""

    conjuncts: tuple[Expr, ...]
    unread: bool
    merged: bool


@dataclass(frozen=True)
class PassesProject:
    """``Project``: the columns that it defines, in terms of the input, and whether the others are there too."""

    columns: tuple[tuple[str, Expr], ...]
    keeps_others: bool
    dropped: tuple[str, ...]


@dataclass(frozen=True)
class PassesSort:
    """``orderBy`` without a limit."""


@dataclass(frozen=True)
class PassesCache:
    """``cache``, ``persist``, ``checkpoint``, ``localCheckpoint``."""

    operator: str


@dataclass(frozen=True)
class PassesView:
    """A temporary view; ``alone`` is what the verdict assumes of it."""

    alone: Assumption


@dataclass(frozen=True)
class PassesWatermark:
    """``withWatermark``; ``sources``: the formats of all sources below, None if an operator without a model is."""

    sources: tuple[str, ...] | None


@dataclass(frozen=True)
class PassesShared:
    """A frame with ``consumers`` consumers, each a filter right above it: ``filters`` are their conditions."""

    consumers: int
    filters: tuple[Expr, ...]


@dataclass(frozen=True)
class PassesUnion:
    """One side of a union. ``names``: of each column of the union that is read, what it is called there, and on the
    other side. ``may_miss``: a column may be missing on a side."""

    side: JoinSide
    names: tuple[tuple[str, str, str], ...]
    may_miss: bool


@dataclass(frozen=True)
class PassesSetOperation:
    """One side of ``intersect`` or ``subtract`` and their kin; ``names`` as of a union."""

    operator: str
    side: JoinSide
    names: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class PassesJoin:
    """One side of a join, with what ``Join`` says of its ON clause. ``left_has``, ``right_has``: of the columns that
    are read, those that a side has for certain."""

    how: JoinType
    side: JoinSide
    using: tuple[str, ...]
    left_columns: tuple[str, ...] | None
    right_columns: tuple[str, ...] | None
    equal: tuple[tuple[str, str], ...]
    ordered: tuple[tuple[str, CompareOp, str], ...]
    called: tuple[tuple[str, JoinSide, bool], ...]
    left_has: tuple[str, ...]
    right_has: tuple[str, ...]


@dataclass(frozen=True)
class PassesClause:
    """One input of a join, of which the predicate is a conjunct of the ON clause."""

    how: JoinType
    side: JoinSide


Grouping = Literal["distinct", "dropDuplicates", "pivot", "aggregate", "grouping sets"]


@dataclass(frozen=True)
class PassesGroups:
    """An operator that makes its rows of groups of rows. ``keys``: the columns of the output that are columns of the
    input by which the groups are made, with their names there; None for all columns. ``fixed``: it has rows of groups
    alone, and columns that do not depend on the rows."""

    operator: Grouping
    keys: tuple[tuple[str, str], ...] | None
    fixed: bool = True


@dataclass(frozen=True)
class PassesWindow:
    """``Window``. ``prefix``: what goes below keeps a prefix of the order of every window; else it keeps or drops whole
    partitions."""

    windows: tuple[WindowColumn, ...]
    columns: tuple[tuple[str, Expr], ...]
    keeps_others: bool
    prefix: bool


@dataclass(frozen=True)
class PassesLimit:
    """``limit`` or ``offset`` of rows that stand in ``order``: what goes below keeps a prefix of it."""

    order: Order


@dataclass(frozen=True)
class PassesExplode:
    """``explode`` and its kin, whose columns ``made`` are not asked for below."""

    made: tuple[str, ...]
    varies: bool


@dataclass(frozen=True)
class MeetsFold:
    """A boundary with a fold, whose outputs the predicate reads."""


@dataclass(frozen=True)
class MeetsElements:
    """``explode`` as a boundary: a row is an element, with the other columns of the row that its array is in."""

    made: tuple[str, ...]
    outer: bool
    placed: bool
    varies: bool


@dataclass(frozen=True)
class MeetsArms:
    """``unpivot`` as a boundary: of each row as many are made as there are arms."""

    made: tuple[str, ...]
    arms: tuple[tuple[tuple[str, Expr], ...], ...]


@dataclass(frozen=True)
class MeetsWindow:
    """A window function in an order as a boundary: the predicate keeps a prefix of that order."""

    passed: PassesWindow


@dataclass(frozen=True)
class MeetsLimit:
    """The first rows of an order as a boundary: the predicate keeps a prefix of that order."""

    passed: PassesLimit


Passed = Union[
    Asked, PassesFilter, PassesProject, PassesSort, PassesCache, PassesView, PassesWatermark, PassesShared, PassesUnion,
    PassesSetOperation, PassesJoin, PassesClause, PassesGroups, PassesWindow, PassesLimit, PassesExplode, MeetsFold,
    MeetsElements, MeetsArms, MeetsWindow, MeetsLimit,
]  # fmt: skip


@dataclass(frozen=True)
class Crossing:
    """One operator that a predicate passes.

    ``before``: the predicate over its output, ``after`` the one over the input that it enters, or over the outputs of
    the fold where it meets a boundary. The types are those that the schemas state, ANY where they state none: ``above``
    of columns of the output, ``below`` of columns of that input, ``beside`` of columns of the other one.
    """

    passed: Passed
    before: Expr
    after: Expr
    above: tuple[Column, ...] = ()
    below: tuple[Column, ...] = ()
    beside: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Path:
    """All that a predicate passes from the filter to the boundary, top first. ``stays``: the filter stays as it is, and
    what is moved is only implied by it."""

    crossings: tuple[Crossing, ...]
    stays: bool


_WORDS: dict[type, str] = {
    Asked: "filter", PassesFilter: "filter", PassesProject: "projection", PassesSort: "sort", PassesView: "view",
    PassesWatermark: "watermark", PassesShared: "shared frame", PassesUnion: "union", PassesJoin: "join",
    PassesClause: "ON clause", PassesWindow: "window", PassesExplode: "explode", MeetsFold: "boundary",
    MeetsElements: "explode", MeetsArms: "unpivot", MeetsWindow: "window",
    PassesLimit: "limit", MeetsLimit: "limit",
}  # fmt: skip


def name_of(crossing: Crossing) -> str:
    """The operator that is passed, in a word or two."""
    passed = crossing.passed
    if isinstance(passed, (PassesCache, PassesSetOperation, PassesGroups)):
        return passed.operator
    return f"{passed.how} join" if isinstance(passed, PassesJoin) else _WORDS[type(passed)]
