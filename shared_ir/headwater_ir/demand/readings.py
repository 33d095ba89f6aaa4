"""What a program asks of the rows of a frame: the steps from the frame to each value that somebody looks at.

Spark's optimizer ends at a *wall*: a call that hands rows to the driver, to a Python function or to a cache. What is
done with them behind the wall is a ``Reading``: steps that each take a smaller part. A reading that ends in the middle,
because the value is printed, returned or given to code that is not known, demands all of what it has reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ..assumptions import Assumption
from ..expr import CompareOp
from ..parts import Schema
from ..plan import Plan
from ..span import Span


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
    """Rows or values → the one at the place ``index``, counted from 0; an error if there are not so many."""

    index: int


@dataclass(frozen=True)
class Each:
    """Rows → each row by itself, in turn."""


@dataclass(frozen=True)
class Column:
    """A row → its value in the column of this name; rows → these values."""

    name: str


@dataclass(frozen=True)
class ColumnBy:
    """A row → its value in the column whose name ``variable`` holds; rows → these values."""

    variable: str


@dataclass(frozen=True)
class SelectedBy:
    """Rows → the same rows with these columns and those whose names ``variables`` hold, each of them once, in an order
    that is not known."""

    columns: tuple[str, ...]
    variables: tuple[str, ...]


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


SQL = "sql "
"""What the text of a condition begins with that is written in SQL."""


@dataclass(frozen=True)
class Where:
    """Rows → those for which each of ``conditions`` is TRUE. A condition is known by its text, in which functions of
    Spark's have their own names: one text means one function of a row."""

    conditions: tuple[str, ...]


@dataclass(frozen=True)
class AnyOf:
    """Rows → those for which all conditions of one of ``alternatives`` are TRUE, as ``Where`` has them."""

    alternatives: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Different:
    """Rows → the different ones among what they have in ``columns``, where NULL is a value like others. A column is
    told by its text as a condition is."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Counted:
    """How many rows there are, for which each of ``conditions`` is TRUE."""

    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folded:
    """Any function of a bag of rows, told by its text as a condition is, of those for which each of ``conditions`` is
    TRUE."""

    text: str
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kinds:
    """How many different rows there are in ``columns``, as ``Different`` has them, for which each of ``conditions`` is
    TRUE."""

    columns: tuple[str, ...]
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class AsRow:
    """The row that ``Measured`` gives, as one value: a struct."""

    measures: tuple[Measure, ...]
    names: tuple[str, ...]

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those of all measures."""
        return tuple(c for m in self.measures for c in m.conditions)


Measure = Union[Counted, Folded, Kinds, AsRow]


@dataclass(frozen=True)
class Measured:
    """Rows → one row with the values of ``measures``, in this order. ``names``: those of its columns, if they are known
    and the row itself is looked at."""

    measures: tuple[Measure, ...]
    names: tuple[str, ...] | None = None


Step = Union[
    Limited, Selected, SelectedBy, Skipped, Item, Each, Column, ColumnBy, ColumnAt, Size, Test, Truth, Not, Empty,
    Where, AnyOf, Different, Measured
]  # fmt: skip


Reading = tuple[Step, ...]


@dataclass(frozen=True)
class Reader:
    """One value behind a wall that the program looks at. ``reading``: the steps from the frame to it; ``span``: the
    expression that it is, ``direct`` if that begins with the wall's own call, and not with a variable that holds its
    result. ``role``: the kind of statement that it decides on: ``assert`` (an error unless it is true), ``raise`` (an
    ``if`` whose body raises), ``while``, ``noted`` (kept or handed over beside a label), or empty. ``certain``:
    whenever the wall's call is evaluated, so is this expression, at least where there are rows, and it reads a
    column."""

    reading: Reading
    span: Span
    direct: bool
    role: str = ""
    certain: bool = True


BY_ROW = ("map", "flatMap")
"""The walls that are methods of an RDD, and hand each row to a function."""


@dataclass(frozen=True)
class Wall:
    """One call that hands rows of a frame to the driver.

    ``operator``: ``collect``, ``toPandas``, ``count``, …; ``call``: the whole expression, ``receiver``: the frame in
    it, ``base``: that without the calls of ``limit`` and ``select`` at its end. ``plan``, ``schema``: of the frame.
    ``steps``: what these calls and the call itself do. ``readers``: every value that is looked at behind it.
    ``repeated``: it stands in a loop. ``rdd``: it is asked of ``frame.rdd``. ``again``: the value of
    another call that is spelled like it is used in the scope. ``kept``: the frame is in a variable that is cached
    somewhere. ``assumed``: what
    makes that a frame, where the program does not; ``guessed``: nothing does but what its methods are called.
    ``unseen``: the frames in ``plan``, in words, of which the file does not say what makes them, ``handed_in``:
    what it is given that may be columns of other code. ``or_lists``: the variables in ``readers`` that may as well
    hold a list of names.
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
    again: bool = False
    kept: bool = False
    assumed: tuple[Assumption, ...] = ()
    guessed: bool = False
    unseen: tuple[str, ...] = ()
    handed_in: tuple[str, ...] = ()
    or_lists: frozenset[str] = frozenset()


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
