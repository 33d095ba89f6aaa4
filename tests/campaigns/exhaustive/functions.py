"""``pyspark.sql.functions`` over plain Python values, as far as the exhaustive programs use it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from .columns import Column, Rows, Value, literal

Values = list[Value]


def col(name: str) -> Column:
    return Column(name, lambda row: row[name], name)


lit = literal


class _When(Column):
    """``when(test, value)``: NULL elsewhere."""

    def __init__(self, test: Column, value: object) -> None:
        then = literal(value)
        super().__init__(f"when {test.text} then {then.text}", lambda at: then.of(at) if test.of(at) is True else None)
        self._test, self._then = test, then

    def otherwise(self, value: object) -> Column:
        test, then, other = self._test, self._then, literal(value)
        return Column(f"{self.text} else {other.text}", lambda at: (then if test.of(at) is True else other).of(at))


def when(test: Column, value: object) -> _When:
    return _When(test, value)


def coalesce(*columns: Column) -> Column:
    text = f"coalesce({', '.join(c.text for c in columns)})"
    return Column(text, lambda at: next((v for c in columns if (v := c.of(at)) is not None), None))


def isnan(given: Column | str) -> Column:
    return _column(given).mapped("is nan", lambda v: v is not None and v != v)


# --- aggregates


def _column(given: Column | str) -> Column:
    return col(given) if isinstance(given, str) else given


def _aggregate(name: str, function: Callable[[Values], Value]) -> Callable[[Column | str], Column]:
    def made(given: Column | str) -> Column:
        column = _column(given)
        return Column(f"{name}({column.text})", lambda rows: function([column.of(r) for r in rows]), grouped=True)

    return made


def _of_present(function: Callable[[Values], Value]) -> Callable[[Values], Value]:
    """An aggregate that ignores NULLs, and is NULL where there is nothing else."""

    def run(values: Values) -> Value:
        present = [v for v in values if v is not None]
        return function(present) if present else None

    return run


max = _aggregate("max", _of_present(builtins.max))
min = _aggregate("min", _of_present(builtins.min))
sum = _aggregate("sum", _of_present(builtins.sum))
avg = _aggregate("avg", _of_present(lambda values: float(builtins.sum(values)) / len(values)))
count_if = _aggregate("count_if", lambda values: len([v for v in values if v is True]))
bool_or = _aggregate("bool_or", _of_present(any))
bool_and = _aggregate("bool_and", _of_present(all))
countDistinct = _aggregate("count_distinct", lambda values: len({v for v in values if v is not None}))
collect_set = _aggregate("collect_set", lambda values: sorted({v for v in values if v is not None}))


def count(given: Column | str) -> Column:
    if isinstance(given, str) and given == "*":
        return Column("count(1)", len, grouped=True)
    return _aggregate("count", lambda values: len([v for v in values if v is not None]))(given)


def first(given: Column | str, ignorenulls: bool = False) -> Column:
    return _pick("first", given, ignorenulls, 0)


def last(given: Column | str, ignorenulls: bool = False) -> Column:
    return _pick("last", given, ignorenulls, -1)


def _pick(name: str, given: Column | str, ignore: bool, place: int) -> Column:
    def function(values: Values) -> Value:
        found = [v for v in values if v is not None or not ignore]
        return found[place] if found else None

    return _aggregate(f"{name} {ignore}", function)(given)


def max_by(given: Column | str, by: Column | str) -> Column:
    return _extreme_by("max_by", given, by, lambda new, old: new >= old)


def min_by(given: Column | str, by: Column | str) -> Column:
    return _extreme_by("min_by", given, by, lambda new, old: new <= old)


def _extreme_by(name: str, given: Column | str, by: Column | str, wins: Callable[[Value, Value], bool]) -> Column:
    value, order = _column(given), _column(by)

    def of(rows: Rows) -> Value:
        best: tuple[Value, Value] | None = None
        for row in rows:
            at = order.of(row)
            if at is not None and (best is None or wins(at, best[0])):  # of rows that tie the later one wins
                best = at, value.of(row)
        return best[1] if best else None

    return Column(f"{name}({value.text}, {order.text})", of, grouped=True)


def size(column: Column) -> Column:
    return column.mapped("size", len)


def array_contains(column: Column, value: object) -> Column:
    return column.mapped(f"contains {value!r}", lambda values: value in values)


def row_number() -> Column:
    return Column("row_number()", lambda _: None)


# --- Python functions


def udf(function: Callable[..., Any], kind: str) -> Callable[..., Column]:
    """A plain Python UDF; what it returns is of the declared type in all that is enumerated."""

    def made(*given: Column | str) -> Column:
        columns = [_column(g) for g in given]
        text = f"{function.__name__}({', '.join(c.text for c in columns)})"
        return Column(text, lambda row: function(*(c.of(row) for c in columns)))

    return made


def pandas_udf(kind: str) -> Callable[[Callable[..., Any]], Callable[..., Column]]:
    """A pandas UDF from a series to one value."""
    from .pandas_side import series_of, stored

    def decorated(function: Callable[..., Any]) -> Callable[..., Column]:
        def made(given: Column | str) -> Column:
            column = _column(given)

            def of(rows: Rows) -> Value:
                return stored(function(series_of([column.of(r) for r in rows])), kind)

            found = Column(f"{function.__name__}({column.text})", of, grouped=True)
            found.pandas = True
            return found

        return made

    return decorated


def udtf(returnType: str) -> Callable[[type], Callable[[Any], Any]]:
    """A UDTF class over a partitioned table argument."""

    def decorated(cls: type) -> Callable[[Any], Any]:
        return lambda table: table.run(cls, returnType)

    return decorated
