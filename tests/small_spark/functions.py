"""What stands for ``pyspark.sql.functions``."""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable
from typing import Any

from . import sql
from .column import GROUP, Column, Row, Schema, Typed, as_column, case, cast, col, lit, pointwise
from .elements import (
    array,
    create_map,
    exists,
    explode,
    explode_outer,
    filter,
    forall,
    map_filter,
    posexplode,
    posexplode_outer,
    sequence,
    split,
    struct,
)
from .scalars import SparkError, checked, order
from .series import columnwise
from .transfer import from_udf, pandas_value, series
from .unread import broadcast, format_string, levenshtein, octet_length, pmod, soundex
from .window import dense_rank, lag, lead, rank, row_number

__all__ = [
    "array", "broadcast", "col", "create_map", "dense_rank", "exists", "explode", "explode_outer", "filter",
    "forall", "format_string", "lag", "lead", "levenshtein", "lit", "map_filter", "octet_length", "pmod", "posexplode",
    "posexplode_outer", "rank", "row_number", "sequence", "soundex", "split", "struct",
]  # fmt: skip


def column(value: Any) -> Column:
    """An argument that may be a column's name."""
    return col(value) if isinstance(value, str) else as_column(value)


def expr(text: str) -> Column:
    return sql.read(text)


def when(condition: Column, value: Any) -> Column:
    return case(((condition, as_column(value)),), lit(None))


def isnan(value: Any) -> Column:
    return column(value).isNaN()


def isnull(value: Any) -> Column:
    return column(value).isNull()


def isnotnull(value: Any) -> Column:
    return column(value).isNotNull()


def coalesce(*values: Any) -> Column:
    first, *rest = map(column, values)
    return case(((first.isNotNull(), first),), coalesce(*rest)) if rest else first


def desc(value: Any) -> Column:
    return column(value).desc()


def asc(value: Any) -> Column:
    return column(value).asc()


def asc_nulls_last(value: Any) -> Column:
    return column(value).asc_nulls_last()


def desc_nulls_first(value: Any) -> Column:
    return column(value).desc_nulls_first()


def upper(value: Any) -> Column:
    return pointwise(lambda v: v and v.upper(), "string", column(value))


def lower(value: Any) -> Column:
    return pointwise(lambda v: v and v.lower(), "string", column(value))


def length(value: Any) -> Column:
    return pointwise(lambda v: None if v is None else len(v), "int", column(value))


def trim(value: Any) -> Column:
    return pointwise(lambda v: v and v.strip(" "), "string", column(value))


def _part(field: str) -> Callable[[Any], Column]:
    return lambda value: pointwise(lambda v: None if v is None else getattr(v, field), "int", column(value))


year, month, dayofmonth = map(_part, ("year", "month", "day"))
day = dayofmonth


def weekday(value: Any) -> Column:
    return pointwise(lambda v: None if v is None else v.weekday(), "int", column(value))


def dayofweek(value: Any) -> Column:
    return pointwise(lambda v: None if v is None else v.isoweekday() % 7 + 1, "int", column(value))


def date_add(value: Any, days: int) -> Column:
    return pointwise(lambda v: None if v is None else v + dt.timedelta(days), "date", column(value))


def to_date(value: Any) -> Column:
    return cast(column(value), "date")


# --- aggregates


def _aggregate(result: Callable[[list[tuple[Any, ...]], str], Any], kind: str | None, *given: Any) -> Column:
    """An aggregate; ``result`` is of the values of the arguments per row, and of the first one's type."""
    columns = tuple(map(column, given))

    def resolve(schema: Schema) -> Typed:
        inner = [c.resolve(schema) for c in columns]
        own = inner[0].type if inner else "void"

        def value(row: Row) -> Any:
            return result([tuple(t.value(r) for t in inner) for r in row[GROUP]], own)

        return Typed(kind or own, value)

    return Column(resolve)


