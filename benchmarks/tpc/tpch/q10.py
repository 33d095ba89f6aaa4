"""Returned items. Lines are tested and turned into pairs as an RDD."""

import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

FIRST, LAST = datetime.date(1993, 10, 1), datetime.date(1994, 1, 1)
lines = orders.join(lineitem, F.col("l_orderkey") == F.col("o_orderkey"))
lines = lines.select("o_custkey", "o_orderdate", "l_returnflag", "l_extendedprice", "l_discount")
returned = lines.rdd.filter(lambda r: r["l_returnflag"] == "R" and FIRST <= r["o_orderdate"] < LAST)
revenues = returned.map(lambda r: (r["o_custkey"], r["l_extendedprice"] * (1 - r["l_discount"])))
revenues = spark.createDataFrame(revenues, "custkey long, revenue double")
result = (
    revenues.groupBy("custkey")
    .agg(F.sum("revenue").alias("revenue"))
    .join(customer, F.col("custkey") == F.col("c_custkey"))
    .join(nation, F.col("c_nationkey") == F.col("n_nationkey"))
    .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
    .orderBy(F.desc("revenue"))
    .limit(20)
)
rows = result.collect()
