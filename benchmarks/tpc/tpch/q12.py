"""Modes of shipping and late orders, counted by a class of Python's."""

import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

FIRST, LAST = datetime.date(1994, 1, 1), datetime.date(1995, 1, 1)


@F.udf("string")
def urgency(mode, shipped, committed, received, priority):
    if mode not in ("MAIL", "SHIP"):
        return None
    if not (committed < received and shipped < committed):
        return None
    if received < FIRST or received >= LAST:
        return None
    return "high" if priority in ("1-URGENT", "2-HIGH") else "low"


lines = orders.join(lineitem, F.col("o_orderkey") == F.col("l_orderkey"))
lines = lines.withColumn(
    "urgency", urgency("l_shipmode", "l_shipdate", "l_commitdate", "l_receiptdate", "o_orderpriority")
)
result = (
    lines.filter(F.col("urgency").isin("high", "low"))
    .groupBy("l_shipmode")
    .agg(
        F.count_if(F.col("urgency") == "high").alias("high_line_count"),
        F.count_if(F.col("urgency") == "low").alias("low_line_count"),
    )
    .orderBy("l_shipmode")
)
rows = result.collect()
