"""UDTF classes on real Spark, with Arrow and without: the folds, and what the model rests on."""

from __future__ import annotations

import datetime as dt
import itertools
import math
from typing import TYPE_CHECKING, Any

import pytest

from headwater_ir.expr import Scalar
from tests.python.harness import ERROR, groups_without_errors, same, schema

from .udtf_cases import CASES, made

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
COUNT = """
class T:
    def __init__(self):
        self.k = None
        self.n = 0

    def eval(self, row):
        self.k = row["k"]
        self.n += 1

    def terminate(self):
        {guard}yield str(self.k), self.n
"""
LOUD, QUIET = COUNT.format(guard=""), COUNT.format(guard="if self.n:\n            ")


@pytest.mark.parametrize("name", ["top2 single", "guarded single"])
def test_one_partition_of_everything(name: str, spark: SparkSession) -> None:
    case = CASES[name]
    fields = schema(case.columns).fields
    function = made(case.source, case.output, None)
    for group in list(groups_without_errors(case).values())[:6]:
        frame = spark.createDataFrame([tuple(r[f.name] for f in fields) for r in group], case.columns)
        found = [row.asDict() for row in function(frame.asTable().withSinglePartition()).collect()]
        expected = [case.model(list(p)) for p in itertools.permutations(group)]
        assert any(same(found[0] if found else None, e) for e in expected)
    empty = spark.createDataFrame([], case.columns)
    assert function(empty.asTable().withSinglePartition()).collect() == []


def frame_of(spark: SparkSession) -> DataFrame:
    """Three groups."""
    return spark.createDataFrame([("a", 1.0), ("a", 2.0), ("b", 3.0), ("c", 4.0)], "k string, x double")


@pytest.mark.parametrize("arrow", [True, False])
def test_a_task_without_rows(arrow: bool, spark: SparkSession) -> None:
    """With adaptive execution there is none after a shuffle; without it, `terminate` runs, and must not yield."""
    from pyspark.sql import functions as F

    frame = frame_of(spark)
    loud, quiet = made(LOUD, "k string, n long", arrow), made(QUIET, "k string, n long", arrow)
    for function in (loud, quiet):
        assert function(frame.filter("x > 9").asTable().partitionBy("k")).collect() == []
        assert function(frame.filter("x > 9").asTable().withSinglePartition()).collect() == []
    grouped = frame.groupBy("k").agg(F.max("x").alias("x")).filter("x > 9")
    assert quiet(grouped.asTable().partitionBy("k")).collect() == []
    with pytest.raises(Exception, match="NullPointerException"):
        loud(grouped.asTable().partitionBy("k")).collect()
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    try:
        assert quiet(frame.filter("x > 9").asTable().withSinglePartition()).collect() == []
        with pytest.raises(Exception, match="NullPointerException"):
            loud(frame.filter("x > 9").asTable().withSinglePartition()).collect()
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")


@pytest.mark.parametrize("arrow", [True, False])
def test_partitions_by_float_keys(arrow: bool, spark: SparkSession) -> None:
    """Each NaN is a partition of its own, all NULLs are one, and so are both zeros, whatever stands between them."""
    rows = [
        (math.nan, "a"),
        (math.nan, "a"),
        (None, "a"),
        (None, "a"),
        (0.0, "a"),
        (-0.0, "b"),
        (0.0, "b"),
        (-0.0, "a"),
    ]
    frame = spark.createDataFrame(rows, "k double, j string")
    found = made(QUIET, "k string, n long", arrow)(frame.asTable().partitionBy("k", "j")).collect()
    assert sorted((k.lstrip("-"), n) for k, n in found) == [("0.0", 2), ("0.0", 2), ("None", 2), ("nan", 1), ("nan", 1)]


