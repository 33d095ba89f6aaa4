"""Relative imports, one of them of a package that hands names on."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from ..shared import best_price
from ..shared.rules import is_large

spark = SparkSession.builder.getOrCreate()
sales = spark.read.schema("id long, team string, tier string, price double").parquet("/data/sales")
large = sales.withColumn("large", F.udf(is_large, "boolean")("price")).filter("large")
large.write.parquet("/out/large")
best = sales.groupBy("team").applyInPandas(best_price, "team string, best double").filter("best > 900")
best.write.parquet("/out/best")
