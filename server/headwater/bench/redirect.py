"""While a pipeline is built, its reads go to generated data, and what it would write is kept for us to compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_READS = ("parquet", "orc", "json", "csv", "text", "load", "table", "jdbc")
_WRITES = ("save", "parquet", "orc", "json", "csv", "text", "saveAsTable", "insertInto", "jdbc")
_TABLE_WRITES = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
_SHOWN = ("show", "foreach", "foreachPartition")
_RDD_WRITES = ("saveAsTextFile", "saveAsPickleFile", "saveAsSequenceFile", "saveAsNewAPIHadoopFile")

Provide = Callable[[str, "str | None"], "DataFrame"]
"""The frame for a source's name and its DDL, if the program states one."""


@dataclass
class Outputs:
    """What the program would have written or shown, in order. Frames that it computes itself (``collect``, ``count``,
    ``toPandas``) are not among them: they are run as they stand."""

    frames: list[Any] = field(default_factory=list)

    def keep(self, frame: Any) -> None:
        """One more."""
        self.frames.append(frame)


@contextmanager
def redirected(spark: SparkSession, provide: Provide) -> Iterator[Outputs]:
    """Patches PySpark's classes while it is open."""
    outputs = Outputs()
    with ExitStack() as stack:
        for owner, name, replacement in _patches(spark, provide, outputs):
            stack.enter_context(patch.object(owner, name, replacement))
        yield outputs


def _patches(spark: SparkSession, provide: Provide, outputs: Outputs) -> Iterator[tuple[Any, str, Any]]:
    from pyspark import RDD

    reader, session = type(spark.read), type(spark)
    empty = spark.range(0)
    yield reader, "schema", _stating(reader.schema)
    for name in _READS:
        yield reader, name, _reading(provide)
    yield session, "table", lambda self, name: provide(str(name), None)
    yield session, "stop", lambda self: None
    for name in _WRITES:
        yield type(empty.write), name, lambda self, *_, **__: outputs.keep(self._df)
    for name in _TABLE_WRITES:
        yield type(empty.writeTo("t")), name, lambda self, *_, **__: outputs.keep(self._df)
    for name in _SHOWN:
        yield type(empty), name, lambda self, *_, **__: outputs.keep(self)
    for name in _RDD_WRITES:
        yield RDD, name, lambda self, *_, **__: outputs.keep(self)


def _stating(original: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def schema(self: Any, ddl: Any) -> Any:
        self._headwater_ddl = ddl if isinstance(ddl, str) else ddl.toDDL()
        return original(self, ddl)

    return schema


def _reading(provide: Provide) -> Callable[..., Any]:
    def read(self: Any, path: Any = None, *more: Any, **named: Any) -> Any:
        place = path if path is not None else named.get("table", named.get("dbtable", ""))
        ddl = named.get("schema")
        if ddl is None:
            ddl = getattr(self, "_headwater_ddl", None)
        elif not isinstance(ddl, str):
            ddl = ddl.toDDL()
        return provide(str(place[0] if isinstance(place, list) else place), ddl)

    return read