def _present(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [r[0] for r in rows if r[0] is not None]


def max(value: Any) -> Column:
    return _aggregate(lambda rows, _: _best(_present(rows), 1), None, value)


def min(value: Any) -> Column:
    return _aggregate(lambda rows, _: _best(_present(rows), -1), None, value)


def _best(values: list[Any], sign: int) -> Any:
    found = None
    for v in values:
        if found is None or (order(v) > order(found) if sign > 0 else order(v) < order(found)):
            found = v
    return found


def sum(value: Any) -> Column:
    def resolve(schema: Schema) -> Typed:
        kind = "double" if column(value).resolve(schema).type == "double" else "bigint"
        return _aggregate(lambda rows, _: _total(_present(rows), kind), kind, value).resolve(schema)

    return Column(resolve)


def _total(values: list[Any], kind: str) -> Any:
    if not values:
        return None
    total = values[0] if kind == "bigint" else 0.0 + values[0]
    for v in values[1:]:
        total = checked(total + v, kind)
    return total


def avg(value: Any) -> Column:
    def result(rows: list[tuple[Any, ...]], _: str) -> Any:
        values = _present(rows)
        total = 0.0
        for v in values:
            total += v
        return total / len(values) if values else None

    return _aggregate(result, "double", value)


mean = avg


def count(value: Any) -> Column:
    if isinstance(value, str) and value == "*":
        value = lit(1)
    return _aggregate(lambda rows, _: len(_present(rows)), "bigint", value)


def count_if(value: Any) -> Column:
    return _aggregate(lambda rows, _: len([r for r in rows if r[0] is True]), "bigint", value)


def bool_or(value: Any) -> Column:
    return _aggregate(lambda rows, _: any(_present(rows)) if _present(rows) else None, "boolean", value)


def bool_and(value: Any) -> Column:
    return _aggregate(lambda rows, _: all(_present(rows)) if _present(rows) else None, "boolean", value)


some = bool_or
every = bool_and


def max_by(value: Any, by: Any) -> Column:
    return _aggregate(lambda rows, _: _picked(rows, 1), None, value, by)


def min_by(value: Any, by: Any) -> Column:
    return _aggregate(lambda rows, _: _picked(rows, -1), None, value, by)


def _picked(rows: list[tuple[Any, ...]], sign: int) -> Any:
    found: tuple[Any, ...] | None = None
    for row in rows:
        if row[1] is None:
            continue
        if found is None or (order(row[1]) >= order(found[1]) if sign > 0 else order(row[1]) <= order(found[1])):
            found = row
    return found[0] if found else None


def first(value: Any, ignorenulls: bool = False) -> Column:
    def result(rows: list[tuple[Any, ...]], _: str) -> Any:
        return next((r[0] for r in rows if not (ignorenulls and r[0] is None)), None)

    return _aggregate(result, None, value)


def last(value: Any, ignorenulls: bool = False) -> Column:
    def result(rows: list[tuple[Any, ...]], _: str) -> Any:
        return next((r[0] for r in reversed(rows) if not (ignorenulls and r[0] is None)), None)

    return _aggregate(result, None, value)


def any_value(value: Any, ignoreNulls: bool = False) -> Column:
    return first(value, ignoreNulls)


def collect_set(value: Any) -> Column:
    def result(rows: list[tuple[Any, ...]], _: str) -> Any:
        return list({order(v): v for v in _present(rows)}.values())

    return _aggregate(result, "array", value)


def collect_list(value: Any) -> Column:
    return _aggregate(lambda rows, _: _present(rows), "array", value)


def size(value: Any) -> Column:
    return pointwise(lambda v: None if v is None else len(v), "int", column(value))


def array_contains(value: Any, sought: Any) -> Column:
    return pointwise(lambda v, x: any(order(o) == order(x) for o in v), "boolean", column(value), sought)


def countDistinct(value: Any) -> Column:
    return size(collect_set(value)).cast("bigint")


count_distinct = countDistinct


# --- Python functions


def udf(f: Any = None, returnType: Any = "string") -> Any:
    """``udf(f, type)``, ``@udf``, ``@udf(type)``."""
    if not callable(f) or not hasattr(f, "__code__"):
        kind = f if f is not None else returnType
        return lambda function: _made(function, kind)
    return _made(f, returnType)


def _made(function: Callable[..., Any], declared: Any) -> Callable[..., Column]:
    kind = type_name(declared)

    def call(*arguments: Any) -> Column:
        return pointwise(lambda *v: from_udf(function(*v), kind), kind, *map(column, arguments))

    return call


class PandasAggregate:
    """One argument of ``agg``: a pandas UDF over columns."""

    def __init__(self, function: Callable[..., Any], kind: str, names: tuple[Column, ...], label: str) -> None:
        self.function, self.kind, self.columns, self.label = function, kind, names, label

    def alias(self, name: str) -> PandasAggregate:
        return PandasAggregate(self.function, self.kind, self.columns, name)

    @property
    def identity(self) -> tuple[str | None, ...]:
        """Its name and those of its arguments."""
        return (self.function.__name__, *(c.name for c in self.columns))

    def compute(self, schema: Schema, rows: list[Row]) -> Any:
        """Its value for a group."""
        typed = [c.resolve(schema) for c in self.columns]
        arguments = [series([t.value(r) for r in rows], t.type) for t in typed]
        return pandas_value(self.function(*arguments), self.kind)


def pandas_udf(f: Any = None, returnType: Any = None, functionType: Any = None) -> Any:
    """``@pandas_udf("double")`` above a function with type hints, and ``pandas_udf(f, "double")``."""
    if not hasattr(f, "__code__"):
        return lambda function: pandas_udf(function, f if f is not None else returnType)
    hints = inspect.signature(f)
    if "Series" not in str(next(iter(hints.parameters.values())).annotation):
        raise SparkError("only functions with type hints are known here")
    kind = type_name(returnType)
    if "Series" in str(hints.return_annotation):
        return lambda *names: columnwise(f, kind, tuple(map(column, names)), "Iterator" in str(hints))
    return lambda *names: PandasAggregate(f, kind, tuple(map(column, names)), f.__name__)


def udtf(cls: Any = None, returnType: Any = None, useArrow: Any = None) -> Any:
    """``@udtf(returnType=…)`` and ``udtf(cls, returnType=…)``."""
    from .table_functions import TableFunction

    if cls is None:
        return lambda c: TableFunction(c, returnType)
    return TableFunction(cls, returnType)


def type_name(declared: Any) -> str:
    """The name of a declared type."""
    name = declared if isinstance(declared, str) else declared.simpleString()
    return {"long": "bigint", "integer": "int", "float": "double"}.get(name.lower(), name.lower())
