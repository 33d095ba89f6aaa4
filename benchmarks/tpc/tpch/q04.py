"""Orders with a late line. Each partition of lines goes through pandas."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
orders = spark.read.parquet("tpch/orders.parquet")


def late(frames):
    for lines in frames:
        yield lines[lines["l_commitdate"] < lines["l_receiptdate"]]


lines = lineitem.select("l_orderkey", "l_commitdate", "l_receiptdate")
lines = lines.mapInPandas(late, "l_orderkey long, l_commitdate date, l_receiptdate date")
orders = orders.join(lines.select("l_orderkey").distinct(), F.col("o_orderkey") == F.col("l_orderkey"))
counted = orders.groupBy("o_orderpriority", "o_orderdate").agg(F.count("*").alias("n"))
result = (
    counted.filter((F.col("o_orderdate") >= "1993-07-01") & (F.col("o_orderdate") < "1993-10-01"))
    .groupBy("o_orderpriority")
    .agg(F.sum("n").alias("order_count"))
    .orderBy("o_orderpriority")
)
rows = result.collect()
