"""Frames: rows in partitions, evaluated at once."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
from pyspark.sql import Row as PysparkRow

from . import sql
from .column import GROUP, ROWS, Column, Field, Row, Schema, as_column, col, own
from .elements import Generator
from .exchange import exchanged
from .functions import PandasAggregate, column, count, type_name
from .missing import dropped, filled, replaced
from .order import arranged, keys
from .relations import by_name, counted, joined, pivoted, representatives, together, unpivoted
from .scalars import SparkError, is_nan, order
from .transfer import (
    ARROW,
    arrow_batch,
    arrow_table,
    from_arrow,
    from_arrow_by_place,
    from_pandas,
    from_table_function,
    pandas_frame,
    series,
)

Tuple = tuple[Any, ...]
Parts = list[list[Tuple]]


def schema_of(declared: Any) -> Schema:
    """A schema given as DDL, or as a type."""
    if not isinstance(declared, str):
        return tuple(Field(f.name, type_name(f.dataType), f.nullable) for f in declared.fields)
    parts = [part.split() for part in declared.split(",")]
    return tuple(Field(name, type_name(kind), not rest) for name, kind, *rest in parts)


def produced(rows: list[Tuple], schema: Schema) -> DataFrame:
    """What Python functions gave, under a schema whose NOT NULL is checked."""
    if any(value is None and not f.nullable for row in rows for value, f in zip(row, schema, strict=True)):
        raise SparkError("NULL in a column that is not nullable")
    return DataFrame(schema, [rows])


BATCH = 2
"""Rows that functions over batches get at once."""


class Rows(list[Row]):
    """All rows of a frame, and what was computed of them together."""

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__(rows)
        self.computed: dict[int, dict[int, Any]] = {}


def _expression(text: str) -> Column:
    if text.startswith("stack("):
        return sql.read(text)
    value, *label = text.split(" AS ")
    return sql.read(value).alias(label[0] if label else value)


class DataFrame:
    """A frame."""

    def __init__(self, schema: Schema, parts: Parts) -> None:
        self.schema, self.parts = schema, parts

    @property
    def columns(self) -> list[str]:
        return [f.name for f in self.schema]

    def __getattr__(self, name: str) -> Column:
        if name.startswith("_") or name not in self.columns:
            raise AttributeError(name)
        return col(name)

    def __getitem__(self, name: str) -> Column:
        return col(name)

    def dicts(self, rows: Sequence[Tuple]) -> list[Row]:
        """Rows as the expressions see them."""
        names, places = self.columns, [f.at for f in self.schema if f.label]
        if not places:
            return [dict(zip(names, row, strict=True)) for row in rows]
        places = [f.at for f in self.schema]
        return [{**dict(zip(names, row, strict=True)), **dict(zip(places, row, strict=True))} for row in rows]

    def of(self, schema: Schema, parts: Parts) -> DataFrame:
        """Another frame."""
        return DataFrame(schema, parts)

    def _known(self) -> list[list[Row]]:
        """``dicts`` of every partition, each of which knows all others."""
        found: list[list[Any]] = [self.dicts(part) for part in self.parts]
        every = Rows(exchanged([row for part in found for row in part]))
        for part in found:
            for row in part:
                row[ROWS] = every
        return found

    def _mapped(self, schema: Schema, function: Callable[[Row], Tuple]) -> DataFrame:
        return DataFrame(schema, [[function(r) for r in part] for part in self._known()])

    # --- row by row

    def filter(self, condition: Any) -> DataFrame:
        test = (sql.read(condition) if isinstance(condition, str) else condition).resolve(self.schema)
        if test.type not in ("boolean", "void"):
            raise SparkError("the condition is not boolean")
        known = zip(self.parts, self._known(), strict=True)
        kept = [[r for r, d in zip(part, dicts, strict=True) if test.value(d) is True] for part, dicts in known]
        return DataFrame(self.schema, kept)

    where = filter

    def select(self, *wanted: Any) -> DataFrame:
        given = wanted[0] if len(wanted) == 1 and isinstance(wanted[0], list) else wanted
        columns = [column(n) for w in given for n in (self._own() if isinstance(w, str) and w == "*" else [w])]
        if any(isinstance(c, Generator) for c in columns):
            return self._generated(columns)
        typed = [c.resolve(self.schema) for c in columns]
        named = enumerate(zip(columns, typed, strict=True))
        schema = tuple(Field(c.name or f"_{i}", t.type, label=t.label) for i, (c, t) in named)
        return self._mapped(schema, lambda r: tuple(t.value(r) for t in typed))

    def _generated(self, columns: list[Column]) -> DataFrame:
        """``select`` of which one column is a generator."""
        typed = [c.resolve(self.schema) for c in columns]
        fields: list[Field] = []
        for c, t in zip(columns, typed, strict=True):
            made = c.columns(t.type) if isinstance(c, Generator) else [(c.name or "", t.type)]
            fields += [Field(n, kind) for n, kind in made]

        def rows(row: Row) -> list[Tuple]:
            cells = [
                list(c.rows(row, t)) if isinstance(c, Generator) else [(t.value(row),)]
                for c, t in zip(columns, typed, strict=True)
            ]
            return [tuple(v for cell in found for v in cell) for found in product(*cells)]

        return DataFrame(tuple(fields), [[new for r in part for new in rows(r)] for part in self._known()])

    def withColumn(self, name: str, value: Any) -> DataFrame:
        made = as_column(value).alias(name)
        if name in self.columns:
            return self.select(*(made if c.name == name else c for c in self._own()))
        return self.select("*", made)

    def withColumnRenamed(self, old: str, new: str) -> DataFrame:
        return DataFrame(tuple(Field(new, f.type) if f.name == old else f for f in self.schema), self.parts)

    def drop(self, *names: str) -> DataFrame:
        return self.select(*(c for c in self._own() if c.name not in names))

    def _own(self) -> list[Column]:
        return [own(f) for f in self.schema]

    def alias(self, name: str) -> DataFrame:
        return DataFrame(tuple(Field(f.name, f.type, f.nullable, name) for f in self.schema), self.parts)

    def selectExpr(self, *wanted: str) -> DataFrame:
        return self.select(*(_expression(w) for w in wanted))

    def transform(self, function: Callable[..., DataFrame]) -> DataFrame:
        return function(self)

    def dropna(self, how: str = "any", thresh: Any = None, subset: Any = None) -> DataFrame:
        return dropped(self, how, thresh, subset)

    def fillna(self, value: Any, subset: Any = None) -> DataFrame:
        return filled(self, value, subset)

    def replace(self, to_replace: Any, value: Any = None, subset: Any = None) -> DataFrame:
        return replaced(self, to_replace, value, subset)

    @property
    def na(self) -> Any:
        return SimpleNamespace(drop=self.dropna, fill=self.fillna, replace=self.replace)

    # --- rows as a bag

    def sort(self, *columns: Any) -> DataFrame:
        """Of rows that tie the order stays."""
        found = [{**d, GROUP: row} for row, d in zip(self.rows(), self.dicts(self.rows()), strict=True)]
        by = keys([column(c) for c in columns], self.schema)
        return DataFrame(self.schema, [[r[GROUP] for r in arranged(found, by)]])

    orderBy = sort

    def unionByName(self, other: DataFrame, allowMissingColumns: bool = False) -> DataFrame:
        return by_name(self, other, allowMissingColumns)

    def union(self, other: DataFrame) -> DataFrame:
        return together(self, other)

    unionAll = union

    def intersect(self, other: DataFrame) -> DataFrame:
        return counted(self, other, lambda a, b: min(a, b, 1))

    def intersectAll(self, other: DataFrame) -> DataFrame:
        return counted(self, other, min)

    def subtract(self, other: DataFrame) -> DataFrame:
        return counted(self, other, lambda a, b: 0 if b else 1)

    def exceptAll(self, other: DataFrame) -> DataFrame:
        return counted(self, other, lambda a, b: a - b)

    def join(self, other: DataFrame, on: Any = None, how: str = "inner") -> DataFrame:
        return joined(self, other, on, how)

    def distinct(self) -> DataFrame:
        return representatives(self, None)

    def dropDuplicates(self, subset: Any = None) -> DataFrame:
        return representatives(self, subset)

    drop_duplicates = dropDuplicates

    def unpivot(self, ids: Any, values: Any, variableColumnName: str, valueColumnName: str) -> DataFrame:
        return unpivoted(self, ids, values, variableColumnName, valueColumnName)

    melt = unpivot

    def cache(self) -> DataFrame:
        return self

    def persist(self, *_: Any, **__: Any) -> DataFrame:
        return self

    localCheckpoint = checkpoint = persist
    hint = repartition = coalesce = persist

    def limit(self, number: int) -> DataFrame:
        return DataFrame(self.schema, [self.rows()[:number]])

    def sample(self, fraction: float, seed: int) -> DataFrame:
        """One draw for each row of a partition, so that a row's fate depends on those before it."""
        draws = [random.Random(seed + number) for number in range(len(self.parts))]
        kept = [[r for r in part if draw.random() < fraction] for part, draw in zip(self.parts, draws, strict=True)]
        return DataFrame(self.schema, kept)

    def crossJoin(self, other: DataFrame) -> DataFrame:
        return joined(self, other, None, "inner")

    def toDF(self, *names: str) -> DataFrame:
        if len(names) != len(self.schema):
            raise SparkError("another number of names")
        return DataFrame(tuple(Field(n, f.type) for n, f in zip(names, self.schema, strict=True)), self.parts)

    def withColumns(self, values: Mapping[str, Any]) -> DataFrame:
        kept = [as_column(values[n]).alias(n) if n in values else n for n in self.columns]
        return self.select(*kept, *(as_column(v).alias(n) for n, v in values.items() if n not in self.columns))

    def withColumnsRenamed(self, names: Mapping[str, str]) -> DataFrame:
        return DataFrame(tuple(Field(names.get(f.name, f.name), f.type) for f in self.schema), self.parts)

    def printSchema(self) -> None:
        """Nobody reads it here."""

    show = printSchema

    def collect(self) -> list[Any]:
        make = PysparkRow(*self.columns)
        return [make(*row) for row in self.rows()]

    def _in_batches(self, function: Callable[..., Any], declared: Any, make: Any, read: Any) -> DataFrame:
        schema, found = schema_of(declared), []
        for part in self.parts:
            batches = (make(part[i : i + BATCH], self.schema) for i in range(0, len(part), BATCH))
            for result in function(batches):
                found += read(result, schema)
        return produced(found, schema)

    def mapInPandas(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        return self._in_batches(function, schema, partial(pandas_frame, nullable=True), from_pandas)

    def mapInArrow(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        return self._in_batches(function, schema, arrow_batch, from_arrow_by_place)

    def rows(self) -> list[Tuple]:
        """All rows, in order."""
        return [row for part in self.parts for row in part]

    def count(self) -> int:
        return len(self.rows())

    # --- groups

    def groupBy(self, *keys: Any) -> Grouped:
        given = keys[0] if len(keys) == 1 and isinstance(keys[0], list) else keys
        return Grouped(self, [column(k) for k in given])

    groupby = groupBy

    def rollup(self, *keys: Any) -> Grouped:
        by = [column(k) for k in keys]
        return Totals(self, by, [range(n) for n in range(len(by), -1, -1)])

    def cube(self, *keys: Any) -> Grouped:
        by = [column(k) for k in keys]
        return Totals(self, by, [s for n in range(len(by), -1, -1) for s in combinations(range(len(by)), n)])

    def agg(self, *wanted: Any) -> DataFrame:
        return Grouped(self, []).agg(*wanted)

    def asTable(self) -> TableArgument:
        return TableArgument(self, ())

    @property
    def rdd(self) -> Any:
        from .rdd import RDD

        make = PysparkRow(*self.columns)
        return RDD([[make(*row) for row in part] for part in self.parts])


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
            row = {**dict(zip(names, key, strict=True)), GROUP: dicts}
            values = [
                w.compute(schema, dicts) if t is None else t.value(row) for w, t in zip(wanted, typed, strict=True)
            ]
            rows.append((*key, *values))
        return DataFrame(tuple(fields), [rows])

    def applyInPandas(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        declared, found = schema_of(schema), []
        for key, rows in self.groups():
            frame = pandas_frame(rows, self.frame.schema)
            shown = tuple(series([v], t.type)[0] for v, t in zip(key, self.typed, strict=True))
            two = len(inspect.signature(function).parameters) == 2
            found += from_pandas(function(shown, frame) if two else function(frame), declared)
        return produced(found, declared)

    def applyInArrow(self, function: Callable[..., Any], schema: Any) -> DataFrame:
        declared, found = schema_of(schema), []
        for key, rows in self.groups():
            table = arrow_table(rows, self.frame.schema)
            shown = tuple(pa.scalar(v, ARROW[t.type]) for v, t in zip(key, self.typed, strict=True))
            two = len(inspect.signature(function).parameters) == 2
            found += from_arrow(function(shown, table) if two else function(table), declared)
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


class TableArgument:
    """``frame.asTable().partitionBy(…)``."""

    def __init__(self, frame: DataFrame, keys: tuple[Column, ...]) -> None:
        self.frame, self.keys = frame, keys

    def partitionBy(self, *keys: Any) -> TableArgument:
        return TableArgument(self.frame, (*self.keys, *map(column, keys)))

    def orderBy(self, *_: Any) -> TableArgument:
        return self

    def withSinglePartition(self) -> TableArgument:
        return self


class TableFunction:
    """A UDTF class with its declared result."""

    def __init__(self, cls: Any, declared: Any) -> None:
        self.cls, self.schema = cls, schema_of(declared)

    def __call__(self, table: TableArgument) -> DataFrame:
        found: list[Tuple] = []
        make = PysparkRow(*table.frame.columns)
        for _, rows in Grouped(table.frame, list(table.keys)).groups():
            instance = self.cls()
            for row in rows:
                found += self._rows(instance.eval(make(*row)))
            if hasattr(instance, "terminate"):
                found += self._rows(instance.terminate())
        return produced(found, self.schema)

    def _rows(self, yielded: Any) -> list[Tuple]:
        found = []
        for row in yielded or ():
            if row is None:
                row = (None,) * len(self.schema)
            if len(row) != len(self.schema):
                raise SparkError("too few values")
            found.append(tuple(from_table_function(v, f.type) for v, f in zip(row, self.schema, strict=True)))
        return found
