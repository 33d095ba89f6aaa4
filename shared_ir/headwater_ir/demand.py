"""What a program asks of the rows of a frame: the steps from the frame to each value that somebody looks at.

Spark's optimizer ends at a *wall*: a call that hands rows to the driver, to a Python function or to a cache. What is
done with them behind the wall is a ``Reading``: steps that each take a smaller part. A reading that ends in the middle,
because the value is printed, returned or given to code that is not known, demands all of what it has reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from .assumptions import Assumption
from .expr import CompareOp
from .parts import Schema
from .plan import Plan
from .span import Span


@dataclass(frozen=True)
class Limited:
    """Rows → the first ``count`` of them: ``limit``, ``head(n)``, ``take``, a slice or pandas' ``head``."""

    count: int


@dataclass(frozen=True)
class Selected:
    """Rows → the same rows with these columns alone, in this order."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Skipped:
    """Rows → those from the place ``start`` on, counted from 0."""

    start: int


@dataclass(frozen=True)
class Item:
    """Rows → the row at the place ``index``, counted from 0; an error if there are not so many."""

    index: int


@dataclass(frozen=True)
class Each:
    """Rows → each row by itself, in turn."""


@dataclass(frozen=True)
class Column:
    """A row → its value in the column of this name; rows → these values."""

    name: str


@dataclass(frozen=True)
class ColumnAt:
    """A row → its value in the column at this place, counted from 0."""

    index: int


@dataclass(frozen=True)
class Size:
    """Rows → how many there are."""


@dataclass(frozen=True)
class Test:
    """A number → whether it is less than, equal to … the number ``of``."""

    op: CompareOp
    of: int


@dataclass(frozen=True)
class Truth:
    """A number or rows → whether it is not 0, or there are any."""


@dataclass(frozen=True)
class Not:
    """A flag → its negation."""


@dataclass(frozen=True)
class Empty:
    """Rows → whether there are none: ``isEmpty()``, ``.empty``."""


Step = Union[Limited, Selected, Skipped, Item, Each, Column, ColumnAt, Size, Test, Truth, Not, Empty]
Reading = tuple[Step, ...]


@dataclass(frozen=True)
class Reader:
    """One value behind a wall that the program looks at. ``reading``: the steps from the frame to it; ``span``: the
    expression that it is, ``direct`` if that begins with the wall's own call, and not with a variable that holds its
    result. ``role``: the kind of statement that it decides on: ``assert``, ``raise`` (an ``if`` whose body does nothing
    but raise), ``while``, or empty. ``certain``: whenever the wall's call is evaluated, so is this expression, at least
    where there are rows."""

    reading: Reading
    span: Span
    direct: bool
    role: str = ""
    certain: bool = True


@dataclass(frozen=True)
class Wall:
    """One call that hands rows of a frame to the driver.

    ``operator``: ``collect``, ``toPandas``, ``count``, …; ``call``: the whole expression, ``receiver``: the frame in
    it, ``base``: that without the calls of ``limit`` and ``select`` at its end. ``plan``, ``schema``: of the frame.
    ``steps``: what these calls and the call itself do. ``readers``: every value that is looked at behind it.
    ``repeated``: it stands in a loop. ``rdd``: it is asked of ``frame.rdd``.
    """

    operator: str
    call: Span
    receiver: Span
    base: Span
    plan: Plan
    schema: Schema
    readers: tuple[Reader, ...]
    steps: Reading = ()
    repeated: bool = False
    rdd: bool = False


@dataclass(frozen=True)
class Claim:
    """Both readings of one frame give the same value wherever the first gives one; the first may fail where the second
    does not."""

    before: Reading
    after: Reading


@dataclass(frozen=True)
class DemandCertificate:
    """The proof that a smaller part of a frame is all that a program looks at: ``claims``, one for each reader."""

    version: int
    operator: str
    claims: tuple[Claim, ...]
    assumptions: tuple[Assumption, ...] = ()
