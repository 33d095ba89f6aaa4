"""What is found of the uses of frames: calls that keep, join or rank rows, and frames of which a use is not known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from headwater_ir.demand import FrameUses, KeyPair
from headwater_ir.expr import Expr
from headwater_ir.plan import (
    Cache,
    Filter,
    Join,
    Order,
    Plan,
    Window,
    WindowColumn,
)
from headwater_ir.span import Span

from .tracked_values import TrackedFrame


@dataclass(frozen=True)
class Site:
    """Where a variable is read, or where a call makes a frame. ``how``: in what way other than by the expression
    ``node`` of the scope; ``name``: of the variable; ``around``: what an expression is a part of."""

    how: Literal["", "inside", "again", "ways", "elsewhere"]
    name: str
    node: ast.AST | None = None
    around: Callable[[ast.AST], ast.AST | None] | None = None


class Unlisted(NamedTuple):
    """A frame of which some use is not known. ``idents``: the variables that hold it; ``call``: what made it."""

    plan: Plan
    idents: tuple[int, ...]
    call: Site | None


class MadeBy(NamedTuple):
    """An operator, and the ``call`` that writes it; None if that is not known, or more than one."""

    plan: Plan
    call: Site | None


class Graph(NamedTuple):
    """What is made of a frame, and by what; ``unlisted``: the first of these of which not every use is known."""

    uses: tuple[FrameUses, ...]
    made_by: tuple[MadeBy, ...]
    unlisted: Unlisted | None


class Kept(NamedTuple):
    """A call that keeps rows. ``frame``: what is kept, as every reader of it knows it; ``plan``: of the result."""

    frame: Plan
    plan: Cache
    call: Span
    receiver: Span
    repeated: bool


class Joined(NamedTuple):
    """A call of ``join`` that compares ``keys`` of ``left`` and ``right``; the rest as in ``PlainJoin``. ``same_rows``:
    whoever reads the sides."""

    plan: Join
    call: Span
    how: Span | None
    last: Span
    keyword: bool
    keys: tuple[KeyPair, ...]
    left: TrackedFrame
    right: TrackedFrame
    whole: bool
    same_rows: str | None


class Tested(NamedTuple):
    """A filter on the frame ``joined`` that asks for a column of its right side to be NULL; as in ``NullTest``."""

    joined: Join
    filter: Filter
    call: Span
    receiver: Span
    column: str
    never_null: bool


class Extreme(NamedTuple):
    """A column that holds the ``function`` of ``column`` over a window, or whether one equals it; as in
    ``GroupExtreme``. ``unknown``: by what expressions columns are named that the file does not tell, and which
    assignments these read; ``rank``: as in ``GroupExtreme``."""

    plan: Window
    function: str
    column: str
    head: Span
    given: Span
    value: Span
    spec: Span
    call: Span
    facts: tuple[Expr, ...]
    running: Order | None
    flag: Span | None
    beside: Span | None
    held: bool | int | str
    unknown: Mapping[str, int]
    rank: WindowColumn | None


class Asked(NamedTuple):
    """What ``filter`` asks for if columns are called by the expressions ``unknown`` that name them: ``known``."""

    filter: Filter
    known: Filter
    unknown: Mapping[str, int]
