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
from tests.pyspark.render import last

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

INTS = (None, 0, 1, 3)
FLOATS = (None, math.nan, -0.5, 2.0)
AGGREGATES: tuple[str, ...] = (
    'F.max("x")', 'F.min("x")', 'F.sum("x")', 'F.count("x")', 'F.avg("x")', 'F.count("*")', 'F.max("y")', 'F.min("y")', 'F.count("y")',
    'F.count_if(F.col("x") > 0)', 'F.bool_or(F.col("x") > 0)', 'F.bool_and(F.col("x") > 0)', 'F.count(F.lit(1))',
    'F.sum(F.when(F.col("x") > 0, 1).otherwise(0))', 'F.sum(F.when(F.col("y") > 0, 1))', 'F.max(F.when(F.col("x") > 0, F.col("y")))',
    'F.count(F.when(F.col("y") > 1, True))', 'F.max(F.coalesce("x", F.lit(2)))',
    'F.max_by("x", "y")', 'F.min_by("x", "y")', 'F.max_by("y", "x")', 'F.max_by("y", F.when(F.col("x") > 0, F.col("x")))',
    'F.first("x")', 'F.last("y")', 'F.first("x", True)', 'F.last("y", ignorenulls=True)', 'F.any_value("x")', 'F.first_value("y")',
    'F.last(F.when(F.col("x") > 0, F.col("y")), True)', 'F.array_contains(F.collect_set("x"), 3)', 'F.array_contains(F.collect_list("y"), 2.0)',
    'F.array_contains(F.collect_set("y"), -0.5)', 'F.size(F.collect_list("y"))', 'F.max("y") - F.min("y")', 'F.coalesce(F.sum("x"), F.lit(0))',
    'F.when(F.max("x") > 0, F.max("y")).otherwise(F.lit(-1.0))', 'F.sum((F.col("x") > 0).cast("int"))', 'F.sum((F.col("y") > 0).cast("bigint"))',
    'F.max(F.col("y").isNull().cast("int"))', 'F.count("x") + F.count_if(F.col("y") > 0)', 'F.bool_or(F.col("x") > 0) & (F.max("y") > 1)',
)  # fmt: skip
OPAQUE = (
    'F.sum_distinct("x")', 'F.approx_count_distinct("x")', 'F.collect_list("x")', 'F.collect_set("x")', 'F.stddev("y")', 'F.stddev_samp("y")', 'F.stddev_pop("y")', 'F.std("y")',
    'F.variance("y")', 'F.var_samp("y")', 'F.var_pop("y")', 'F.skewness("y")', 'F.kurtosis("y")', 'F.median("x")', 'F.mode("x")', 'F.corr("x", "y")', 'F.covar_pop("x", "y")',
    'F.covar_samp("x", "y")', 'F.percentile("x", F.lit(0.5))', 'F.percentile_approx("x", F.lit(0.5))', 'F.product("y")', 'F.array_agg("x")', 'F.bit_and("x")', 'F.bit_or("x")', 'F.bit_xor("x")',
    'F.listagg("k")', 'F.string_agg("k")', 'F.count_distinct("x")', 'F.countDistinct("x")', 'F.sumDistinct("x")', 'F.approxCountDistinct("x")',
)  # fmt: skip
"""Aggregates that stay uninterpreted."""
ALIASES = {
    'F.mean("x")': 'F.avg("x")', 'F.some(F.col("x") > 0)': 'F.bool_or(F.col("x") > 0)', 'F.every(F.col("x") > 0)': 'F.bool_and(F.col("x") > 0)',
    'F.last_value("y")': 'F.last("y")',
}  # fmt: skip
AGGREGATES += tuple(ALIASES)


def plain(value: Any) -> Any:
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def test_folds_are_what_spark_computes(spark: SparkSession) -> None:
    import pyspark.sql.functions as F

    groups = [p for n in (1, 2) for p in itertools.product(itertools.product(INTS, FLOATS), repeat=n)]
    rows = [(str(i), x, y) for i, group in enumerate(groups) for x, y in group]
    frame = spark.createDataFrame(rows, "k string, x int, y double")
    columns = [eval(f"({a})", {"F": F}).alias(f"o{i}") for i, a in enumerate(AGGREGATES)]
    found = {r["k"]: r for r in frame.groupBy("k").agg(*columns).collect()}
    for number, aggregate in enumerate(AGGREGATES):
        moved = move(last(f'df.groupBy("k").agg(({aggregate}).alias("o")).filter(F.col("o").isNotNull())'))
        assert isinstance(moved, Moved)
        for i, group in enumerate(groups):
            orders = itertools.permutations([{"k": str(i), "x": x, "y": y} for x, y in group])
            ours = [plain((run_fold(moved.problem.fold, list(o)) or {})["o"]) for o in orders]
            assert plain(found[str(i)][f"o{number}"]) in ours, (aggregate, group)
            assert len(set(ours)) == 1 or any(f in aggregate for f in ("first", "last", "any_value", "_by")), aggregate


