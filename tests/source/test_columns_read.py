"""What a finding of unread columns says of the scan is what Spark's plan reads of the files (HW401 at the source)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.rewrite.edit import apply_edits

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

DDL = "id long, k int, v double, name string, ts timestamp"
HEAD = """\
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
READ = "pdf = {frame}.toPandas()\ntotal = pdf['v'].sum()\nmost = pdf['k'].max()\n"
SOURCE = f"spark.read.schema('{DDL}').{{format}}('rows')"
FRAMES = {
    SOURCE: "k, v",
    f"{SOURCE}.filter('id > 5')": "id, k, v",
    f"{SOURCE}.filter(F.col('v') > 0).filter(F.col('name').startswith('a'))": "k, v, name",
    f"{SOURCE}.filter(F.col('k').isNotNull() & (F.col('ts') > '2020-01-01'))": "k, v, ts",
}
"""Frames, and which columns of the files are read where two of them are looked at."""
SILENT = (
    "spark.read.parquet('rows')", "spark.table('rows')", f"spark.read.schema('{DDL}').csv('rows')",
    f"spark.read.schema('{DDL}').parquet('rows').cache()", f"spark.read.schema('{DDL}').parquet('rows').limit(5)",
    f"spark.read.schema('{DDL}').parquet('rows').distinct()",
    f"spark.read.schema('{DDL}').parquet('rows').withColumn('v', F.col('v') + F.col('id'))",
    f"spark.read.schema('{DDL}').parquet('rows').filter(F.crc32('name') > 5)",
    f"spark.read.schema('{DDL}').parquet('rows').filter('v > 0 AND k > 0 AND id > 0 AND name > 0 AND ts IS NULL')",
    f"spark.read.schema('{DDL}').parquet('rows').select('k', 'v')",
)  # fmt: skip
"""Frames of which nothing is said of a scan: what it reads is not known, or is not by columns, or is all."""


def notes(frame: str) -> tuple[str, ...]:
    found = [o for o in analyse(HEAD + READ.format(frame=frame)).opportunities if o.code == "HW401"]
    return tuple(n for o in found for n in o.notes if "the scan of" in n)


@pytest.mark.parametrize("format_", ["parquet", "orc"])
@pytest.mark.parametrize("frame", FRAMES)
def test_the_note_names_them(frame: str, format_: str) -> None:
    (said,) = notes(frame.format(format=format_))
    assert said.endswith(f"reads {FRAMES[frame].count(',') + 1} of 5 columns: {FRAMES[frame]}")


@pytest.mark.parametrize("frame", SILENT)
def test_nothing_is_said(frame: str) -> None:
    assert not notes(frame)


@pytest.mark.spark
@pytest.mark.parametrize("format_", ["parquet", "orc"])
def test_spark_reads_those(spark: SparkSession, tmp_path: Path, format_: str) -> None:
    """``ReadSchema`` holds all columns before the edit, and those of the note after it."""
    from pyspark.sql import functions as F

    path = str(tmp_path / "rows")
    spark.range(20).selectExpr(
        "id", "CAST(id AS int) AS k", "id / 2D AS v", "'a' AS name", "TIMESTAMP'2021-01-01' AS ts"
    ).write.format(format_).save(path)

    def read(frame: str) -> str:
        plan: Any = eval(frame.replace("'rows'", repr(path)), {"spark": spark, "F": F})
        text = plan._jdf.queryExecution().executedPlan().toString()
        return ", ".join(re.findall(r"(\w+):", re.search(r"ReadSchema: struct<(.*?)>", text)[1]))  # type: ignore[index]

    for frame, columns in FRAMES.items():
        before = HEAD + READ.format(frame=frame.format(format=format_))
        (found,) = [o for o in analyse(before).opportunities if o.code == "HW401"]
        after = apply_edits(before, found.edits)
        changed = re.search(r"pdf = (.*)\.toPandas", after)
        assert changed
        assert read(frame.format(format=format_)) == "id, k, v, name, ts"
        assert read(changed[1]) == columns
