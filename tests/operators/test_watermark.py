"""A filter below a watermark changes what a stream gives: the counterexample of the law, on Spark."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BATCHES = [
    [{"at": "2024-05-01T12:00:00", "x": 1}],
    [{"at": "2024-05-01T13:00:00", "x": 1}],  # a row is late by the watermark of the batch before the last
    [{"at": "2024-05-01T10:00:00", "x": 9}],
    [{"at": "2024-05-01T18:00:00", "x": 9}],
]


def counted(spark: SparkSession, folder: Path, *, below: bool, stream: bool = True) -> list[datetime]:
    """The hours in which there is a row with ``x > 5``, asked below or above the watermark."""
    from pyspark.sql import functions as F

    schema = "at timestamp, x int"
    reader = spark.readStream.option("maxFilesPerTrigger", 1) if stream else spark.read
    rows: DataFrame = reader.schema(schema).json(str(folder / "in"))
    # Spark moves a plain condition below a watermark itself, but for one that reads the time.
    passes = (F.col("x") > 5) | F.col("at").isNull()
    rows = (
        rows.filter(passes).withWatermark("at", "1 hour")
        if below
        else rows.withWatermark("at", "1 hour").filter(passes)
    )
    hours = rows.groupBy(F.window("at", "1 hour").alias("hour")).count().select("hour.start")
    if not stream:
        return sorted(r.start for r in hours.collect())
    out = folder / f"out-{below}"
    writer = hours.writeStream.format("parquet").option("checkpointLocation", str(folder / f"state-{below}"))
    writer.trigger(availableNow=True).start(str(out)).awaitTermination()
    return sorted(r.start for r in spark.read.parquet(str(out)).collect())


@pytest.mark.spark
def test_a_stream_gives_other_rows(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for i, rows in enumerate(BATCHES):
        path = tmp_path / f"in/{i}.json"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        os.utime(path, (1_700_000_000 + i, 1_700_000_000 + i))
    above, below = (counted(spark, tmp_path, below=b) for b in (False, True))
    assert above != below
    above, below = (counted(spark, tmp_path, below=b, stream=False) for b in (False, True))
    assert above == below
