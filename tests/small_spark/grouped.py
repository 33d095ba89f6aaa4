"""Groups of a frame, and what is made of each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pyarrow as pa

from .column import GROUP, Column, Field
from .exchange import exchanged
from .frame import DataFrame, Tuple, produced, schema_of
from .functions import PandasAggregate, count
from .relations import pivoted
from .scalars import SparkError, is_nan, order
from .transfer import ARROW, arrow_table, from_arrow, from_pandas, pandas_frame, series

_RESULTS: ContextVar[dict[Any, Any] | None] = ContextVar("results", default=None)


@contextmanager
def remembering(results: dict[Any, Any]) -> Iterator[None]:
    """In here functions with one name are one function, which is called on each group once."""
    token = _RESULTS.set(results)
    try:
        yield
    finally:
        _RESULTS.reset(token)


def remembered(key: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of the function, or of an earlier call with this ``key``; so for an error."""
    results = _RESULTS.get()
    if results is None:
        return function(*arguments)
    if key not in results:
        try:
            results[key] = function(*arguments)
        except Exception as error:
            results[key] = error
    if isinstance(results[key], Exception):
        raise results[key]
    return results[key]


class Grouped:
    """``frame.groupBy(keys)``."""

    def __init__(self, frame: DataFrame, keys: list[Column]) -> None:
        self.frame, self.keys = frame, keys
        self.typed = [k.resolve(frame.schema) for k in keys]

    def groups(self) -> list[tuple[Tuple, list[Tuple]]]:
        """Each key with its rows, as an exchange leaves them; NaN is one key, and so are -0.0 and 0.0."""
        found: dict[Tuple, tuple[Tuple, list[Tuple]]] = {}
        rows = self.frame.rows()
        for row, named in zip(rows, self.frame.dicts(rows), strict=True):
            key = tuple(t.value(named) for t in self.typed)
            known = tuple("nan" if is_nan(v) else v for v in key)
            found.setdefault(known, (key, []))[1].append(row)
        return [(key, exchanged(members)) for key, members in found.values()]

    def cogroup(self, other: Grouped) -> Cogrouped:
        return Cogrouped(self, other)

    def count(self) -> DataFrame:
        return self.agg(count("*").alias("count"))

    def pivot(self, column: str, values: Sequence[Any] | None = None) -> Pivoted:
        if values is None:
            held = [named[column] for named in self.frame.dicts(self.frame.rows())]
            values = sorted({order(v): v for v in held if v is not None}.values(), key=order) + [None] * (None in held)
        return Pivoted(self, column, values)

    def agg(self, *wanted: Any) -> DataFrame:
        schema, names = self.frame.schema, [k.name or "" for k in self.keys]
        python = [isinstance(w, PandasAggregate) for w in wanted]
        if any(python) and not all(python):
            raise SparkError("pandas and native aggregates together")
        groups = self.groups()
        if not self.keys and not any(python):
            groups = groups or [((), [])]
        typed = [None if isinstance(w, PandasAggregate) else w.resolve(schema) for w in wanted]
        fields = [Field(n, t.type) for n, t in zip(names, self.typed, strict=True)]
        for i, (w, t) in enumerate(zip(wanted, typed, strict=True)):
            fields.append(Field(w.label, w.kind) if t is None else Field(w.name or f"_{i}", t.type))
        rows = []
        for key, members in groups:
            dicts = self.frame.dicts(members)
            row, known = {**dict(zip(names, key, strict=True)), GROUP: dicts}, (schema, tuple(members))
            values = [
                t.value(row) if t else remembered((*w.identity, *known), w.compute, schema, dicts)
                for w, t in zip(wanted, typed, strict=True)
            ]
            rows.append((*key, *values))
        return DataFrame(tuple(fields), [rows])

    def applyInPandas(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        return self._applied(function, schema, pandas_frame, lambda v, kind: series([v], kind)[0], from_pandas)

    def applyInArrow(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        return self._applied(function, schema, arrow_table, lambda v, kind: pa.scalar(v, ARROW[kind]), from_arrow)

    def _applied(self, function: Callable[..., Any], schema: Any, make: Any, scalar: Any, read: Any) -> DataFrame:
        declared = schema_of(schema)
        two = len(inspect.signature(function).parameters) == 2

        def made(key: Tuple, rows: list[Tuple]) -> list[Tuple]:
            shown = tuple(scalar(v, t.type) for v, t in zip(key, self.typed, strict=True))
            table = make(rows, self.frame.schema)
            result: list[Tuple] = read(function(shown, table) if two else function(table), declared)
            return result

        found = [
            row
            for key, rows in self.groups()
            for row in remembered((function.__name__, declared, self.frame.schema, key, tuple(rows)), made, key, rows)
        ]
        return produced(found, declared)


class Totals(Grouped):
    """``frame.rollup(keys)``, ``frame.cube(keys)``: the groups of each of ``sets``, with NULL for the other keys."""

    def __init__(self, frame: DataFrame, keys: list[Column], sets: Sequence[Sequence[int]]) -> None:
        super().__init__(frame, keys)
        self.sets = sets

    def groups(self) -> list[tuple[Tuple, list[Tuple]]]:
        rows = self.frame.rows()
        keys = [tuple(t.value(d) for t in self.typed) for d in self.frame.dicts(rows)]
        found: dict[Any, tuple[Tuple, list[Tuple]]] = {}
        for number, kept in enumerate(self.sets):
            for row, key in zip(rows, keys, strict=True):
                shown = tuple(v if i in kept else None for i, v in enumerate(key))
                found.setdefault((number, _known(shown)), (shown, []))[1].append(row)
        return [(key, exchanged(members)) for key, members in found.values()]


class Cogrouped:
    """``left.cogroup(right)``."""

    def __init__(self, left: Grouped, right: Grouped) -> None:
        self.left, self.right = left, right
        if [t.type for t in left.typed] != [t.type for t in right.typed]:
            raise SparkError("keys of other types")

    def applyInPandas(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        """``function`` is called for each key that one of the sides has."""
        return self._applied(function, schema, pandas_frame, lambda v, kind: series([v], kind)[0], from_pandas)

    def applyInArrow(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        return self._applied(function, schema, arrow_table, lambda v, kind: pa.scalar(v, ARROW[kind]), from_arrow)

    def _applied(self, function: Callable[..., Any], schema: Any, make: Any, scalar: Any, read: Any) -> DataFrame:
        sides = [{_known(k): (k, rows) for k, rows in side.groups()} for side in (self.left, self.right)]
        declared, found = schema_of(schema), []
        for known in dict.fromkeys((*sides[0], *sides[1])):
            key = next(side[known][0] for side in sides if known in side)
            shown = tuple(scalar(v, t.type) for v, t in zip(key, self.left.typed, strict=True))
            both = [
                make(side[known][1] if known in side else [], grouped.frame.schema)
                for side, grouped in zip(sides, (self.left, self.right), strict=True)
            ]
            three = len(inspect.signature(function).parameters) == 3
            found += read(function(shown, *both) if three else function(*both), declared)
        return produced(found, declared)


def _known(key: Tuple) -> Tuple:
    return tuple("nan" if is_nan(v) else v for v in key)


class Pivoted:
    """``frame.groupBy(keys).pivot(column, values)``."""

    def __init__(self, groups: Grouped, column: str, values: Sequence[Any]) -> None:
        self.groups, self.column, self.values = groups, column, values

    def agg(self, wanted: Column) -> DataFrame:
        return pivoted(self.groups, self.column, self.values, wanted)
