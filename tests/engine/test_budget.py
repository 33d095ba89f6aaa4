"""What a file's budget does not reach is left as it is, by name, and what was found before stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options

FIRST_ROWS = """
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k long, s string, n long").parquet("/data/t")
u = spark.read.schema("k long, s string, n long").parquet("/data/u")
print(t.collect()[0])
print(u.collect()[0])
"""
FILTERS = """
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k long, at timestamp").parquet("/data/t")
print(t.groupBy("k").agg(F.max("at").alias("m")).filter("k > 3").filter(F.year("m") > 2020).collect())
t.filter(F.year("at") == 2024).show()
"""


def _slow(seconds: float) -> Callable[[], float]:
    """A clock by which so much time passes whenever somebody looks."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += seconds
        return now

    return clock


@pytest.mark.parametrize("source", [FIRST_ROWS, FILTERS])
def test_places_out_of_time_are_time_outs(source: str) -> None:
    """Each place once, with the budget; none of them is called anything else."""
    options = Options()
    report = analyse(source, options, clock=_slow(options.budget_seconds + 1))
    late = [s for s in report.skipped if s.obstruction == "time-out"]
    assert late
    assert not report.opportunities
    assert all(f"took more than {options.budget_seconds:g} s" in s.reason for s in late)


def test_what_was_found_in_time_stays() -> None:
    """The first of two places is reported, though the second is out of time."""
    options = Options()
    whole = analyse(FIRST_ROWS, options)
    assert [o.code for o in whole.opportunities] == ["HW402", "HW402"]
    for steps in range(2, 40):
        report = analyse(FIRST_ROWS, options, clock=_slow(options.budget_seconds / steps))
        if len(report.opportunities) == 1:
            assert [s.obstruction for s in report.skipped if s.obstruction == "time-out"] == ["time-out"]
            assert report.opportunities[0].filter_span == whole.opportunities[0].filter_span
            return
    raise AssertionError("no clock gives out between the two places")
