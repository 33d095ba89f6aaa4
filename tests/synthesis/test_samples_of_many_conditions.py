"""Conditions on one key make no more values to draw from than can be drawn from."""

from __future__ import annotations

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options

TEXT = """\
from pyspark.sql import functions as F

df = spark.read.schema("k int not null, n int").parquet("t")
result = df.groupBy("k").agg(F.count("*").alias("n")).filter({})
"""


def test_many_conditions_on_one_key() -> None:
    """Else this does not end."""
    many = " & ".join(f'(F.col("k") != {i})' for i in range(60))  # 2 ** 60 values, where each makes them twice as many
    report = analyse(TEXT.format(many), Options(bounded=True))
    assert report.filters == 1