def test_opaque_aggregates_are_functions_of_their_inputs(spark: SparkSession) -> None:
    """Groups of the same rows in the same order have the same result, whatever it is."""
    import pyspark.sql.functions as F

    inside = [("s", x, y) for x in INTS for y in FLOATS[2:]]
    rows = [(group, *row) for group in ("a", "b") for row in inside]
    frame = spark.createDataFrame(rows, "g string, k string, x int, y double").coalesce(1)
    a, b = frame.groupBy("g").agg(*(eval(t, {"F": F}) for t in OPAQUE)).orderBy("g").collect()
    assert [repr(v) for v in a[1:]] == [repr(v) for v in b[1:]]


def test_sets(spark: SparkSession) -> None:
    """0 exactly where every input is NULL: all that is known of how many distinct values there are."""
    import pyspark.sql.functions as F

    frame = spark.createDataFrame([("a", None), ("b", 1), ("b", 1), ("c", None), ("c", 2)], "k string, x int")
    one, many = (F.size(F.collect_set("x")), F.count_distinct("x"))
    assert {tuple(r) for r in frame.groupBy("k").agg(one, many).collect()} == {("a", 0, 0), ("b", 1, 1), ("c", 1, 1)}
    assert tuple(frame.filter("false").agg(one, many, F.array_contains(F.collect_set("x"), 1)).collect()[0]) == (
        0,
        0,
        False,
    )


def test_partial_states_of_picks(spark: SparkSession) -> None:
    """Over several partitions the result is one that the fold gives for some order of the rows."""
    import pyspark.sql.functions as F

    rows = [(None, 5.0), (1, 5.0), (3, None), (2, math.nan), (4, 0.0), (5, -0.0)]
    frame = spark.createDataFrame(rows, "x int, y double").repartition(3)
    for aggregate in ('F.first("x")', 'F.last("x", True)', 'F.max_by("x", "y")', 'F.min_by("x", "y")'):
        found = frame.agg(eval(aggregate, {"F": F}).alias("o")).collect()[0]["o"]
        moved = move(last(f'df.agg({aggregate}.alias("o")).filter(F.col("o").isNotNull())'))
        assert isinstance(moved, Moved)
        orders = itertools.permutations([{"x": x, "y": y} for x, y in rows])
        possible = [(run_fold(moved.problem.fold, list(o)) or {})["o"] for o in orders]
        assert found in possible, aggregate


def test_generated_names_are_sparks(spark: SparkSession) -> None:
    import pyspark.sql.functions as F

    frame = spark.createDataFrame([("a", 1)], "k string, x int").groupBy("k")
    assert frame.agg(F.max("x"), F.mean("x"), F.count("*"), F.count(F.lit(1)), F.sum("x"), F.collect_set("x")).columns[1:] == [
        "max(x)", "avg(x)", "count(1)", "count(1)", "sum(x)", "collect_set(x)",
    ]  # fmt: skip
    assert frame.agg(F.first("x", True), F.last("x"), F.max_by("x", "k"), F.min_by("x", F.col("k"))).columns[1:] == [
        "first(x)", "last(x)", "max_by(x, k)", "min_by(x, k)",
    ]  # fmt: skip
    assert frame.agg({"x": "mean", "*": "count"}).columns[1:] == ["avg(x)", "count(1)"]
    assert [*frame.count().columns, *frame.mean("x").columns] == ["k", "count", "k", "avg(x)"]


def test_dropna_drops_nan_too(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(None,), (math.nan,), (1.0,)], "x double")
    assert [r["x"] for r in frame.dropna(subset=["x"]).collect()] == [1.0]


def test_an_aggregate_without_keys_has_a_row_of_nothing(spark: SparkSession) -> None:
    empty = spark.createDataFrame([], "x int")
    assert empty.groupBy().count().collect()[0]["count"] == 0
