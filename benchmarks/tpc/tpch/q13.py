"""Distribution of customers. Comments are searched by a regular expression of Python's."""

import re

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

SPECIAL = re.compile("special.*requests")


@F.udf("boolean")
def is_plain(comment):
    return SPECIAL.search(comment) is None


orders = orders.filter(is_plain("o_comment"))
counted = (
    customer.join(orders, F.col("c_custkey") == F.col("o_custkey"), "left")
    .groupBy("c_custkey")
    .agg(F.count("o_orderkey").alias("c_count"))
)
result = counted.groupBy("c_count").agg(F.count("*").alias("custdist")).orderBy(F.desc("custdist"), F.desc("c_count"))
rows = result.collect()
