"""CSV without a schema holds text: `max("size") > 3` compares "10" with "9" as words, then a word with a number."""

from __future__ import annotations

import pytest

from headwater.engine.analysis.analyse import analyse

HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"
REST = '.groupBy("team").agg(F.max("size").alias("m")).filter(F.col("m") > 3)'


def codes(read: str, rest: str = REST) -> list[str]:
    return [o.code for o in analyse(f"{HEAD}options = dict()\n{read}{rest}").opportunities]


@pytest.mark.parametrize(
    "read",
    [
        'spark.read.csv("x")',
        'spark.read.option("header", True).csv("x")',
        'spark.read.format("csv").load("x")',
        'spark.read.csv("x").filter("team IS NOT NULL").dropna(subset=["size"])',
        'spark.read.csv("x").withColumn("other", F.col("size").cast("int"))',
    ],
)
def test_text_is_not_compared_with_numbers(read: str) -> None:
    assert codes(read) == []


@pytest.mark.parametrize(
    "read",
    [
        'spark.read.csv("x", inferSchema=True)',
        'spark.read.option("inferSchema", "true").csv("x")',
        'spark.read.options(inferschema=True).csv("x")',
        'spark.read.csv("x", schema=known)',
        'spark.read.csv("x", known)',
        "spark.read.csv('x', **options)",
        'spark.read.option(key, True).csv("x")',
        'spark.read.csv("x").withColumn("size", F.col("size").cast("int"))',
        'spark.read.parquet("x")',
    ],
)
def test_what_may_be_a_number_is_taken_for_one(read: str) -> None:
    assert codes(read) == ["HW101"]


def test_text_is_compared_with_text() -> None:
    rest = '.groupBy("team").agg(F.max("size").alias("m")).filter(F.col("m") > "b")'
    assert codes('spark.read.csv("x")', rest) == ["HW101"]
