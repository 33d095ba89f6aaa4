"""A join that only keeps or drops rows of its left side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..assumptions import Assumption
from ..plan import Filter, Join, Plan, Project, Way
from ..span import Span
from .kept_frames import Below

KeyType = Literal["same", "different", "unknown"]


@dataclass(frozen=True)
class KeyPair:
    """Columns of the left and the right side of a join that ``==`` compares, and whether their types are the same."""

    left: str
    right: str
    types: KeyType


@dataclass(frozen=True)
class NullTest:
    """A filter right above a join that keeps the rows in which ``column``, of the right side, is NULL. ``call``: the
    whole expression, ``receiver``: the frame in it; ``never_null``: no row of the right side has NULL there."""

    call: Span
    receiver: Span
    filter: Filter
    column: str
    never_null: bool


@dataclass(frozen=True)
class PlainJoin:
    """A call of ``join``. ``call``: the whole expression; ``how``: its join type, None if it has none; ``last``: its
    last argument, and ``keyword`` whether that is given by name. ``keys``: what ``==`` compares; ``test``: the one
    filter that reads it, if it is a test for rows without a match; ``behind``: the projection that alone reads the
    result; ``by_name``: all that is made of the result is known, and reads its columns by their names: ``read`` above
    ``behind``, as far up as a name reaches, and ``made`` there. ``unclear``: calls among that of which it is only
    known that they may keep whole rows, or make columns of them. ``forgiving``: one of each row is kept further on,
    however often it is there.
    ``whole``: nothing but ``keys`` is compared, and the right side is an aggregate, its columns renamed perhaps; then
    ``below`` are the names of the operators that make the left side, as ``KeptFrame`` has them. ``reader``: the filter
    that alone reads the join; ``ways``: every way of its result, or of the join's, None if not all are known;
    ``last_reader``: what alone reads that; ``described``: the names of columns are looked at there. ``elsewhere``: what
    is known of the uses of the result reads columns by their names, but there may be others. ``same_rows``: the
    variable that holds, at the call, the frame of which both sides are made by groups, each of which this join alone
    reads.
    """

    call: Span
    join: Join
    how: Span | None
    last: Span
    keyword: bool
    keys: tuple[KeyPair, ...]
    test: NullTest | None
    behind: Project | None
    by_name: bool
    read: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    unclear: tuple[Span, ...] = ()
    forgiving: bool = False
    whole: bool = False
    reader: Filter | None = None
    ways: tuple[Way, ...] | None = field(default=None, compare=False)
    last_reader: Plan | None = None
    described: bool = False
    below: tuple[str, ...] = ()
    elsewhere: bool = False
    same_rows: str | None = None


@dataclass(frozen=True)
class MatchCertificate:
    """The proof that a semi or anti join gives the rows of a join of another type.

    ``operator``: ``semi`` or ``anti``; ``keys``: the columns of the right side that must be equal to those of the left
    one; ``unique``: columns of which no two rows of the right side have the same values, none if that is not needed;
    ``tested``: the column of the right side that is NULL in the rows that are kept, and ``never_null`` whether it never
    is in the right side; ``unread``: columns of the right side in the result that nobody reads; ``read``: those that
    somebody reads. ``forgiving``: how often a row of the left side is kept matters to nobody, but whether it is.
    """

    version: int
    operator: Literal["semi", "anti"]
    keys: tuple[str, ...]
    unique: tuple[str, ...] = ()
    tested: str | None = None
    never_null: bool = False
    unread: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    forgiving: bool = False


@dataclass(frozen=True)
class GroupsCertificate:
    """The proof that one aggregate of a frame by ``keys`` gives the rows of an inner join on ``keys`` of ``sides``
    aggregates of that frame by them. ``known_keys``: those of the keys that must have a value afterwards; ``below``:
    every operator that the aggregates are made by, for the program computes them several times."""

    version: int
    operator: Literal["groupBy"]
    keys: tuple[str, ...]
    known_keys: tuple[str, ...]
    sides: int
    below: tuple[Below, ...]
    assumptions: tuple[Assumption, ...] = ()
