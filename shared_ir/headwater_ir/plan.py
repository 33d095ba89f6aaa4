"""Plans: the DAG of operators that a piece of PySpark source builds.

Conditions and projected values are ``Expr`` in the sql dialect whose ``Col`` names a column of the *child's* output.
A node that has no model is ``Opaque`` and stops every filter (ARCHITECTURE.md: default is refusal).
All nodes stand in this module, since each refers to ``Plan``, the union of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Union

from .expr import CompareOp, Expr
from .native import real_column
from .parts import UNKNOWN_SCHEMA as UNKNOWN_SCHEMA
from .parts import Applied as Applied
from .parts import Boundary as Boundary
from .parts import Conjunct as Conjunct
from .parts import Field as Field
from .parts import JoinSide as JoinSide
from .parts import JoinType as JoinType
from .parts import Order as Order
from .parts import Schema as Schema
from .parts import Spelling as Spelling
from .parts import UserCode as UserCode
from .parts import WindowColumn as WindowColumn
from .parts import user_code as user_code
from .problem import Fold
from .span import Span
from .types import ANY, Type
from .verdict import Obstruction


def _require(holds: bool, rule: str) -> None:
    """ValueError where a node breaks ``rule``: an operator above it may rely on that."""
    if not holds:
        raise ValueError(rule)


@dataclass(frozen=True)
class Scan:
    """A source: a read, a table, ``createDataFrame``, a function's parameter. ``origin`` says in words whence the
    schema is known; ``format`` is ``parquet``, ``csv``, ``memory``, ``table``, … or ``unknown``; ``stated``:
    the table or path of which the user has stated the schema; ``partitions``: columns that are known to be directories;
    ``pushes``: nobody has told the source not to evaluate filters; ``data``: what the schema is taken from, if it is
    data files, and ``rows``: how many rows they have."""

    origin: str
    format: str
    schema: Schema
    span: Span
    stated: str | None = None
    partitions: tuple[str, ...] = ()
    pushes: bool = True
    data: str | None = None
    rows: int | None = None


@dataclass(frozen=True)
class Way:
    """One way that the result of an operator takes: the ``operators`` on it, first one first, to where its rows are
    written, collected, or kept in a variable that nobody reads. ``leaves``: they are returned to code that is not here.
    ``end``: the method that asks for them, ``write.`` in front of one that writes; ``dropped`` where they are the value
    of a statement; empty where nobody does.
    """

    operators: tuple[Plan, ...]
    leaves: bool = False
    end: str = ""


@dataclass(frozen=True)
class Filter:
    """``child.filter(condition)``.

    ``call``: from the dot to the closing parenthesis; ``condition``: the argument. ``style``: how the condition is
    spelled: Column expressions, or one SQL string (then the conjuncts' spans lie inside the literal if it is a plain
    one-line literal, and equal ``condition`` otherwise), or a Python function over the elements of an RDD, or one that
    the driver asks of each row (``call`` is the condition then). ``unread``:
    why the condition has further conjuncts that have no model, though each is a deterministic function of the
    row. ``ways``: every way that its result takes; None if not all are known. ``native``: the same filter above a
    ``RowUdf`` of the Python functions that its condition calls, if they have a meaning here. ``reads``: of a condition
    without any meaning, columns that it reads for certain, perhaps among others.
    """

    child: Plan
    conjuncts: tuple[Conjunct, ...]
    call: Span
    condition: Span
    style: Literal["column", "sql", "python", "driver"]
    unread: str | None = None
    ways: tuple[Way, ...] | None = field(default=None, compare=False, repr=False)
    native: Filter | None = field(default=None, compare=False, repr=False)
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Project:
    """``select`` / ``withColumn`` / ``withColumnRenamed`` / ``drop`` with native expressions.

    ``columns``: name and value of each column that it defines; ``keeps_others``: columns not named in ``columns`` or
    ``dropped`` pass through.
    """

    child: Plan
    columns: tuple[tuple[str, Expr], ...]
    keeps_others: bool
    dropped: tuple[str, ...]
    span: Span

    def __post_init__(self) -> None:
        names = [name for name, _ in self.columns]
        _require(len({*names}) == len(names), "a projection defines each column once")
        _require(not {*names} & {*self.dropped}, "a column is defined or dropped")


@dataclass(frozen=True)
class RowUdf:
    """A column computed by a Python function, row by row; other columns pass through. ``fold.rows`` is ``"one"``."""

    child: Plan
    fold: Fold
    boundary: Boundary

    def __post_init__(self) -> None:
        _require(self.fold.rows == "one", "a row function makes one row of each")


@dataclass(frozen=True)
class Aggregate:
    """Native ``groupBy(keys).agg(…)`` or a global ``agg``; ``fold.merge`` is present, for Spark merges partial
    states."""

    child: Plan
    fold: Fold
    boundary: Boundary

    def __post_init__(self) -> None:
        _require(self.fold.rows == "many", "an aggregate makes one row of a group")


@dataclass(frozen=True)
class GroupMap:
    """``groupBy(keys).applyInPandas(f, schema)`` with a function that returns at most one row per group, or treats each
    row by itself, a UDTF class over a partitioned table argument with at most one row per partition (no key: all rows
    are one partition), or a fold of a key-value RDD with Python functions, one element per key.

    ``whole``: where ``fold`` is of single rows, the fold of whole groups, which says of their keys what it does.

    ``right``: the other frame of a ``cogroup``; a pre-filter, which can only be one of keys, goes to both. ``beside``:
    the empty span where it goes to that one, in which the keys are called as ``renamed`` says.
    """

    child: Plan
    fold: Fold
    boundary: Boundary
    right: Plan | None = None
    beside: Span | None = None
    renamed: tuple[tuple[str, str], ...] = ()
    whole: Fold | None = None

    def __post_init__(self) -> None:
        _require(self.whole is None or self.fold.rows == "one", "a second fold is that of the groups of single rows")
        _require((self.right is None) == (self.beside is None), "a second frame has a place for its pre-filter")
        _require(not self.renamed or self.right is not None, "keys are renamed for a second frame")


@dataclass(frozen=True)
class Sort:
    """``orderBy`` / ``sort``, not fused with a limit. ``by``: the columns that it sorts by; None if they are not
    known. ``order``: the order that all rows stand in; None if that of a column is not known, or each partition has its
    own."""

    child: Plan
    span: Span
    by: tuple[str, ...] | None = None
    order: Order | None = None


@dataclass(frozen=True)
class Limit:
    """``limit``, ``offset``, ``tail``, also fused with a sort below it: which rows it keeps depends on how many there
    are. ``order``: the one that the rows stand in from which it takes or drops the first; None if there is none. Then
    it is a boundary to filters on the column that they are ordered by; ``facts`` are TRUE on every row of the child."""

    child: Plan
    operator: str
    span: Span
    order: Order | None = None
    boundary: Boundary | None = None
    facts: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        _require(self.order is None or self.operator != "tail", "the last rows are no prefix of an order")
        _require(self.boundary is None or self.order is not None, "a boundary takes the first of an order")


@dataclass(frozen=True)
class Sample:
    """``sample``, ``sampleBy``: rows drawn by a generator that advances from row to row."""

    child: Plan
    operator: str
    span: Span


@dataclass(frozen=True)
class Distinct:
    """``distinct()``: one of each row."""

    child: Plan
    span: Span


@dataclass(frozen=True)
class DropDuplicates:
    """``dropDuplicates(keys)``: some row for each value of ``keys``; None if they are not known."""

    child: Plan
    keys: tuple[str, ...] | None
    span: Span


@dataclass(frozen=True)
class GroupingSets:
    """``rollup``, ``cube``, ``groupingSets`` with their aggregates."""

    child: Plan
    operator: str
    span: Span


@dataclass(frozen=True)
class Pivot:
    """``groupBy(keys).pivot(column, values)`` with its aggregates. ``listed``: the values are given; if not, the rows
    say which there are."""

    child: Plan
    keys: tuple[str, ...]
    listed: bool
    span: Span


@dataclass(frozen=True)
class Window:
    """A projection as ``Project``, of which ``windows`` are columns made by window functions. ``columns`` are read from
    the child, as everything in one projection is. A boundary to filters on the column that all of them are ordered by;
    ``facts`` are TRUE on every row of the child."""

    child: Plan
    windows: tuple[WindowColumn, ...]
    columns: tuple[tuple[str, Expr], ...]
    keeps_others: bool
    span: Span
    boundary: Boundary | None = None
    facts: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        names = [*(w.name for w in self.windows), *(name for name, _ in self.columns)]
        _require(bool(self.windows), "a window has columns of window functions")
        _require(len({*names}) == len(names), "a projection defines each column once")

    @property
    def order(self) -> Order | None:
        """The order that all windows run in, if it is one."""
        orders = {w.running for w in self.windows}
        return orders.pop() if len(orders) == 1 else None


@dataclass(frozen=True)
class Explode:
    """``explode`` and its kin: for each row as many as its array has elements. ``made``: the columns that it makes; all
    others pass through.

    Where ``explode`` is called of an array or map that is written out at ``argument``, it is a boundary: what a filter
    says of an element can be said inside the argument. ``element``: the type of the elements of an array. ``outer``: a
    row without elements makes one row, with NULL in their place. ``placed``: the first of the columns made is the place
    of the element; then all that can be said of an array is that one of its elements may pass. ``varies``: the array
    may be more than a function of its row; then nothing may be said of rows.

    ``arms``: for ``unpivot``, the values of the columns made in each of the rows that one row makes, in terms of the
    child, of which ``facts`` are TRUE.
    """

    child: Plan
    made: tuple[str, ...]
    span: Span
    boundary: Boundary | None = None
    argument: Span | None = None
    element: Type = ANY
    outer: bool = False
    placed: bool = False
    varies: bool = False
    arms: tuple[tuple[tuple[str, Expr], ...], ...] = ()
    facts: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        _require(bool(self.made), "a generator makes columns")
        _require(not self.placed or len(self.made) > 1, "a place stands beside an element")
        for arm in self.arms:
            _require({name for name, _ in arm} == {*self.made}, "each row of an unpivot has all columns made")

    def makes(self, column: str) -> bool:
        """Whether ``column`` is one that is made here, a field ``x.f`` of one, or what Spark computes of one."""
        of = real_column(column)
        return (column.partition(".")[0] if of == column else of) in self.made


@dataclass(frozen=True)
class UnionAll:
    """``union`` and ``unionByName``: the rows of both.

    ``by_name``: columns of one name are one column; else those at one place, and ``right_names`` says what the right
    side calls each column of the left one, None if that is not known. ``may_miss``: a column may be missing on a side.
    ``types``: of the columns of ``right_names``, those that both sides have, ANY or OPAQUE where they differ.
    """

    left: Plan
    right: Plan
    operator: str
    span: Span
    by_name: bool = False
    right_names: tuple[tuple[str, str], ...] | None = None
    may_miss: bool = False
    types: tuple[Type, ...] = ()


@dataclass(frozen=True)
class SetOperation:
    """``intersect``, ``intersectAll``, ``subtract``, ``exceptAll``: the rows of the left side that are among those of
    the right one, or are not, with their numbers or once. ``right_names``, ``types``: as in ``UnionAll``."""

    left: Plan
    right: Plan
    operator: str
    span: Span
    right_names: tuple[tuple[str, str], ...] | None = None
    types: tuple[Type, ...] = ()


@dataclass(frozen=True)
class Join:
    """``left.join(right, on, how)``; a cross join is an inner one.

    ``using``: names of key columns that both sides share and the result has once. ``left_columns``, ``right_columns``:
    all columns of each side; None if they are not known. ``equal``: of the ON clause, columns of the left side and of
    the right one that are equal, NULL perhaps among them, in rows that meet. ``ordered``: those of which one is less or
    greater than the other. ``called``: names of frames below by which columns can be told (``a.x``), the side that each
    is on, and whether the column is plainly ``x`` there, or ``a.x`` as well.
    """

    left: Plan
    right: Plan
    how: JoinType
    using: tuple[str, ...]
    left_columns: tuple[str, ...] | None
    right_columns: tuple[str, ...] | None
    span: Span
    equal: tuple[tuple[str, str], ...] = ()
    ordered: tuple[tuple[str, CompareOp, str], ...] = ()
    called: tuple[tuple[str, JoinSide, bool], ...] = ()


@dataclass(frozen=True)
class JoinInput:
    """One input of a join, seen from the join's ON clause: what a conjunct of that clause which reads only this side
    filters."""

    child: Plan
    how: JoinType
    side: Literal["left", "right"]
    span: Span


@dataclass(frozen=True)
class Cache:
    """``cache``, ``persist``, ``checkpoint``: rows that are kept, for whoever asks next."""

    child: Plan
    operator: str
    span: Span


@dataclass(frozen=True)
class Shared:
    """A frame with ``consumers`` > 1 consumers: what one of them filters, the others still need. ``filters``: all of
    them, if each is a filter and nothing else."""

    child: Plan
    consumers: int
    span: Span
    filters: tuple[Filter, ...] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        _require(self.consumers > 1, "a shared frame has more than one consumer")


@dataclass(frozen=True)
class Watermark:
    """``withWatermark(column, delay)``: the same rows; of a stream, how long it waits for late ones."""

    child: Plan
    column: str
    span: Span


@dataclass(frozen=True)
class View:
    """What is read under the name of the temporary view ``name``: the rows of ``child``, which the program has
    registered."""

    child: Plan
    name: str
    span: Span


Cause = Literal[
    "stream", "loop", "columns", "no sessions", "row by row", "filter", "pure functions", "no effects",
    "other functions", "few rows",
]  # fmt: skip
"""What an ``Opaque`` node may bring along that an operator above it must know: rows of a stream; rows that a loop made
of rows of the same frame; columns that may be session windows, which an aggregation by them merges, unless ``no
sessions`` is there, too: no way to the frame makes one, if no source has one. ``row by row`` is good news: each of its
rows is made of one row below it, in the same order, and by Spark's own functions alone; so is ``filter``: it keeps some
of the rows as they are, and ``pure functions``: it makes each row of one, by functions of Spark's and UDFs of the file
that have no side effect. ``no effects``: whatever rows it makes, it calls nothing that has one. ``other functions``:
nothing shows that one has a side effect. ``few rows``: whatever the data."""


@dataclass(frozen=True)
class Opaque:
    """Anything else, with the reason in words for HW901. ``makes``: with the cause ``columns``, the names of the
    columns that are made; None for any. ``chosen``: its columns are those of its input with these names, and
    with those that the variables in ``chosen_by`` hold, of which there is one at least."""

    child: Plan | None
    obstruction: Obstruction
    reason: str
    span: Span
    causes: frozenset[Cause] = frozenset()
    makes: frozenset[str] | None = None
    chosen: tuple[str, ...] = ()
    chosen_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require(self.makes is None or "columns" in self.causes, "only the cause `columns` makes columns")


Plan = Union[
    Scan, Filter, Project, RowUdf, Aggregate, GroupMap, Sort, Limit, Sample, Distinct, DropDuplicates, GroupingSets,
    Pivot, Window, Explode, UnionAll, SetOperation, Join, JoinInput, Cache, Shared, Watermark, View, Opaque,
]  # fmt: skip
PLAN_NODES: tuple[type, ...] = Plan.__args__  # type: ignore[attr-defined]
