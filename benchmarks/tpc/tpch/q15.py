"""Top supplier of a quarter. Revenues of quarters are kept."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")

revenues = (
    lineitem.withColumn("quarter", F.date_trunc("quarter", "l_shipdate"))
    .groupBy("quarter", "l_suppkey")
    .agg(F.sum(F.col("l_extendedprice") * (1 - F.col("l_discount"))).alias("total_revenue"))
    .cache()
)
quarter = revenues.filter(F.col("quarter") == "1996-01-01")
best = quarter.agg(F.max("total_revenue").alias("best"))
result = (
    quarter.join(best, F.col("total_revenue") == F.col("best"))
    .join(supplier, F.col("l_suppkey") == F.col("s_suppkey"))
    .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
    .orderBy("s_suppkey")
)
rows = result.collect()
