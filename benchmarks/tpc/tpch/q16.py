"""Suppliers of parts. A Python function chooses the parts; suppliers with complaints are collected."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
part = spark.read.parquet("tpch/part.parquet")
partsupp = spark.read.parquet("tpch/partsupp.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")

SIZES = {49, 14, 23, 45, 19, 3, 36, 9}


@F.udf("boolean")
def is_wanted(brand, kind, size):
    if brand == "Brand#45" or kind.startswith("MEDIUM POLISHED"):
        return False
    return size in SIZES


suppliers = supplier.select("s_suppkey", "s_comment").collect()
bad = [r["s_suppkey"] for r in suppliers if r["s_comment"].find("Customer") >= 0 and "Complaints" in r["s_comment"]]
parts = partsupp.join(part, F.col("p_partkey") == F.col("ps_partkey"))
parts = parts.filter(is_wanted("p_brand", "p_type", "p_size")).filter(~F.col("ps_suppkey").isin(bad))
result = (
    parts.groupBy("p_brand", "p_type", "p_size")
    .agg(F.countDistinct("ps_suppkey").alias("supplier_cnt"))
    .orderBy(F.desc("supplier_cnt"), "p_brand", "p_type", "p_size")
)
rows = result.collect()
