"""Customers without orders. The country is a part of the phone number, taken in Python."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

CODES = ["13", "31", "23", "29", "30", "18", "17"]


@F.udf("string")
def country(phone):
    return phone[:2]


customers = customer.withColumn("cntrycode", country("c_phone"))
wanted = customers.filter(F.col("cntrycode").isin(CODES))
usual = wanted.filter(F.col("c_acctbal") > 0).agg(F.avg("c_acctbal").alias("usual"))
idle = wanted.join(orders, F.col("c_custkey") == F.col("o_custkey"), "left_anti")
result = (
    idle.join(usual, F.col("c_acctbal") > F.col("usual"))
    .groupBy("cntrycode")
    .agg(F.count("*").alias("numcust"), F.sum("c_acctbal").alias("totacctbal"))
    .orderBy("cntrycode")
)
rows = result.collect()
