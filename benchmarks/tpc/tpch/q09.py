"""Profit of a product line. The name is searched in Python."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")
part = spark.read.parquet("tpch/part.parquet")
partsupp = spark.read.parquet("tpch/partsupp.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


@F.udf("boolean")
def is_green(name):
    return "green" in name


lines = (
    part.join(lineitem, F.col("p_partkey") == F.col("l_partkey"))
    .join(supplier, F.col("s_suppkey") == F.col("l_suppkey"))
    .join(partsupp, (F.col("ps_suppkey") == F.col("l_suppkey")) & (F.col("ps_partkey") == F.col("l_partkey")))
    .join(orders, F.col("o_orderkey") == F.col("l_orderkey"))
    .join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
)
cost = F.col("ps_supplycost") * F.col("l_quantity")
lines = lines.withColumn("amount", F.col("l_extendedprice") * (1 - F.col("l_discount")) - cost)
result = (
    lines.filter(is_green("p_name"))
    .groupBy(F.col("n_name").alias("nation"), F.year("o_orderdate").alias("o_year"))
    .agg(F.sum("amount").alias("sum_profit"))
    .orderBy("nation", F.desc("o_year"))
)
rows = result.collect()
