"""What ``semantics.arithmetic`` takes for granted about Spark's integer overflow, on Spark: a result that a byte holds
never overflows, adding 0 never does, and whatever does overflow lies outside the type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

TYPES = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}


@pytest.mark.parametrize("name", TYPES)
def test_overflow_is_exactly_leaving_the_type(spark: SparkSession, name: str) -> None:
    low, high = -(2 ** (TYPES[name] - 1)), 2 ** (TYPES[name] - 1) - 1
    values = (low, low + 1, -1, 0, 1, 2, 100, high - 1, high)
    rows = [(a, b) for a in values for b in values]
    frame = spark.createDataFrame(rows, "a long, b long").selectExpr(f"cast(a as {name}) a", f"cast(b as {name}) b")
    for op, function in (("+", "try_add"), ("-", "try_subtract"), ("*", "try_multiply")):
        for row in frame.selectExpr("a", "b", f"{function}(a, b) as r").collect():
            exact = {"+": row.a + row.b, "-": row.a - row.b, "*": row.a * row.b}[op]
            assert row.r == (exact if low <= exact <= high else None), (op, row)
            if -128 <= exact <= 127 or (op == "+" and 0 in (row.a, row.b)) or (op == "-" and row.b == 0):
                assert row.r == exact, (op, row)


@pytest.mark.parametrize("name", TYPES)
def test_the_plain_operators_raise_where_the_try_forms_are_null(spark: SparkSession, name: str) -> None:
    high = 2 ** (TYPES[name] - 1) - 1
    assert spark.sql(f"select cast({high} as {name}) + cast(0 as {name}) as r").first().r == high  # type: ignore[union-attr]
    with pytest.raises(Exception, match=r"OVERFLOW|overflow"):
        spark.sql(f"select cast({high} as {name}) + cast(1 as {name}) as r").collect()


@pytest.mark.parametrize("name", TYPES)
def test_a_remainder_never_overflows(spark: SparkSession, name: str) -> None:
    """It has the sign of the dividend, and is below the divisor."""
    low, high = -(2 ** (TYPES[name] - 1)), 2 ** (TYPES[name] - 1) - 1
    values = (low, low + 1, -7, -1, 1, 2, 7, 100, high - 1, high)
    rows = [(a, b) for a in values for b in values]
    frame = spark.createDataFrame(rows, "a long, b long").selectExpr(f"cast(a as {name}) a", f"cast(b as {name}) b")
    for row in frame.selectExpr("a", "b", "a % b as r").collect():
        assert row.r == (abs(row.a) % abs(row.b)) * (1 if row.a >= 0 else -1), row
