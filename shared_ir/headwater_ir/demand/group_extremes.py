"""A column that holds the greatest or least value of its group, which one filter reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..assumptions import Assumption
from ..expr import Expr
from ..parts import Order, WindowColumn
from ..plan import Filter, Plan, Way, Window
from ..span import Span
from .kept_frames import Below


@dataclass(frozen=True)
class GroupExtreme:
    """A column ``name`` that holds the ``function`` (``max``, ``min``) of ``column`` in each group, made by ``window``,
    which ``filter`` alone reads. ``head``, ``given``, ``spec``: where the function, its argument and the window of
    ``value`` are written; ``call``: the whole call that makes the column; ``facts``: TRUE of ``column`` on every row.
    ``running``: the order of the window, of which each row sees those up to its own and its peers; None if it sees all.
    ``flag``: what says whether ``beside``, which is ``column``, equals the extreme, if ``name`` holds ``held`` where
    that is TRUE, and something else or nothing elsewhere. ``ways``:
    every way that the result of ``filter`` takes, None if not all are known; ``behind``: what alone reads that.
    ``unknown``: columns that are called by the expressions that name them, for the file does not tell their names;
    ``told``: the condition of ``filter`` has no model but with these; ``rank``: the column of the rank, if the file
    does not tell by what column it is ordered.
    """

    function: str
    column: str
    name: str
    window: Window
    filter: Filter
    head: Span
    given: Span
    value: Span
    spec: Span
    call: Span
    facts: tuple[Expr, ...] = ()
    running: Order | None = None
    flag: Span | None = None
    beside: Span | None = None
    held: bool | int | str = True
    ways: tuple[Way, ...] | None = field(default=None, compare=False)
    behind: Plan | None = None
    unknown: tuple[str, ...] = ()
    told: bool = False
    rank: WindowColumn | None = None


@dataclass(frozen=True)
class ExtremeCertificate:
    """The proof that the rows of a group whose ``column`` equals its ``function`` are those of rank ``rank`` in an
    order by it, if it is ``present``. ``running``: the function is of the rows up to each row and its peers in this
    order; None if it is of the group. ``keys``: the program joins the functions of the groups to the rows
    by these columns, and ``known_keys`` those of them that must have a value afterwards; ``below``: every operator that
    these rows are made by, for the program computes them twice."""

    version: int
    operator: str
    column: str
    order: Order
    rank: int
    present: bool
    assumptions: tuple[Assumption, ...] = ()
    running: Order | None = None
    keys: tuple[str, ...] = ()
    known_keys: tuple[str, ...] = ()
    below: tuple[Below, ...] = ()
