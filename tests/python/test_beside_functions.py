"""Every fold beside its function, on adversarial groups: None, NaN, infinities, -0.0, duplicates, one row, several.
Then on Spark: what a function is given there, and what becomes of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .all_cases import CASES, ON_SPARK
from .harness import ERROR, agrees_on_spark, outcomes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("name", CASES)
def test_fold_is_the_function(name: str) -> None:
    found = outcomes(CASES[name])
    assert found - {ERROR, "None"}, "the case never runs"
    assert len(found) > 1 or name == "row, control, any of none"


@pytest.mark.spark
@pytest.mark.parametrize("name", ON_SPARK)
def test_spark_agrees(name: str, spark: SparkSession) -> None:
    agrees_on_spark(CASES[name], spark)
