"""The columns that a condition without a model reads for certain."""

from __future__ import annotations

import pytest

from .render import last

HEAD = "from pyspark.sql import functions as F\nimport other\ndf = spark.table('t')\nold = df\nbig = F.col('x') > 1\n"
CASES = {
    "a column by name": ('F.col("a").isin(other.f())', ("a",)),
    "two": ('other.f(F.col("a"), df.b)', ("a", "b")),
    "of a frame below": ('other.f(old["b"])', ("b",)),
    "one that is overwritten since": ('other.f(old["c"])', ()),
    "a condition in a variable": ("big & other.f()", ("x",)),
    "under a variable of its own": ("other.f(lambda a: F.col('b'))", ()),
    "of one way": ("F.col('a') if other.f() else other.g()", ()),
    "a field or a column of an alias": ('other.f(F.col("a.b"))', ()),
    "a name made by code": ('other.f(F.col(other.NAME))', ()),
    "SQL": ('"a > other_function(b, t.c)"', ("a", "b")),
}  # fmt: skip


@pytest.mark.parametrize(("condition", "expected"), CASES.values(), ids=CASES.keys())
def test_certain(condition: str, expected: tuple[str, ...]) -> None:
    found = last(f"{HEAD}df = df.withColumn('c', F.lit(1)).limit(3)\nresult = df.filter({condition})\n", "")
    assert found.unread is not None
    assert found.reads == expected
