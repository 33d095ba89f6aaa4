"""Revenue of local suppliers in Asia, with a pandas function of each nation."""

import datetime

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")
region = spark.read.parquet("tpch/region.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")

FIRST, LAST = datetime.date(1994, 1, 1), datetime.date(1995, 1, 1)


def revenue_of(lines):
    lines = lines[(lines["o_orderdate"] >= FIRST) & (lines["o_orderdate"] < LAST)]
    revenue = (lines["l_extendedprice"] * (1 - lines["l_discount"])).sum()
    return pd.DataFrame({"n_name": [lines["n_name"].max()], "revenue": [revenue]})


lines = (
    customer.join(orders, F.col("c_custkey") == F.col("o_custkey"))
    .join(lineitem, F.col("l_orderkey") == F.col("o_orderkey"))
    .join(supplier, (F.col("l_suppkey") == F.col("s_suppkey")) & (F.col("c_nationkey") == F.col("s_nationkey")))
    .join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
    .join(region, F.col("n_regionkey") == F.col("r_regionkey"))
    .select("n_name", "r_name", "o_orderdate", "l_extendedprice", "l_discount")
)
revenues = lines.groupBy("n_name", "r_name").applyInPandas(revenue_of, "n_name string, revenue double")
asia = nation.join(region, F.col("n_regionkey") == F.col("r_regionkey"))
asia = asia.filter(F.col("r_name") == "ASIA").select("n_name")
result = revenues.join(asia, "n_name").orderBy(F.desc("revenue"))
rows = result.collect()
