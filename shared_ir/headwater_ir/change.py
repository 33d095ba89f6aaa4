"""What a rewrite does to the plans of a text: the part of a proof that the edited text must show when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from .demand import Claim
from .expr import Expr
from .parts import Order
from .span import Span


@dataclass(frozen=True)
class Change:
    """One pre-filter in front of one boundary.

    ``operator``, ``boundary``: which boundary, and the place of its call. ``pre_filter``: G, over the columns of its
    input. ``filters``: the calls of the filters whose conjunction is P, outermost first, and ``conditions`` what they
    are given. ``residual``: R, over the outputs of the boundary, which stands in their place, TRUE if nothing does;
    None if they stay as they are.
    """

    operator: str
    boundary: Span
    pre_filter: Expr
    filters: tuple[Span, ...]
    conditions: tuple[Span, ...]
    residual: Expr | None


@dataclass(frozen=True)
class SmallerDemand:
    """A call that asks a frame for less.

    ``call``: the call of the text before, of the method ``operator``; ``replaced``: the expression around it that is
    another one afterwards, all else is the same. ``claims``: how the readers of the call read the frame, before and
    after.
    """

    operator: str
    call: Span
    replaced: Span
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Uncached:
    """A frame is kept no more. ``call``: of ``operator``; ``gone``: the statement that goes away with it, if nothing
    else is left of that; else the call's receiver stands in its place. ``freed``: the statements that free what was
    kept, which go away too."""

    operator: str
    call: Span
    receiver: Span
    gone: Span | None = None
    freed: tuple[Span, ...] = ()


@dataclass(frozen=True)
class OnePass:
    """Several jobs of one frame that become one.

    ``operator``: the method that it calls; ``call``: the first of the jobs, ``statement``: the one that it is in, in
    front of which a new one stands afterwards; or ``call`` again, which is given a name where it stands. ``replaced``:
    the expressions that are others afterwards, and ``claims`` how each read the frame, before and after, in the same
    order. ``moved``: the statements that stand in front of the new one afterwards.
    """

    operator: str
    call: Span
    statement: Span
    replaced: tuple[Span, ...]
    claims: tuple[Claim, ...]
    moved: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Ranked:
    """The rows of a group that hold its greatest or least value are those of rank 1. ``operator``: the function;
    ``call``: makes the column; ``value``: what it is made of; ``condition``: the conjunct that compares with it, None
    if ``value`` does; ``in_text``: which is written in SQL. ``joined``: ``call`` and ``value`` are a join of the rows
    with the extremes of their groups, in the place of which a rank of that name is found."""

    operator: str
    call: Span
    value: Span
    condition: Span | None
    order: Order
    in_text: bool = False
    joined: str | None = None


@dataclass(frozen=True)
class Matched:
    """A join becomes a semi or anti join, as ``operator`` says. ``call``: the whole call of ``join``; ``how``: its join
    type, None if it has none; ``test``, ``receiver``: the call of the filter that goes away, and the frame in it."""

    operator: Literal["semi", "anti"]
    call: Span
    how: Span | None
    test: Span | None = None
    receiver: Span | None = None


@dataclass(frozen=True)
class OneAggregate:
    """A join of aggregates of one frame becomes one aggregate of it. ``operator``: ``groupBy``; ``call``: the whole
    call of ``join``; ``frame``: the variable that holds the frame; ``keys``: in the order of the join; ``sides``: the
    calls that make the aggregates, in the order in which they are joined; ``gone``: statements that joined some of
    them, which go away."""

    operator: Literal["groupBy"]
    call: Span
    frame: str
    keys: tuple[str, ...]
    sides: tuple[Span, ...]
    gone: tuple[Span, ...] = ()


@dataclass(frozen=True)
class HandedBack:
    """Filters that a data source keeps are handed back to Spark. ``operator``: ``pushFilters``; ``call``: its name
    where it is defined. ``statements``: those in front of which one more stands, which hands one back; ``replaced``:
    what it returns, in the place of which all its filters are returned."""

    operator: str
    call: Span
    statements: tuple[Span, ...]
    replaced: tuple[Span, ...]


@dataclass(frozen=True)
class Ranged:
    """A conjunct of a filter, at ``call``, becomes a test of the bare column, or gets it ``beside`` it. ``operator``:
    the method of the filter, the whole call of which is ``filter``; ``before``: the conjunct in terms of the source."""

    operator: str
    call: Span
    filter: Span
    before: Expr
    after: Expr
    beside: bool


AnyChange = Union[Change, SmallerDemand, Uncached, OnePass, Ranked, Matched, OneAggregate, HandedBack, Ranged]
