"""``x + 0.0`` is ``x`` for every double, up to the sign of zero: the one law that float addition is given
(THEORY.md section 4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from headwater.semantics.scalars import arithmetic, same

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOUBLES = [0.0, -0.0, 5e-324, -5e-324, 0.1, 2.0**53 + 2, 1.7976931348623157e308, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("x", DOUBLES)
def test_in_python_and_in_the_model(x: float) -> None:
    for total in (x + 0.0, 0.0 + x, arithmetic("+", "python")(x, 0.0), arithmetic("+", "sql")(0.0, x)):
        assert same(total, x)


@pytest.mark.spark
def test_in_spark(spark: SparkSession) -> None:
    rows = spark.createDataFrame([(x,) for x in [*DOUBLES, None]], "x double").selectExpr("x", "x + 0.0D", "0.0D + x")
    assert all(same(x, right) and same(x, left) for x, right, left in rows.collect())
