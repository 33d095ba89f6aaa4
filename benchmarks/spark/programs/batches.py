"""The share of a price that is left after a rebate, by a pandas function over batches of rows."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
fills = spark.read.schema("venue string, quoted double, filled double, side string").parquet("slippage_fills")


def with_gap(batches):
    for batch in batches:
        batch["gap"] = batch["filled"] - batch["quoted"]
        yield batch[["venue", "side", "gap"]]


gaps = fills.mapInPandas(with_gap, "venue string, side string, gap double")
result = gaps.filter(F.col("gap") > 0.5)
result
