"""Shipping priority. The revenue of a line is computed in Python, for lines of open orders alone."""

import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

DAY = datetime.date(1995, 3, 15)


@F.udf("double")
def open_revenue(segment, ordered, shipped, price, discount):
    if segment != "BUILDING":
        return None
    if ordered < DAY and shipped > DAY:
        return price * (1 - discount)
    return None


lines = customer.join(orders, F.col("c_custkey") == F.col("o_custkey")).join(
    lineitem, F.col("l_orderkey") == F.col("o_orderkey")
)
lines = lines.withColumn(
    "revenue", open_revenue("c_mktsegment", "o_orderdate", "l_shipdate", "l_extendedprice", "l_discount")
)
result = (
    lines.filter(F.col("revenue").isNotNull())
    .groupBy("l_orderkey", "o_orderdate", "o_shippriority")
    .agg(F.sum("revenue").alias("revenue"))
    .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
    .orderBy(F.desc("revenue"), "o_orderdate")
    .limit(10)
)
rows = result.collect()
