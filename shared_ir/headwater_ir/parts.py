"""What operators of a plan are made of besides other operators: schemas, conditions, places, orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .expr import Expr
from .span import Span
from .types import ANY, Type

JoinType = Literal["inner", "left", "right", "full", "semi", "anti"]
JoinSide = Literal["left", "right"]


@dataclass(frozen=True)
class Field:
    """A column of a frame, as far as the source states it. ``nullable`` False needs a stated reason
    (``Scan.origin``)."""

    name: str
    type: Type
    nullable: bool = True


@dataclass(frozen=True)
class Schema:
    """Columns of a frame. ``complete``: there are no others. ``rest``: the type of a source's columns that are not
    listed; ``others``: of some of these it is known to be another, if there are such columns."""

    fields: tuple[Field, ...]
    complete: bool = True
    rest: Type = ANY
    others: tuple[tuple[str, Type], ...] = ()

    def field(self, name: str) -> Field | None:
        """The field ``name``, if it is known."""
        return next((f for f in self.fields if f.name == name), None)

    def type_of(self, name: str) -> Type:
        """The type of the column ``name``; ANY where it is not known."""
        known = self.field(name)
        return known.type if known else dict(self.others).get(name, self.rest)


UNKNOWN_SCHEMA = Schema((), complete=False)


@dataclass(frozen=True)
class Conjunct:
    """One top-level conjunct of a filter as the user wrote it."""

    condition: Expr
    span: Span


@dataclass(frozen=True)
class Applied:
    """The method of an RDD that is given ``functions`` (or a zero value); ``method`` is empty for a plain function or
    class."""

    method: str
    functions: tuple[Span, ...]


@dataclass(frozen=True)
class UserCode:
    """The user's Python in a boundary and how Spark calls it, so that it can be run beside the fold.

    ``how``: ``udf``, ``udtf``, ``rdd``, ``tests`` (of the rows of an RDD; ``some tests`` where others have no model),
    ``condition`` (of a row on the driver; ``some condition`` likewise; the step is named by the variable that holds the
    row, behind ``not`` where a row is kept that does not pass; where more is asked, the whole condition follows, in
    terms of the row), ``masks`` (of a frame of the driver's; ``some masks``
    likewise),
    ``series`` (to one value of a group), ``pandas_udf`` (to a value of each row), or the method that it is handed to.
    ``source``: the columns of the frame; ``ordered``: all of them, in their order. ``arguments``: what a UDF is called
    with. ``outputs``: the names of the outputs of the fold that it makes, in order; empty for all of them. ``keys``:
    the columns that the group is made by, in order; ``required``: the outputs that are declared NOT NULL.
    """

    how: str
    steps: tuple[Applied, ...]
    source: Schema
    ordered: bool = False
    arguments: tuple[Expr, ...] = ()
    outputs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


def user_code(how: str, function: Span, source: Schema, **more: Any) -> tuple[UserCode, ...]:
    """The code of a boundary that is one function or class."""
    return (UserCode(how, (Applied("", (function,)),), source, **more),)


@dataclass(frozen=True)
class Boundary:
    """What every boundary knows of its place: ``operator`` (``applyInPandas``, ``agg``, ``udf`` …), ``function`` its
    Python function's name if any, ``span`` of the call, ``insert_at`` the offset behind the receiver, where
    ``.filter(…)`` may be inserted. ``function_span``: the definition of the Python function. ``in_argument``: the
    receiver is an argument of a call, and stands inside its parentheses. ``in_filter``: the function is called in the
    condition of the filter above it. ``sql_argument``: the table or query in SQL text that the function is given, into
    which the pre-filter goes. ``sql_where``: the condition of the WHERE clause that it joins, or the empty span where
    that clause would stand; ``sql_tables``: by the name of a column, that of its table, which the text needs to tell it
    from others. ``code``: the user's Python in it."""

    operator: str
    function: str | None
    span: Span
    insert_at: int
    function_span: Span | None = None
    in_argument: bool = False
    in_filter: bool = False
    sql_argument: Span | None = None
    sql_where: Span | None = None
    sql_tables: tuple[tuple[str, str], ...] = ()
    code: tuple[UserCode, ...] = field(default=(), hash=False)


@dataclass(frozen=True)
class Order:
    """An order by ``column`` of the child first, whatever comes after it. NaN is greater than all numbers."""

    column: str
    descending: bool
    nulls_first: bool


@dataclass(frozen=True)
class WindowColumn:
    """A column that looks at other rows. ``partition``: the columns of the child that it is partitioned by, those of
    all its windows; None if they are not known. ``running``: in this order its value depends on no row of the partition
    behind the row itself and its peers; None if that is not known. ``computed``: what else all
    its windows are partitioned by, in terms of the child. ``of_bag``: its value is a function of the row and the bag of
    the rows of the child, whatever order rows have that are equal in the order of the window."""

    name: str
    partition: tuple[str, ...] | None
    running: Order | None = None
    computed: tuple[Expr, ...] = ()
    of_bag: bool = False


@dataclass(frozen=True)
class Spelling:
    """How this file spells things, for rewrites that look like the user's own code.

    ``functions``: name bound to ``pyspark.sql.functions`` (``F``), or None. ``col``: name bound to ``functions.col``,
    or None. ``imported``: other functions of that module → the names that they are imported by.
    """

    functions: str | None
    col: str | None
    imported: tuple[tuple[str, str], ...] = ()
