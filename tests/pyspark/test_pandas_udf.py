"""How a pandas UDF that aggregates is written, and what is not one."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from headwater.operators.move import Moved, move

from .render import last, outcome

HEAD = """
from __future__ import annotations
import datetime
import typing
from typing import Iterator, Optional
import numpy as np
import pandas as pd
from pyspark.sql import functions as F, SparkSession
from pyspark.sql.functions import PandasUDFType, pandas_udf
from pyspark.sql.types import DoubleType
spark = SparkSession.builder.getOrCreate()
df = spark.read.schema("k string, x int, y double, s string").parquet("p")
RETURNS = "double"

def plain(v):
    return v.max()

def hinted(v: pd.Series) -> float:
    return v.max()
"""
USE = 'df.groupBy("k").agg(f("y").alias("o")).filter(F.col("o") > 1)'
DECORATED = "def f(v: pd.Series) -> float:\n    return v.max()\n"

READ = {
    "decorator": f'@pandas_udf("double")\n{DECORATED}',
    "decorator of the module": f'@F.pandas_udf("double")\n{DECORATED}',
    "a type object": f"@pandas_udf(DoubleType())\n{DECORATED}",
    "by keyword": f'@pandas_udf(returnType="double")\n{DECORATED}',
    "a constant": f"@pandas_udf(RETURNS)\n{DECORATED}",
    "hints in quotes": '@pandas_udf("double")\ndef f(v: "pd.Series") -> "float":\n    return v.max()\n',
    "optional": '@pandas_udf("double")\ndef f(v: pd.Series) -> Optional[float]:\n    return v.max()\n',
    "or None": '@pandas_udf("double")\ndef f(v: pd.Series) -> float | None:\n    return v.max()\n',
    "old decorator": '@pandas_udf("double", PandasUDFType.GROUPED_AGG)\ndef f(v):\n    return v.max()\n',
    "old decorator by keyword": '@pandas_udf("double", functionType=F.PandasUDFType.GROUPED_AGG)\ndef f(v):\n    return v.max()\n',
    "old call": 'f = pandas_udf(plain, "double", PandasUDFType.GROUPED_AGG)\n',
    "a lambda": 'f = pandas_udf(lambda v: v.max(), "double", PandasUDFType.GROUPED_AGG)\n',
    "call by hints": 'f = pandas_udf(hinted, returnType="double")\n',
}  # fmt: skip


@pytest.mark.parametrize("definition", READ.values(), ids=READ.keys())
@pytest.mark.parametrize(
    "use", [USE, USE.replace('"y"', "df.y"), USE.replace('"y"', 'F.col("y")'), USE.replace('.groupBy("k")', "")]
)
def test_read(definition: str, use: str) -> None:
    moved = move(last(definition + use, HEAD))
    assert isinstance(moved, Moved), moved
    fold = moved.problem.fold
    assert (fold.api, fold.grouped, fold.merge, len(fold.slots)) == ("pandas_udf", True, None, 1)


REFUSED = {
    "no hints": ('@pandas_udf("double")\ndef f(v):\n    return v.max()\n', "opaque"),
    "half of the hints": ('@pandas_udf("double")\ndef f(v: pd.Series):\n    return v.max()\n', "opaque"),
    "series to series": ('@pandas_udf("double")\ndef f(v: pd.Series) -> pd.Series:\n    return v\n', "opaque"),
    "iterator": ('@pandas_udf("double")\ndef f(v: Iterator[pd.Series]) -> float:\n    return 1.0\n', "opaque"),
    "frame": ('@pandas_udf("double")\ndef f(v: pd.DataFrame) -> float:\n    return 1.0\n', "opaque"),
    "unknown hint": ('@pandas_udf("double")\ndef f(v: pd.Series) -> Number:\n    return v.max()\n', "opaque"),
    "another kind": ('@pandas_udf("double", PandasUDFType.SCALAR)\ndef f(v: pd.Series) -> float:\n    return v.max()\n', "opaque"),
    "several decorators": (f'@cached\n@pandas_udf("double")\n{DECORATED}', "opaque"),
    "no return type": (f"@pandas_udf()\n{DECORATED}", "opaque"),
    "a function of elsewhere": ('from lib import worst\nf = pandas_udf(worst, "double")\n', "opaque"),
    "nondeterministic": ('f = pandas_udf(hinted, "double").asNondeterministic()\n', "opaque"),
    "shadowed": (f'pandas_udf = print\n@pandas_udf("double")\n{DECORATED}', "opaque"),
    "a column that is not there": (f'@pandas_udf("double")\n{DECORATED.replace("v.max()", "v.max() + z")}', "opaque"),
}  # fmt: skip


@pytest.mark.parametrize(("definition", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(definition: str, expected: str) -> None:
    assert outcome(definition + USE, HEAD) == expected


USES = {
    "beside a native one": ('df.groupBy("k").agg(f("y").alias("o"), F.max("y").alias("p")).filter("o > 1")', "may-throw"),
    "of a computed column": ('df.groupBy("k").agg(f(F.col("y") * 2).alias("o")).filter("o > 1")', "opaque"),
    "of a literal": ('df.groupBy("k").agg(f(F.lit(1.5)).alias("o")).filter("o > 1")', "opaque"),
    "by keyword": ('df.groupBy("k").agg(f(v="y").alias("o")).filter("o > 1")', "opaque"),
    "computed with": ('df.groupBy("k").agg((f("y") + 1).alias("o")).filter("o > 1")', "opaque"),
    "of two columns": ('df.groupBy("k").agg(f("y", "x").alias("o")).filter("o > 1")', "may-throw"),
    "of a missing column": ('df.groupBy("k").agg(f("z").alias("o")).filter("o > 1")', "attribute-capture"),
    "twice the same name": ('df.groupBy("k").agg(f("y").alias("o"), f("x").alias("o")).filter("o > 1")', "attribute-capture"),
    "as a column": ('df.withColumn("o", f("y")).filter("o > 1")', "opaque"),
    "of a decimal": ('spark.read.schema("k string, y decimal(10,2)").parquet("q").groupBy("k").agg(f("y").alias("o")).filter("o > 1")', "opaque"),
}  # fmt: skip


@pytest.mark.parametrize(("use", "expected"), USES.values(), ids=USES.keys())
def test_uses_that_are_refused(use: str, expected: str) -> None:
    assert outcome(READ["decorator"] + use, HEAD) == expected


def test_generated_name() -> None:
    assert (
        outcome(READ["decorator"] + 'df.groupBy("k").agg(f("y")).filter(F.col("f(y)") > 1)', HEAD) == "agg: (f(y)' > 1)"
    )


def test_a_filter_on_the_column_of_a_refused_function_names_its_reason() -> None:
    """Over a source of text: not that text is compared with a number, which is what becomes of an unknown column."""
    from headwater.engine.analysis.analyse import analyse

    source = (
        HEAD.replace('schema("k string, x int, y double, s string").parquet("p")', 'option("header", True).csv("p")')
        + '@pandas_udf("long")\ndef f(v: pd.Series) -> pd.Series:\n    return v.rolling(3).sum()\n'
        + 'df.withColumn("o", f("x")).filter(F.col("o") > 1)\n'
    )
    report = analyse(source)
    assert [(s.obstruction, s.reason) for s in report.skipped] == [
        ("row-context", "the method `rolling` of a column may look at other rows")
    ]
