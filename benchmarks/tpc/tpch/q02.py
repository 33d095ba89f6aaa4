"""Cheapest supplier of a part in Europe, by a pandas function of each part."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
nation = spark.read.parquet("tpch/nation.parquet")
part = spark.read.parquet("tpch/part.parquet")
partsupp = spark.read.parquet("tpch/partsupp.parquet")
region = spark.read.parquet("tpch/region.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


def cheapest(offers):
    offers = offers[offers["r_name"] == "EUROPE"]
    return offers[offers["ps_supplycost"] == offers["ps_supplycost"].min()]


columns = [
    "s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment",
    "p_size", "p_type", "r_name", "ps_supplycost",
]  # fmt: skip
offers = (
    part.join(partsupp, F.col("p_partkey") == F.col("ps_partkey"))
    .join(supplier, F.col("s_suppkey") == F.col("ps_suppkey"))
    .join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
    .join(region, F.col("n_regionkey") == F.col("r_regionkey"))
    .select(*columns)
)
best = offers.groupBy("p_partkey", "p_size", "p_type").applyInPandas(
    cheapest,
    "s_acctbal double, s_name string, n_name string, p_partkey long, p_mfgr string, s_address string, s_phone string, "
    "s_comment string, p_size int, p_type string, r_name string, ps_supplycost double",
)
result = (
    best.filter((F.col("p_size") == 15) & F.col("p_type").endswith("BRASS"))
    .select(*columns[:8])
    .orderBy(F.desc("s_acctbal"), "n_name", "s_name", "p_partkey")
    .limit(100)
)
rows = result.collect()