@pytest.mark.parametrize("arrow", [True, False])
def test_results_of_another_type(arrow: bool, spark: SparkSession) -> None:
    """Why the declared type must be the value's: the two ways do different things."""

    def stored(row: str, declared: str) -> Any:
        source = f"class T:\n    def eval(self, row):\n        pass\n    def terminate(self):\n        yield {row}\n"
        one = frame_of(spark).filter("k = 'b'")
        try:
            return tuple(made(source, declared, arrow)(one.asTable().partitionBy("k")).collect()[0])
        except Exception:
            return (ERROR,)

    differing: dict[tuple[str, str], tuple[Scalar, Scalar]] = {
        ("1", "double"): (1.0, None), ("True", "double"): (1.0, None), ("2.5", "long"): (2, None),
        ("True", "long"): (ERROR, None), ("2**40", "int"): (ERROR, 0), ("2**70", "long"): (ERROR, None),
        ("'x'", "double"): (ERROR, None), ("1", "boolean"): (ERROR, None), ("None", "double not null"): (ERROR, ERROR),
    }  # fmt: skip
    for (value, declared), (with_arrow, without) in differing.items():
        assert stored(f"({value},)", f"v {declared}") == (with_arrow if arrow else without,), (value, declared)
    alike: dict[tuple[str, str], Scalar] = {
        ("7", "long"): 7, ("2.5", "double"): 2.5, ("math.nan", "double"): math.nan, ("'x'", "string"): "x",
        ("True", "boolean"): True, ("None", "double"): None, ("3", "string"): "3", ("True", "string"): "true",
    }  # fmt: skip
    for (value, declared), expected in alike.items():
        assert same(stored(f"({value},)", f"v {declared}")[0], expected), (value, declared)
    two = "v double, w long"
    assert stored("(1.5, 2)", two) == stored("[1.5, 2]", two) == stored("Row(1.5, 2)", two) == (1.5, 2)
    assert stored("Row(w=1.5, v=2)", two) == (1.5, 2)
    assert stored("None", two) == (None, None)
    assert stored("(1.5,)", two) == (ERROR,)


@pytest.mark.parametrize("arrow", [True, False])
def test_timestamps_are_in_the_time_zone_of_the_operating_system(arrow: bool, spark: SparkSession) -> None:
    source = """
class T:
    def __init__(self):
        self.t = None

    def eval(self, row):
        self.t = row["t"]

    def terminate(self):
        yield str(self.t), self.t
"""
    spark.conf.set("spark.sql.session.timeZone", "Pacific/Auckland")
    try:
        frame = spark.sql("SELECT 1 AS k, timestamp_seconds(1700000000) AS t")
        result = made(source, "s string, t timestamp", arrow)(frame.asTable().partitionBy("k"))
        ((seen, seconds),) = result.selectExpr("s", "unix_seconds(t)").collect()
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert seen == str(dt.datetime.fromtimestamp(1_700_000_000))
    assert seconds == 1_700_000_000


@pytest.mark.parametrize("arrow", [True, False])
def test_what_a_row_holds(arrow: bool, spark: SparkSession) -> None:
    source = """
class T:
    def __init__(self):
        self.seen = ""

    def eval(self, row):
        self.seen = repr([type(v).__name__ for v in row]) + str(row["d"]) + str(row.t) + str(callable(row.count))

    def terminate(self):
        yield (self.seen,)
"""
    columns = "i int, count long, f float, d double, b boolean, s string, y date, t timestamp"
    moment = dt.datetime(2024, 7, 1, 12)
    full = (1, 2, 1.5, math.nan, True, "x", dt.date(2024, 1, 1), moment)
    function = made(source, "seen string", arrow)
    kinds = ["int", "int", "float", "float", "bool", "str", "date", "datetime"]
    for row, expected in ((full, kinds), (tuple(None for _ in full), ["NoneType"] * 8)):
        frame = spark.createDataFrame([row], columns)
        (found,) = function(frame.asTable().partitionBy("i")).collect()[0]
        assert found == repr(expected) + ("nan" if row is full else "None") + str(row[-1]) + "True"
