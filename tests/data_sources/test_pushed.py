"""Which filters Spark hands to a reader, as ``headwater.data_sources.filters`` has it (issue 22)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.data_sources.columns import columns_of_ddl, paths
from headwater.data_sources.filters import Filter, as_pushed
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "i INT, d DOUBLE, s STRING, b BOOLEAN, t STRUCT<x: STRING>, n INT NOT NULL"
COLUMNS = dict(paths(columns_of_ddl(SCHEMA)))
CONDITIONS: dict[str, tuple[Filter, ...]] = {
    "i = 1": (Filter("EqualTo", ("i",), 1),),
    "i <=> 1": (Filter("EqualNullSafe", ("i",), 1),),
    "NOT (i <=> 1)": (Filter("EqualNullSafe", ("i",), 1, True),),
    "i IS NULL": (Filter("IsNull", ("i",)),),
    "i IS NOT NULL": (Filter("IsNotNull", ("i",)),),
    "i IN (1, NULL)": (Filter("In", ("i",), (1, None)),),
    "i NOT IN (1, 2)": (Filter("In", ("i",), (1, 2), True),),
    "i > 1 AND i > 5": (Filter("GreaterThan", ("i",), 1), Filter("GreaterThan", ("i",), 5)),
    "i <> 1 AND i <> 2": (Filter("EqualTo", ("i",), 1, True), Filter("EqualTo", ("i",), 2, True)),
    "i = 1 AND s = 'a'": (Filter("EqualTo", ("i",), 1), Filter("EqualTo", ("s",), "a")),
    "NOT s LIKE '%a%'": (Filter("StringContains", ("s",), "a", True),),
    "s LIKE 'a%' AND s LIKE '%b'": (Filter("StringStartsWith", ("s",), "a"), Filter("StringEndsWith", ("s",), "b")),
    "contains(s, 'a%b')": (Filter("StringContains", ("s",), "a%b"),),
    "NOT b": (Filter("EqualTo", ("b",), True, True),),
    "b = false": (Filter("EqualTo", ("b",), True, True),),
    "d = 1.5D": (Filter("EqualTo", ("d",), 1.5),),
    "d <= 0.0D": (Filter("LessThanOrEqual", ("d",), 0.0),),
    "t.x = 'a'": (Filter("EqualTo", ("t", "x"), "a"),),
    "t.x IS NULL": (Filter("IsNull", ("t", "x")),),
    "n = 1": (Filter("EqualTo", ("n",), 1),),
    "n > 1 OR n < 0": (),
}


@pytest.mark.spark
def test_what_spark_pushes(spark: SparkSession, tmp_path: Path) -> None:
    """The classes, the values (of ``In`` a list), and ``IsNotNull`` in front."""
    from pyspark.sql.datasource import DataSource, DataSourceReader
    from pyspark.sql.datasource import Not as Denied

    told, schema = tmp_path / "told", SCHEMA

    class Pushed(DataSource):
        @classmethod
        def name(cls) -> str:
            return "pushed"

        def schema(self) -> str:
            return schema

        def reader(self, schema: Any) -> Any:
            return PushedReader()

    class PushedReader(DataSourceReader):
        def pushFilters(self, filters: list[Any]) -> Any:
            said = []
            for f in filters:
                test = f.child if isinstance(f, Denied) else f
                said.append((type(test).__name__, test.attribute, getattr(test, "value", None), test is not f))
            told.write_text(repr(said))
            return filters

        def read(self, partition: Any) -> Any:
            return iter([])

    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(Pushed)
    for condition, parts in share(CONDITIONS.items(), 3):
        told.unlink(missing_ok=True)
        spark.read.format("pushed").load().filter(condition).collect()
        wanted = [
            (f.kind, f.path, list(f.value) if f.kind == "In" else f.value, f.negated) for f in as_pushed(parts, COLUMNS)
        ]
        assert (told.read_text() if told.exists() else "[]") == repr(wanted), condition
