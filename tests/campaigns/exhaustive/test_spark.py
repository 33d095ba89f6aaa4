"""A sample of the exhaustive programs on real Spark, with filter pushdown switched off: the reference must say what
Spark says, and a rewrite must change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.shares import every

from .judge import Memory
from .sample import run, sample

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROGRAMS = 30 // every(3)


@pytest.mark.spark
def test_spark_agrees(spark: SparkSession) -> None:
    programs = sample(PROGRAMS, Memory())
    assert sum(p.rewritten is not None for p in programs) > PROGRAMS // 4
    differences = run(spark, programs)
    assert not differences, "\n".join(differences)
