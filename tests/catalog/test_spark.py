"""What Spark says of its own tables, read back: each type, directories, statistics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from headwater.catalog.exports import read_exports

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

TYPES = (
    "boolean tinyint smallint int bigint float double date timestamp timestamp_ntz binary string decimal(10,2) "
    "array<double> array<string> map<string,int> struct<x:int> char(3) varchar(9)"
).split()
NO_TEXT = {"string", "array<string>", "char(3)", "varchar(9)", "map<string,int>", "struct<x:int>"}
"""Of these the JSON does not say enough: whether a text is a CHAR."""
COLLATED = "string collate utf8_lcase"


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    columns = [f"c{i} {t} not null" for i, t in enumerate((*TYPES, COLLATED))]
    spark.sql("DROP TABLE IF EXISTS described")
    spark.sql(
        f"CREATE TABLE described ({', '.join(columns)}, `a b` int, y int) USING parquet PARTITIONED BY (y, `a b`)"
    )
    values = ", ".join(f"CAST(NULL AS {t})" for t in TYPES)
    spark.sql(f"INSERT INTO described SELECT {values}, NULL, 2024, 1 UNION ALL SELECT {values}, NULL, 2025, 1")
    spark.sql("ANALYZE TABLE described COMPUTE STATISTICS")
    yield "described"
    spark.sql("DROP TABLE described")


def test_rows_of_describe_are_the_schema(spark: SparkSession, table: str, tmp_path: Path) -> None:
    rows = [r.asDict() for r in spark.sql(f"DESCRIBE TABLE EXTENDED {table}").collect()]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    columns = [f"c{i} {t}" for i, t in enumerate((*TYPES, COLLATED.replace("utf8_lcase", "UTF8_LCASE")))]
    end = "`a b` int PARTITIONED BY (y, `a b`) TBLPROPERTIES ('numRows' = '2')"
    expected = f"{', '.join(columns)}, y int, {end}"  # Spark puts partition columns at the end, in their order
    assert read_exports([path]).schemas == {f"spark_catalog.default.{table}": expected, f"default.{table}": expected}


def test_json_of_describe_is_the_schema_but_for_text(spark: SparkSession, table: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(spark.sql(f"DESCRIBE TABLE EXTENDED {table} AS JSON").collect()[0][0], encoding="utf-8")
    ddl = read_exports([path]).schemas[f"default.{table}"]
    known = [f"c{i} {'unknown' if t in NO_TEXT else _ltz(t)}" for i, t in enumerate(TYPES)]
    end = "`a b` int PARTITIONED BY (y, `a b`) TBLPROPERTIES ('numRows' = '2')"
    assert ddl == f"{', '.join(known)}, c{len(TYPES)} unknown, y int, {end}"


def _ltz(type_: str) -> str:
    return "timestamp_ltz" if type_ == "timestamp" else type_


def test_the_json_hides_char(spark: SparkSession, table: str) -> None:
    """Why the types of its texts are not taken: it says the same of ``char(3)``, which is compared with blanks."""
    described = json.loads(spark.sql(f"DESCRIBE TABLE EXTENDED {table} AS JSON").collect()[0][0])["columns"]
    of = {t: described[i]["type"] for i, t in enumerate(TYPES)}
    assert of["char(3)"] == of["string"]
