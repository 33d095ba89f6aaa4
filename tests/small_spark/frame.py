"""Frames: rows in partitions, evaluated at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row as PysparkRow

from . import actions, sql
from .column import GROUP, ROWS, Column, Field, Row, Schema, Typed, as_column, col, own
from .elements import Generator
from .exchange import exchanged
from .functions import column, type_name
from .missing import dropped, filled, replaced
from .order import arranged, keys
from .relations import by_name, counted, joined, representatives, together, unpivoted
from .scalars import SparkError
from .transfer import arrow_batch, from_arrow_by_place, from_pandas, pandas_frame

if TYPE_CHECKING:
    from .grouped import Grouped
    from .table_functions import TableArgument

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


def _is_aggregate(column: Typed) -> bool:
    try:
        column.value({})
    except KeyError as error:
        return error.args == (GROUP,)
    except Exception:  # what it is made of is not there
        return False
    return False


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
        if typed and all(map(_is_aggregate, typed)):
            return self.agg(*columns)
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

    toPandas = actions.to_pandas
    isEmpty = actions.is_empty
    toLocalIterator = actions.to_local_iterator
    take, head = actions.take, actions.head
    first = actions.first

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
        from .grouped import Grouped

        given = keys[0] if len(keys) == 1 and isinstance(keys[0], list) else keys
        return Grouped(self, [column(k) for k in given])

    groupby = groupBy

    def rollup(self, *keys: Any) -> Grouped:
        from .grouped import Totals

        by = [column(k) for k in keys]
        return Totals(self, by, [range(n) for n in range(len(by), -1, -1)])

    def cube(self, *keys: Any) -> Grouped:
        from .grouped import Totals

        by = [column(k) for k in keys]
        return Totals(self, by, [s for n in range(len(by), -1, -1) for s in combinations(range(len(by)), n)])

    def agg(self, *wanted: Any) -> DataFrame:
        from .grouped import Grouped

        if len(wanted) == 1 and isinstance(wanted[0], dict):
            from . import functions

            wanted = tuple(getattr(functions, name)(column) for column, name in wanted[0].items())
        return Grouped(self, []).agg(*wanted)

    def asTable(self) -> TableArgument:
        from .table_functions import TableArgument

        return TableArgument(self, ())

    @property
    def rdd(self) -> Any:
        from .rdd import RDD

        make = PysparkRow(*self.columns)
        return RDD([[make(*row) for row in part] for part in self.parts])
