"""Columns that a plan has for certain, so that a bare name above a join is of its side.

Each program asks of the frame ``f`` whether it has a column ``q``. Where it may have none, one of that name on the
other side of a join would be taken for it.
"""

# A program per line reads best unwrapped.

from __future__ import annotations

import pytest

from headwater.operators.columns import surely_has, type_of_column
from tests.pyspark.render import last

HAS = {
    "read above a table": 'f = raw.filter("q > 1")',
    "read, then sorted, limited, deduplicated": 'f = raw.filter("q > 1").orderBy("z").limit(3).distinct()',
    "made": 'f = raw.withColumn("q", F.lit(1)).withColumn("z", F.col("q"))',
    "made of another frame": 'f = spark.read.parquet(p).withColumn("q", F.lit(1))',
    "selected": 'f = raw.select("q")',
    "aggregated": 'f = raw.groupBy("z").agg(F.max("x").alias("q"))',
    "aggregated, then joined": 'f = raw.join(raw.groupBy("z").agg(F.max("x").alias("q")), "z")',
    "a key": 'f = raw.join(raw, "q")',
    "read above a join": 'f = raw.join(raw, "z").filter("q > 1")',
    "dropped below, made again": 'f = raw.drop("q").withColumn("q", F.lit(1))',
    "ranked": 'f = raw.withColumn("q", F.rank().over(Window.partitionBy("z").orderBy("x")))',
    "exploded": 'f = raw.withColumn("q", F.explode("z"))',
}
MAY_NOT_HAVE = {
    "nothing": "f = raw",
    "read, then dropped": 'f = raw.filter("q > 1").drop("q")',
    "read through what has dropped it": 'f = raw.drop("q").filter("q > 1")',
    "in another case": 'f = raw.drop("Q").filter("q > 1")',
    "through what may have dropped it": 'f = raw.drop(*ns).filter("q > 1")',
    "through a rename": 'f = raw.withColumnRenamed("q", "z").filter("q > 1")',
    "made, then dropped in another case": 'f = raw.withColumn("q", F.lit(1)).drop("Q")',
    "made by a rename, perhaps": 'f = raw.withColumnRenamed("z", "q")',
    "read by a function of elements": 'f = raw.rdd.filter(lambda r: r.q > 1).toDF()',
    "of the side that a semi join does not show": 'f = raw.join(raw.withColumn("q", F.lit(1)), "z", "semi")',
    "selected away": 'f = raw.filter("q > 1").select("z")',
}  # fmt: skip


@pytest.mark.parametrize("code", HAS.values(), ids=HAS.keys())
def test_has(code: str) -> None:
    assert "q" in columns_of(code, "q")


@pytest.mark.parametrize("code", MAY_NOT_HAVE.values(), ids=MAY_NOT_HAVE.keys())
def test_may_not_have(code: str) -> None:
    assert "q" not in columns_of(code, "z")


def test_a_frame_that_is_given_may_have_dropped_it() -> None:
    found = last('def g(f):\n    return f.filter("q > 1").limit(3).filter("z > 1")')
    assert "q" not in surely_has(found.child)


def columns_of(code: str, asked: str) -> frozenset[str]:
    """What is said of ``f``; ``asked``: a column that the file takes it to have."""
    return surely_has(last(f'from pyspark.sql import Window\n{code}\nresult = f.limit(3).filter("{asked} > 1")').child)


JOINED = """
one = spark.createDataFrame([], "k int, a string, b double")
two = spark.createDataFrame([], "j int, b int, c date")
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('one.join(two, F.col("k") == F.col("j"))', ["string", "any", "date", "any"]),
        ('one.join(two, F.col("k") == F.col("j"), "left").cache()', ["string", "any", "date", "any"]),
        ('one.join(two.drop("b"), F.col("k") == F.col("j"))', ["string", "float64", "date", "any"]),
        ('raw.join(two, F.col("k") == F.col("j"))', ["any", "any", "any", "any"]),
    ],
)
def test_types_behind_a_join_are_those_of_the_only_side_that_has_the_column(code: str, expected: list[str]) -> None:
    frame = last(f'{JOINED}\nresult = {code}.filter("z > 1")').child
    assert [str(type_of_column(frame, name)) for name in ("a", "b", "c", "nobody")] == expected
