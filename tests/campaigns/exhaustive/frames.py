"""A DataFrame in plain Python, over many tables at once.

A frame holds the outcome on every enumerated table: a list of rows in their order, or the error. Rows keep their order
through every operator, as one that moves a filter may rely on no other. Operators are remembered, so that programs that
begin alike share what they compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .columns import Column, QueryError, Row, Rows, Value, Windowed
from .functions import col
from .pandas_side import fields_of, in_arrow, in_pandas, kind_of, stored
from .rdds import Rdd, Record

Outcome = list[Row] | QueryError
Names = tuple[str, ...]


class Session:
    """``spark``: named frames. ``results`` remembers what Python functions made of which rows, by the function's name:
    the enumerated programs give different functions different names. ``apart``: rows in the second partition."""

    def __init__(self, tables: dict[str, tuple[Names, list[Rows]]]) -> None:
        self.results: dict[object, Rows | QueryError] = {}
        self.apart: set[int] = set()
        self._frames = {name: Frame(self, names, list(rows)) for name, (names, rows) in tables.items()}

    def table(self, name: str) -> Frame:
        return self._frames[name]

    def forget(self) -> None:
        """Let go of the frames derived so far."""
        for frame in self._frames.values():
            frame._made.clear()


class Frame:
    """``tables[i]``: the outcome on the i-th table."""

    def __init__(self, session: Session, names: Names, tables: list[Outcome]) -> None:
        self.session, self.columns, self.tables = session, names, tables
        self._made: dict[object, Frame] = {}

    def _derived(self, key: object, names: Names, of: Callable[[Rows], Rows]) -> Frame:
        if key not in self._made:
            self._made[key] = Frame(self.session, names, [_outcome(of, t) for t in self.tables])
        return self._made[key]

    # --- row by row

    def filter(self, condition: Column) -> Frame:
        return self._derived(
            ("filter", condition.text), self.columns, lambda rows: [r for r in rows if condition.of(r) is True]
        )

    where = filter

    def select(self, *given: Column | str) -> Frame:
        columns = [col(g) if isinstance(g, str) else g for g in given]
        names = tuple(c.name for c in columns)
        key = ("select", tuple((c.name, c.text) for c in columns))
        return self._derived(key, names, lambda rows: [{c.name: c.of(r) for c in columns} for r in rows])

    def withColumn(self, name: str, column: Column | Windowed) -> Frame:
        names = self.columns if name in self.columns else (*self.columns, name)
        key = ("withColumn", name, column.text)
        if isinstance(column, Windowed):
            return self._derived(key, names, lambda rows: _windowed(rows, name, column))
        return self._derived(key, names, lambda rows: [{**r, name: column.of(r)} for r in rows])

    def withColumnRenamed(self, old: str, new: str) -> Frame:
        return self.select(*(col(n).alias(new if n == old else n) for n in self.columns))

    def drop(self, *gone: str) -> Frame:
        return self.select(*(n for n in self.columns if n not in gone))

    def dropna(self, subset: list[str]) -> Frame:
        key = ("dropna", tuple(subset))
        return self._derived(key, self.columns, lambda rows: [r for r in rows if all(r[n] is not None for n in subset)])

    def fillna(self, value: Value) -> Frame:
        key = ("fillna", value)
        return self._derived(
            key, self.columns, lambda rows: [{n: value if v is None else v for n, v in r.items()} for r in rows]
        )

    # --- by other rows

    def orderBy(self, *by: str) -> Frame:
        return self._derived(("orderBy", by), self.columns, lambda rows: _sorted(rows, by))

    def limit(self, n: int) -> Frame:
        return self._derived(("limit", n), self.columns, lambda rows: rows[:n])

    def dropDuplicates(self, subset: list[str]) -> Frame:
        return self._derived(
            ("dropDuplicates", tuple(subset)), self.columns, lambda rows: [g[0] for _, g in _groups(rows, subset)]
        )

    def distinct(self) -> Frame:
        return self.dropDuplicates(list(self.columns))

    def cache(self) -> Frame:
        return self

    def union(self, other: Frame) -> Frame:
        def of(rows: Rows, others: Outcome) -> Outcome:
            if isinstance(others, QueryError):
                return others
            return rows + [dict(zip(self.columns, r.values(), strict=True)) for r in others]

        return self._beside(other, self.columns, of)

    def join(self, other: Frame, on: str, how: str = "inner") -> Frame:
        added = tuple(n for n in other.columns if n != on)

        def of(rows: Rows, others: Outcome) -> Outcome:
            if isinstance(others, QueryError):
                return others
            found = []
            for r in rows:
                met = [o for o in others if o[on] is not None and o[on] == r[on]]
                if how == "left" and not met:
                    met = [dict.fromkeys(added)]
                found += [{**r, **{n: o[n] for n in added}} for o in met]
            return found

        return self._beside(other, self.columns + added, of)

    def _beside(self, other: Frame, names: Names, of: Callable[[Rows, Outcome], Outcome]) -> Frame:
        pairs = zip(self.tables, other.tables, strict=True)
        return Frame(self.session, names, [a if isinstance(a, QueryError) else of(a, b) for a, b in pairs])

    # --- groups

    def groupBy(self, *keys: str) -> Grouped:
        return Grouped(self, keys)

    def agg(self, *columns: Column) -> Frame:
        names = tuple(c.name for c in columns)
        key = ("agg", tuple((c.name, c.text) for c in columns))
        pandas = any(c.pandas for c in columns)
        return self._derived(
            key, names, lambda rows: [] if pandas and not rows else [{c.name: c.of(rows) for c in columns}]
        )

    def asTable(self) -> TableArgument:
        return TableArgument(self)

    @property
    def rdd(self) -> Rdd:
        apart = self.session.apart
        return Rdd([t if isinstance(t, QueryError) else [(id(r) in apart, Record(r)) for r in t] for t in self.tables])

    def kinds(self) -> dict[str, type]:
        """The type of each column, by its values on all tables."""
        rows = [r for t in self.tables if not isinstance(t, QueryError) for r in t]
        return {n: kind_of([r[n] for r in rows]) for n in self.columns}


class Grouped:
    """``frame.groupBy(keys)``."""

    def __init__(self, frame: Frame, keys: Names) -> None:
        self.frame, self.keys = frame, keys

    def agg(self, *columns: Column) -> Frame:
        names = (*self.keys, *(c.name for c in columns))
        key = ("group", self.keys, tuple((c.name, c.text) for c in columns))

        def of(rows: Rows) -> Rows:
            return [
                dict(zip(names, (*k, *(c.of(group) for c in columns)), strict=True))
                for k, group in _groups(rows, self.keys)
            ]

        return self.frame._derived(key, names, of)

    def applyInPandas(self, function: Callable[..., Any], ddl: str) -> Frame:
        return self._by_function(in_pandas, function, ddl)

    def applyInArrow(self, function: Callable[..., Any], ddl: str) -> Frame:
        return self._by_function(in_arrow, function, ddl)

    def _by_function(self, run: Callable[..., Rows], function: Callable[..., Any], ddl: str) -> Frame:
        results, kinds = self.frame.session.results, self.frame.kinds()

        def of(rows: Rows) -> Rows:
            found: Rows = []
            for k, group in _groups(rows, self.keys):
                key = (function.__name__, *kinds.items(), *(tuple(r.values()) for r in group))
                if key not in results:
                    results[key] = _outcome(lambda rows, k=k: run(function, kinds, k, rows, ddl), group)  # type: ignore[misc]
                made = results[key]
                if isinstance(made, QueryError):
                    raise made
                found += made
            return found

        names = tuple(n for n, _ in fields_of(ddl))
        return self.frame._derived(("apply", self.keys, function.__name__), names, of)


class TableArgument:
    """``frame.asTable()``, partitioned or as one partition."""

    def __init__(self, frame: Frame, keys: Names = ()) -> None:
        self.frame, self.keys = frame, keys

    def partitionBy(self, *keys: str) -> TableArgument:
        return TableArgument(self.frame, keys)

    def withSinglePartition(self) -> TableArgument:
        return self

    def run(self, cls: type, ddl: str) -> Frame:
        """The rows that an instance per partition yields at its end."""
        fields = fields_of(ddl)

        def of(rows: Rows) -> Rows:
            found: Rows = []
            for _, group in _groups(rows, self.keys):
                instance: Any = cls()
                try:
                    for row in group:
                        instance.eval(Record(row))
                    for made in instance.terminate():
                        found.append({n: stored(v, t) for (n, t), v in zip(fields, made, strict=True)})
                except Exception as error:
                    raise QueryError(f"{type(error).__name__}: {error}") from error
            return found

        return self.frame._derived(("udtf", self.keys, cls.__name__), tuple(n for n, _ in fields), of)


def _outcome(of: Callable[[Rows], Rows], table: Outcome) -> Outcome:
    if isinstance(table, QueryError):
        return table
    try:
        return of(table)
    except QueryError as error:
        return error
    except Exception as error:  # of a Python function
        return QueryError(f"{type(error).__name__}: {error}")


def _groups(rows: Rows, keys: Iterable[str]) -> list[tuple[tuple[Value, ...], Rows]]:
    groups: dict[tuple[Value, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return list(groups.items())


def _sorted(rows: Rows, by: Iterable[str]) -> Rows:
    return sorted(rows, key=lambda r: [(r[n] is not None, r[n] or 0) for n in by])


def _windowed(rows: Rows, name: str, made: Windowed) -> Rows:
    value: dict[int, Value] = {}
    for _, group in _groups(rows, made.window.keys):
        for number, row in enumerate(_sorted(group, made.window.order), 1):
            value[id(row)] = made.column.of(group) if made.column.grouped else number
    return [{**r, name: value[id(r)]} for r in rows]
