"""What Spark finds of itself, and what a source skips by the form that HW201 gives a condition (issue 22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.rewrite.edit import apply_edits
from tests.source.cells import DDL, TOTAL, frames, measured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = """\
import datetime
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
BY_SPARK = (
    "F.to_date('t') == datetime.date(2021, 1, 10)", "F.to_date('t') >= datetime.date(2021, 1, 10)",
    "F.col('t').cast('date') == datetime.date(2021, 1, 10)", "F.to_date('dt') == datetime.date(2021, 1, 10)",
    "F.to_date('t').isin(datetime.date(2021, 1, 10))",
    "F.to_date('t').between(datetime.date(2021, 1, 10), datetime.date(2021, 1, 11))",
)  # fmt: skip
"""Conditions that Spark itself makes tests of the bare column of."""
HIDDEN = (
    "F.year('dt') == 2021", "F.year('t') == 2021", "F.date_add('dt', 3) > datetime.date(2021, 9, 1)",
    "F.add_months('dt', 1) > datetime.date(2021, 9, 30)", "F.last_day('dt') == datetime.date(2021, 2, 28)",
    "F.substring('s', 1, 2) == 'n4'", "F.coalesce(F.col('i'), F.lit(0)) > 400", "F.col('i').cast('string') == '77'",
    "(F.year('dt') == 2020) & (F.month('dt') == 7)",
    "F.to_date('t').isin(datetime.date(2021, 1, 10), datetime.date(2021, 1, 11))",
)  # fmt: skip


def source(condition: str) -> str:
    return f"{HEAD}result = spark.read.schema({DDL!r}).parquet('rows').filter({condition})\n"


def rewritten(condition: str) -> str | None:
    """The condition as HW201 writes it; None if it says nothing."""
    found = [o for o in analyse(source(condition)).opportunities if o.code == "HW201"]
    if not found:
        return None
    return apply_edits(source(condition), found[0].edits).rpartition(".filter(")[2].rstrip()[:-1]


@pytest.mark.parametrize("condition", BY_SPARK)
def test_nothing_is_said_of_what_spark_finds(condition: str) -> None:
    assert rewritten(condition) is None


@pytest.mark.parametrize("condition", HIDDEN)
def test_each_is_found(condition: str) -> None:
    assert rewritten(condition) not in (None, condition)


@pytest.mark.spark
def test_fewer_rows_leave_a_parquet_file(spark: SparkSession) -> None:
    """The same rows pass, and fewer leave the scan, where all did; what Spark finds is skipped by as it is."""
    import datetime

    from pyspark.sql import functions as F

    names: dict[str, Any] = {"F": F, "datetime": datetime}
    with frames(spark) as found:
        frame = found("parquet")
        for condition in BY_SPARK:
            assert left(measured(frame, eval(condition, names))) < TOTAL, condition
        for condition in HIDDEN:
            after = rewritten(condition)
            assert after is not None
            before_cell, after_cell = (measured(frame, eval(c, names)) for c in (condition, after))
            assert before_cell.split("/")[0] == after_cell.split("/")[0], (condition, after)
            assert left(before_cell) == TOTAL > left(after_cell), (condition, after)


def left(cell: str) -> int:
    """The rows that left the scan."""
    return int(cell.split("/")[1])
