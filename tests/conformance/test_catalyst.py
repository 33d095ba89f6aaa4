"""What Spark moves by itself: it does so (asked of the installed Spark), and Headwater says nothing of it.

Each row: a chain behind ``spark.table("t")`` that ends in a filter with the constant 7771, and the operator of the
optimized plan that the constant is below in the end. The measured table that this repeats: Spark 4.3, section A.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options

SCHEMA = "id bigint, k int, k2 int, v int, x double, s string, d date, ts timestamp, arr array<int>"
HEAD = """
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType
import pandas as pd

spark = SparkSession.builder.getOrCreate()


@F.udf(IntegerType())
def plus(a):
    return a + 1


@F.pandas_udf("int")
def series(a: pd.Series) -> pd.Series:
    return a + 1


@F.pandas_udf("double")
def mean(a: pd.Series) -> float:
    return float(a.mean())


w = Window.partitionBy("k").orderBy("v")
t = spark.table("t")
other = spark.table("u")
"""
KEY = '.filter(F.col("k") == 7771)'
AGGREGATES = {
    name: f'.groupBy("k").agg({call}.alias("m")){KEY}'
    for name, call in {
        "sum": 'F.sum("v")', "max": 'F.max("v")', "min": 'F.min("v")', "count": 'F.count("v")', "avg": 'F.avg("v")',
        "collect_list": 'F.collect_list("v")', "collect_set": 'F.collect_set("v")', "first": 'F.first("v")',
        "last": 'F.last("v")', "any_value": 'F.any_value("v")', "max_by": 'F.max_by("v", "id")',
        "count distinct": 'F.countDistinct("v")', "percentile": 'F.percentile_approx("v", 0.5)',
        "median": 'F.median("v")',
        "bool_or": 'F.bool_or(F.col("v") > 3)', "stddev": 'F.stddev("v")', "two": 'F.sum("v").alias("o"), F.max("x")',
        "a UDF's sum": 'F.sum(plus("v"))', "a pandas UDF": 'mean("x")',
    }.items()
}  # fmt: skip
PUSHED: dict[str, tuple[str, str]] = {
    **{f"{name}, filter on the key": (chain, "Aggregate") for name, chain in AGGREGATES.items()},
    "key beside an output": ('.groupBy("k").agg(F.sum("v").alias("m")).filter("k = 7771 and m > 5")', "Aggregate"),
    "an expression as key": ('.groupBy((F.col("k") % 10).alias("g")).count().filter("g = 7771")', "Aggregate"),
    "nested aggregates": (f'.groupBy("k", "k2").count().groupBy("k").agg(F.max("count")){KEY}', "Aggregate"),
    "pivot": (f'.groupBy("k").pivot("k2", [1, 2]).sum("v"){KEY}', "Aggregate"),
    "a column beside a UDF's": ('.withColumn("y", plus("v")).filter("k = 7771")', "EvalPython"),
    "a column beside a pandas UDF's": ('.withColumn("y", series("v")).filter("k = 7771")', "EvalPython"),
    "beside two UDFs": ('.withColumn("y", plus("v")).withColumn("z", plus("y")).filter("k = 7771")', "EvalPython"),
    "native and UDF in one": ('.filter((F.col("k") == 7771) & (plus("v") > 3))', "EvalPython"),
    "UDF and native in one": ('.filter((plus("v") > 3) & (F.col("k") == 7771))', "EvalPython"),
    "UDF, then native": ('.filter(plus("v") > 3).filter("k = 7771")', "EvalPython"),
    "native, then UDF": ('.filter("k = 7771").filter(plus("v") > 3)', "EvalPython"),
    "the key of a ranking": ('.withColumn("r", F.row_number().over(w)).filter("k = 7771")', "Window"),
    "the key of a running sum": ('.withColumn("r", F.sum("v").over(w)).filter("k = 7771")', "Window"),
    "the key behind a rank": ('.withColumn("r", F.row_number().over(w)).filter("r = 1").filter("k = 7771")', "Window"),
    "beside an explode": ('.select("k", F.explode("arr").alias("e")).filter("k = 7771")', "Generate"),
    "beside an outer explode": ('.select("k", F.explode_outer("arr").alias("e")).filter("k = 7771")', "Generate"),
    "explode and group": ('.select("k", F.explode("arr")).groupBy("k").count().filter("k = 7771")', "Generate"),
    "distinct": ('.select("k", "v").distinct().filter("k = 7771")', "Aggregate"),
    "the key of dropDuplicates": ('.dropDuplicates(["k"]).filter("k = 7771")', "Aggregate"),
    "sort": ('.orderBy("v").filter("k = 7771")', "Sort"),
    "repartition": ('.repartition(3, "v").filter("k = 7771")', "Repartition"),
    "union": ('.select("k").union(other.select("k")).filter("k = 7771")', "Union"),
    "inner join, left": ('.join(other.select("k", "o"), "k").filter("v = 7771")', "Join"),
    "inner join, key": ('.join(other.select("k", "o"), "k").filter("k = 7771")', "Join"),
    "left join, left": ('.join(other.select("k", "o"), "k", "left").filter("v = 7771")', "Join"),
    "left join, right": ('.join(other.select("k", "o"), "k", "left").filter("o = 7771")', "Join"),
    "semi join": ('.join(other.select("k"), "k", "left_semi").filter("v = 7771")', "Join"),
    "anti join": ('.join(other.select("k"), "k", "left_anti").filter("v = 7771")', "Join"),
    "unpivot": ('.unpivot(["k"], ["v", "k2"], "n", "y").filter("k = 7771")', "Expand"),
}  # fmt: skip
NO_BARRIER = {
    "a native column": '.withColumn("y", F.col("v") + 1).filter("k = 7771")',
    "renamed": '.withColumnRenamed("k", "q").filter("q = 7771")',
    "dropped": '.drop("v").filter("k = 7771")',
    "by position": '.select("k", "v").toDF("a", "b").filter("a = 7771")',
    "as SQL": '.selectExpr("k AS q", "v").filter("q = 7771")',
    "widened": '.withColumn("q", F.col("k").cast("long")).filter("q = 7771")',
    "aliased": '.alias("z").filter("k = 7771")',
}


def reported(chain: str) -> list[str]:
    options = Options(schemas={"t": SCHEMA, "u": "k int, o int, o2 int"})
    report = analyse(f"{HEAD}result = t{chain}\n", options)
    assert report.error is None
    return [o.message for o in report.opportunities]


@pytest.mark.parametrize("chain", [*(c for c, _ in PUSHED.values()), *NO_BARRIER.values()], ids=[*PUSHED, *NO_BARRIER])
def test_nothing_is_said(chain: str) -> None:
    assert reported(chain) == []


def view_of_every_type(spark: Any) -> None:
    """The tables of the chains. A range stays where an empty relation would be optimized away."""
    values = {"array<int>": "array(int(id))", "date": "current_date()", "timestamp": "current_timestamp()"}
    fields = [c.split(" ", 1) for c in SCHEMA.split(", ")]
    columns = ", ".join(f"cast({values.get(kind, 'id')} as {kind}) as {name}" for name, kind in fields)
    for table, wanted in (("t", columns), ("u", "int(id) as k, int(id) as o, int(id) as o2")):
        spark.sql(f"create or replace temporary view {table} as select {wanted} from range(3)")


@pytest.mark.spark
def test_spark_moves_them(spark: Any) -> None:
    view_of_every_type(spark)
    found: dict[str, str] = {}
    namespace: dict[str, Any] = {}
    exec(HEAD, namespace)
    for name, (chain, operator) in PUSHED.items():
        plan = eval(f"t{chain}", namespace)._jdf.queryExecution().optimizedPlan().toString()
        lines = plan.splitlines()
        at = next((i for i, line in enumerate(lines) if operator in line.split("[")[0]), None)
        constants = [i for i, line in enumerate(lines) if re.search(r"\b7771\b", line)]
        if at is None or not constants or min(constants) < at:
            found[name] = plan
    assert not found, "\n".join(f"{name}:\n{plan}" for name, plan in found.items())
