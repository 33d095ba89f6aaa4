"""Important stock. The values of all nations are computed and kept."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
nation = spark.read.parquet("tpch/nation.parquet")
partsupp = spark.read.parquet("tpch/partsupp.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


@F.udf("double")
def value_of(cost, quantity):
    return cost * quantity


stock = (
    partsupp.join(supplier, F.col("ps_suppkey") == F.col("s_suppkey"))
    .join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
    .withColumn("value", value_of("ps_supplycost", "ps_availqty"))
    .groupBy("n_name", "ps_partkey")
    .agg(F.sum("value").alias("value"))
    .cache()
)
german = stock.filter(F.col("n_name") == "GERMANY")
total = german.agg(F.sum("value").alias("total"))
result = (
    german.join(total, F.col("value") > F.col("total") * 0.0001).select("ps_partkey", "value").orderBy(F.desc("value"))
)
rows = result.collect()
