"""Dates and moments with an interval added: the functions that the front end reads them as make the same of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater_ir.expr import Call, Compare, Expr, Lit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"
_UNITS = ("DAY", "DAYS", "WEEK", "MONTH", "MONTHS", "YEAR")
OF_DATES = (
    *(f"d {op} INTERVAL {n} {u}" for op in "+-" for n in (1, 13, -2) for u in _UNITS), "d + 7", "d - 7", "7 + d",
    "INTERVAL 1 DAY + d", "d + INTERVAL '3' DAY", "d + INTERVAL '3 days'",
)  # fmt: skip
OF_MOMENTS = (
    *(f"t {op} INTERVAL {n} {u}" for op in "+-" for n in (1, 25, -2) for u in (*_UNITS, "HOUR", "MINUTES", "SECOND")),
    "INTERVAL 1 DAY + t",
)  # fmt: skip
REFUSED = (
    "d + INTERVAL 1 HOUR", "t + INTERVAL 1 DAY 2 HOURS", "t + INTERVAL '1-2' YEAR TO MONTH", "d - d", "t + 7", "d + n",
    "t + INTERVAL 1.5 SECONDS", "t + INTERVAL 1 MILLISECOND", "t + make_interval(0, 1)", "INTERVAL 1 DAY - d",
    "d * INTERVAL 1 DAY",
)  # fmt: skip


def read(text: str) -> Expr | None:
    """The meaning of ``text``; None if it has none."""
    other = "t" if "t " in f"{text} " else "d"
    source = f"{HEAD}spark.table('t').filter(F.expr({text!r}) == F.expr({other!r}))\n"
    filters = read_module(source, FrontendOptions(schemas=(("t", "d date, t timestamp, n int"),))).filters
    condition = filters[0].conjuncts[0].condition if filters and filters[0].unread is None else None
    return condition.left if isinstance(condition, Compare) else None


def spelled(e: Expr) -> str:
    assert isinstance(e, Call)
    parts = [str(a.value) if isinstance(a, Lit) else a.name for a in e.args]  # type: ignore[union-attr]
    return f"{e.name.removeprefix('spark.')}({', '.join(parts)})"


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_meaning(text: str) -> None:
    assert read(text) is None


def test_all_have_a_meaning() -> None:
    assert all(read(text) is not None for text in (*OF_DATES, *OF_MOMENTS))


@pytest.mark.spark
def test_spark_agrees(spark: SparkSession) -> None:
    """Of moments, ``tests/proof/ranges/test_shown.py`` asks for the days."""
    frame = spark.sql("SELECT explode(sequence(DATE'2011-10-25', DATE'2012-04-02')) AS d")
    for text in OF_DATES:
        e = read(text)
        assert e is not None
        assert frame.filter(f"NOT (({text}) <=> {spelled(e)})").count() == 0, (text, spelled(e))
