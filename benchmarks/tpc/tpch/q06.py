"""Forecast of revenue. One Python function decides and computes."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")


@F.udf("double")
def saved(shipped, quantity, discount, price):
    if shipped is None or shipped.year != 1994:
        return 0.0
    if quantity >= 24 or discount < 0.05 or discount > 0.07:
        return 0.0
    return price * discount


lines = lineitem.withColumn("saved", saved("l_shipdate", "l_quantity", "l_discount", "l_extendedprice"))
result = lines.filter(F.col("saved") > 0).agg(F.sum("saved").alias("revenue"))
rows = result.collect()
