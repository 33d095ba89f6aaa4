"""Probes of the optimizer: whether Spark itself moves a filter below an operator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.conformance.test_catalyst import HEAD, PUSHED, view_of_every_type

from .probes import Probe

MORE = {
    "join key inferred across types": ('.join(other.selectExpr("string(k) k2s", "o"), F.col("k") == F.col("k2s")).filter("k = 7771")', "Join"),
    "struct compared": ('.groupBy("k", "v").count().filter("struct(k, v) = struct(7771, 1)")', "Aggregate"),
    "full join, key": ('.join(other.select("k", "o"), "k", "full").filter("k = 7771")', "Join"),
    "exists subquery": ('.filter("exists (select 1 from u where u.k = t.k)").filter("k = 7771")', "Join"),
    "rank limit": ('.withColumn("r", F.row_number().over(w)).filter("r <= 7771")', "Window"),
    "order column of a window": ('.withColumn("r", F.row_number().over(w)).filter("v >= 7771")', "Window"),
    "output of an aggregate": ('.groupBy("k").agg(F.max("v").alias("m")).filter("m > 7771")', "Aggregate"),
    "element of explode": ('.select("k", F.explode("arr").alias("e")).filter("e = 7771")', "Generate"),
    "output of a UDF": ('.withColumn("y", plus("v")).filter("y = 7771")', "EvalPython"),
    "sample": ('.sample(0.5, 1).filter("k = 7771")', "Sample"),
    "limit": ('.limit(2).filter("k = 7771")', "Limit"),
    "offset": ('.offset(2).filter("k = 7771")', "Offset"),
    "cache": ('.cache().filter("k = 7771")', "InMemoryRelation"),
    "mapInPandas": ('.mapInPandas(lambda ps: ps, t.schema).filter("k = 7771")', "MapInPandas"),
    "applyInPandas": ('.groupBy("k").applyInPandas(lambda p: p, t.schema).filter("k = 7771")', "FlatMapGroupsInPandas"),
    "except all": ('.select("k").exceptAll(other.select("k")).filter("k = 7771")', "Except|Generate"),
    "intersect": ('.select("k").intersect(other.select("k")).filter("k = 7771")', "Join|Aggregate"),
    "coalesce over a full join": ('.join(other.selectExpr("k as q", "o"), F.col("k") == F.col("q"), "full").filter("coalesce(k, q) = 7771")', "Join"),
    "a cast date": ('.groupBy("d").count().filter("cast(d as timestamp) > timestamp\'7771-01-01 00:00:00\'")', "Aggregate"),
    "random column": ('.withColumn("q", F.rand()).filter("k = 7771")', "Project"),
    "a row id": ('.withColumn("q", F.monotonically_increasing_id()).filter("k = 7771")', "Project"),
    "rollup key": ('.rollup("k").count().filter("k = 7771")', "Expand"),
    "cube key": ('.cube("k").count().filter("k = 7771")', "Expand"),
    "UDTF": ('.select("k").lateralJoin(spark.tvf.explode(F.array(F.lit(1)))).filter("k = 7771")', "Generate"),
    "drop duplicates, another column": ('.dropDuplicates(["k"]).filter("v = 7771")', "Aggregate"),
    "union in a group": ('.select("k").union(other.select("k")).groupBy("k").count().filter("k = 7771")', "Union"),
}  # fmt: skip


def probes() -> Iterator[Probe]:
    for name, (chain, operator) in {**PUSHED, **MORE}.items():
        yield Probe("optimizer", name, lambda spark, c=chain, o=operator: _place(spark, c, o))


def _place(spark: Any, chain: str, operator: str) -> str:
    """``below``: the constant of the filter is below ``operator`` in the optimized plan; ``above``: it is not."""
    view_of_every_type(spark)
    namespace: dict[str, Any] = {}
    exec(HEAD, namespace)
    spark.catalog.clearCache()
    lines = eval(f"t{chain}", namespace)._jdf.queryExecution().optimizedPlan().toString().splitlines()
    at = next((i for i, line in enumerate(lines) if re.search(operator, re.split(r"[\[(]", line)[0])), None)
    constants = [i for i, line in enumerate(lines) if re.search(r"\b7771\b", line)]
    if at is None:
        return "no such operator"
    return "above" if not constants or min(constants) < at else "below" if len(constants) == 1 else "below too"
