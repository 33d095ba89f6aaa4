"""What the model takes sizes of arrays to be (``headwater_ir.array_sizes``), asked of Spark in both modes: the facts
hold of every row, a UDF sees a list of that length, and an array is NULL exactly where the model says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.semantics.interpreter import Env, holds
from headwater_ir.array_sizes import fact_of, is_there, size_column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ARRAYS: list[tuple[Any]] = [(None,), ([],), ([1],), ([None],), ([1, None, 3],), ([7] * 20,)]


@pytest.mark.spark
@pytest.mark.parametrize("ansi", [True, False])
@pytest.mark.parametrize("legacy", [True, False])
def test_sizes_are_what_the_model_takes_them_for(spark: SparkSession, ansi: bool, legacy: bool) -> None:
    from pyspark.sql import functions as F

    settings = {"spark.sql.ansi.enabled": str(ansi).lower(), "spark.sql.legacy.sizeOfNull": str(legacy).lower()}
    before = {name: spark.conf.get(name) for name in settings}
    seen = F.udf(lambda xs: None if xs is None else f"{type(xs).__name__} {len(xs)}", "string")
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        frame = spark.createDataFrame(ARRAYS, "xs array<int>").coalesce(1)
        rows = frame.select("xs", F.size("xs"), F.expr("cardinality(xs)"), seen("xs")).collect()
    finally:
        for name, old in before.items():
            spark.conf.set(name, str(old))
    assert {r[1] for r in rows if r[0] is None} == ({-1} if legacy and not ansi else {None})
    for xs, size, cardinality, shown in rows:
        env = Env(row={size_column("xs").name: size})
        assert holds(fact_of("xs"), env)
        assert holds(is_there("xs"), env) is (xs is not None)
        assert cardinality == size
        assert shown == (None if xs is None else f"list {size}")
