"""Computing frames and RDDs: how long it takes, what it reads, and whether two of them hold the same rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHOWN = 3
"""Rows that a difference is shown by."""


def compute(output: Any) -> None:
    """Every row of ``output``; they go nowhere."""
    if _is_rdd(output):
        output.foreachPartition(_consume)
    else:
        output.write.format("noop").mode("overwrite").save()


def _consume(records: Any) -> None:
    for _ in records:
        pass


def as_frame(spark: SparkSession, output: Any) -> DataFrame:
    """The rows of ``output`` in a form that can be stored and compared: columns by position, records of an RDD as
    text."""
    if _is_rdd(output):
        return spark.createDataFrame(output.map(lambda record: (_told(record),)), "c0 string")
    renamed: DataFrame = output.toDF(*(f"c{i}" for i in range(len(output.columns))))
    return renamed


def _told(record: Any) -> str:
    """A record as text; groups of values have no order."""
    if isinstance(record, tuple):
        return "(" + ", ".join(_told(part) for part in record) + ")"
    return repr(sorted(map(repr, record))) if type(record).__name__ == "ResultIterable" else repr(record)


def differences(before: DataFrame, after: DataFrame) -> list[str]:
    """Rows that occur more often in the one than in the other, some of each; none if they are equal as bags."""
    found = [f"only before: {tuple(row)}" for row in before.exceptAll(after).take(SHOWN)]
    return found + [f"only after: {tuple(row)}" for row in after.exceptAll(before).take(SHOWN)]


def pushed(output: Any) -> list[str]:
    """The conditions that each scan of a frame hands to its files, as Spark's plan shows them."""
    if _is_rdd(output):
        return []
    plan = str(output._jdf.queryExecution().executedPlan().toString())
    return sorted(set(re.findall(r"PushedFilters: \[(.*?)\], ReadSchema", plan)) - {""})


def read_by(spark: SparkSession, group: str) -> tuple[int, int]:
    """Bytes and rows that the jobs of a job group have read from files."""
    tracker, store = spark.sparkContext.statusTracker(), spark.sparkContext._jsc.sc().statusStore()
    stages = {
        stage
        for job in tracker.getJobIdsForGroup(group)
        if (info := tracker.getJobInfo(job)) is not None
        for stage in info.stageIds
        if tracker.getStageInfo(stage) is not None
    }
    attempts = [store.lastStageAttempt(stage) for stage in stages]
    return sum(int(a.inputBytes()) for a in attempts), sum(int(a.inputRecords()) for a in attempts)


def _is_rdd(output: Any) -> bool:
    return not hasattr(output, "select")
