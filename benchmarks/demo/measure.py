"""Runs a pipeline before and after its rewrite on local Spark: the same rows? how much faster?"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .pipelines import Pipeline, build, namespace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Step = Callable[[str], None]
"""Told what happens next, for the progress display."""


@dataclass(frozen=True)
class Measurement:
    """``rows_kept``: what the pre-filter leaves of ``rows_in``. Times in seconds, one per timed run."""

    rows_in: int
    rows_kept: int
    rows_out: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    equal: bool

    @property
    def kept_percent(self) -> float:
        """Share of the input rows that pass the pre-filter, in percent."""
        return 100 * self.rows_kept / self.rows_in

    @property
    def ratio(self) -> float:
        """Median time before over median time after."""
        return statistics.median(self.before) / statistics.median(self.after)


def session() -> SparkSession:
    """Local Spark on all cores, with defaults except for what a small machine needs."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[*]")
        .appName("headwater-demo")
        .config("spark.driver.memory", "2g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def seconds(frame: Callable[[], DataFrame]) -> float:
    """Time to build and fully compute a frame; the rows go nowhere."""
    start = time.perf_counter()
    frame().write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def same_rows(before: DataFrame, after: DataFrame) -> bool:
    """Equality as bags: every row occurs equally often in both."""
    missing, extra = before.exceptAll(after), after.exceptAll(before)
    return not missing.take(1) and not extra.take(1)


def kept(spark: SparkSession, pipeline: Pipeline, data: Path, prefilter: dict[str, Any]) -> tuple[int, int]:
    """Rows of the input, and how many of them pass the pre-filter of a finding."""
    rows = spark.read.parquet(str(data / pipeline.dataset))
    condition = prefilter["sql"]
    if condition is None:
        import pyspark.sql.functions

        names = {**vars(pyspark.sql.functions), "F": pyspark.sql.functions, **namespace(pipeline.path)}
        condition = eval(prefilter["text"], names)
    return rows.count(), rows.filter(condition).count()


def measure(
    spark: SparkSession,
    pipeline: Pipeline,
    rewritten: Path,
    data: Path,
    scratch: Path,
    prefilter: dict[str, Any],
    runs: int,
    step: Step,
) -> Measurement:
    """The first run of each side is the warm-up; its rows are compared. Then ``runs`` timed runs, alternating."""
    sides = {"before": pipeline.path, "after": rewritten}
    results = {}
    for side, path in sides.items():
        step(f"warm-up, {side}")
        build(path, spark, data).write.mode("overwrite").parquet(str(scratch / side))
        results[side] = spark.read.parquet(str(scratch / side))
    step("comparing rows")
    equal = same_rows(results["before"], results["after"])
    rows_out = results["after"].count()
    rows_in, rows_kept = kept(spark, pipeline, data, prefilter)
    times: dict[str, list[float]] = {side: [] for side in sides}
    for run in range(runs):
        for side, path in sides.items():
            step(f"run {run + 1}, {side}")
            times[side].append(seconds(lambda path=path: build(path, spark, data)))  # type: ignore[misc]
    return Measurement(rows_in, rows_kept, rows_out, tuple(times["before"]), tuple(times["after"]), equal)


STEPS_BESIDE_RUNS = 3
"""Calls of ``step`` in ``measure`` that are not timed runs."""
