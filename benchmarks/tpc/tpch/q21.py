"""Suppliers that kept orders waiting, by a function of Arrow tables for each order."""

import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


def waiting(lines):
    late = lines.filter(pc.greater(lines["l_receiptdate"], lines["l_commitdate"]))
    several = len(lines["l_suppkey"].unique()) > 1 and len(late["l_suppkey"].unique()) == 1
    return late if several else late.slice(0, 0)


lines = lineitem.select("l_orderkey", "l_suppkey", "l_commitdate", "l_receiptdate")
lines = lines.join(orders.select("o_orderkey", "o_orderstatus"), F.col("l_orderkey") == F.col("o_orderkey"))
found = lines.groupBy("l_orderkey", "o_orderstatus").applyInArrow(
    waiting,
    "l_orderkey long, l_suppkey long, l_commitdate date, l_receiptdate date, o_orderkey long, o_orderstatus string",
)
suppliers = supplier.join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
result = (
    found.filter(F.col("o_orderstatus") == "F")
    .join(suppliers, F.col("l_suppkey") == F.col("s_suppkey"))
    .filter(F.col("n_name") == "SAUDI ARABIA")
    .groupBy("s_name")
    .agg(F.count("*").alias("numwait"))
    .orderBy(F.desc("numwait"), "s_name")
    .limit(100)
)
rows = result.collect()
