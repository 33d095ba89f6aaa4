"""Arithmetic that is taken to be the same with ANSI on and off is so on Spark, and the other is seen to differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.engine.analysis.session_settings import _may_fail
from headwater_ir.expr import Arith, Col, Expr, Lit, Neg
from headwater_ir.problem import Column, Fold
from headwater_ir.types import FLOAT, INT, Type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTREMES = (-(2**63), -(2**63) + 1, -2, -1, 0, 1, 2, 2**63 - 1)


def fold(kind: Type) -> Fold:
    return Fold("agg", "dataframe", (Column("n", kind),), (), (), (), ())


def whole(value: int) -> Expr:
    return Lit(value, INT)


SAME = {
    "n % 7": Arith("%", Col("n"), whole(7), "sql"),
    "n % -1": Arith("%", Col("n"), whole(-1), "sql"),
    "n div 3": Arith("//", Col("n"), whole(3), "sql"),
}
OTHER = {
    "n % 0": Arith("%", Col("n"), whole(0), "sql"),
    "n div 0": Arith("//", Col("n"), whole(0), "sql"),
    "n div -1": Arith("//", Col("n"), whole(-1), "sql"),
    "n + 1": Arith("+", Col("n"), whole(1), "sql"),
    "n * 10": Arith("*", Col("n"), whole(10), "sql"),
    "-n": Neg(Col("n"), "sql"),
}


@pytest.mark.parametrize("text", [*SAME, *OTHER])
def test_what_depends_on_the_setting(text: str) -> None:
    assert _may_fail({**SAME, **OTHER}[text], fold(INT), frozenset()) is (text in OTHER)


def test_floats_do_not_overflow_to_an_error() -> None:
    assert not _may_fail(Arith("*", Col("n"), Col("n"), "sql"), fold(FLOAT), frozenset())


@pytest.mark.spark
def test_on_spark(spark: SparkSession) -> None:
    """Each at the ends of a bigint, with ANSI on and off."""
    frame = spark.createDataFrame([(n,) for n in EXTREMES], "n bigint")

    def results(text: str, ansi: str) -> list[object]:
        spark.conf.set("spark.sql.ansi.enabled", ansi)
        try:
            return [row[0] for row in frame.selectExpr(text).collect()]
        except Exception:
            return ["an error"]
        finally:
            spark.conf.unset("spark.sql.ansi.enabled")

    for text in (*SAME, *OTHER):
        assert (results(text, "true") == results(text, "false")) is (text in SAME), text
