"""Table functions, and the tables that they are given."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Row as PysparkRow

from .column import Column
from .frame import DataFrame, Tuple, produced, schema_of
from .functions import column
from .grouped import Grouped
from .scalars import SparkError
from .transfer import from_table_function


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
