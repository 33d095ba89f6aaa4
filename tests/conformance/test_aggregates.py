"""The folds of native aggregates against Spark itself, on NULL, NaN, zeros and empty groups."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import pytest

from headwater.operators.move import Moved, move
from headwater.semantics.interpreter import run_fold
from tests.frontend.render import last

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

INTS = (None, 0, 1, 3)
FLOATS = (None, math.nan, -0.5, 2.0)
AGGREGATES = (
    'F.max("x")', 'F.min("x")', 'F.sum("x")', 'F.count("x")', 'F.avg("x")', 'F.count("*")', 'F.max("y")', 'F.min("y")', 'F.count("y")',
    'F.count_if(F.col("x") > 0)', 'F.bool_or(F.col("x") > 0)', 'F.bool_and(F.col("x") > 0)', 'F.count(F.lit(1))',
    'F.sum(F.when(F.col("x") > 0, 1).otherwise(0))', 'F.sum(F.when(F.col("y") > 0, 1))', 'F.max(F.when(F.col("x") > 0, F.col("y")))',
    'F.count(F.when(F.col("y") > 1, True))', 'F.max(F.coalesce("x", F.lit(2)))',
)  # fmt: skip


def plain(value: Any) -> Any:
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def test_folds_are_what_spark_computes(spark: SparkSession) -> None:
    import pyspark.sql.functions as F

    groups = [p for n in (1, 2) for p in itertools.product(itertools.product(INTS, FLOATS), repeat=n)]
    rows = [(str(i), x, y) for i, group in enumerate(groups) for x, y in group]
    frame = spark.createDataFrame(rows, "k string, x int, y double")
    columns = [eval(a, {"F": F}).alias(f"o{i}") for i, a in enumerate(AGGREGATES)]
    found = {r["k"]: r for r in frame.groupBy("k").agg(*columns).collect()}
    for number, aggregate in enumerate(AGGREGATES):
        moved = move(last(f'df.groupBy("k").agg({aggregate}.alias("o")).filter(F.col("o").isNotNull())'))
        assert isinstance(moved, Moved)
        for i, group in enumerate(groups):
            ours = run_fold(moved.problem.fold, [{"k": str(i), "x": x, "y": y} for x, y in group])
            assert ours is not None
            assert plain(ours["o"]) == plain(found[str(i)][f"o{number}"]), (aggregate, group)


def test_generated_names_are_sparks(spark: SparkSession) -> None:
    import pyspark.sql.functions as F

    frame = spark.createDataFrame([("a", 1)], "k string, x int").groupBy("k")
    assert frame.agg(F.max("x"), F.mean("x"), F.count("*"), F.count(F.lit(1)), F.sum("x"), F.collect_set("x")).columns[1:] == [
        "max(x)", "avg(x)", "count(1)", "count(1)", "sum(x)", "collect_set(x)",
    ]  # fmt: skip
    assert frame.agg({"x": "mean", "*": "count"}).columns[1:] == ["avg(x)", "count(1)"]
    assert [*frame.count().columns, *frame.mean("x").columns] == ["k", "count", "k", "avg(x)"]


def test_dropna_drops_nan_too(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(None,), (math.nan,), (1.0,)], "x double")
    assert [r["x"] for r in frame.dropna(subset=["x"]).collect()] == [1.0]


def test_an_aggregate_without_keys_has_a_row_of_nothing(spark: SparkSession) -> None:
    empty = spark.createDataFrame([], "x int")
    assert empty.groupBy().count().collect()[0]["count"] == 0
