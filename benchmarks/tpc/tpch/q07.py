"""Volume of shipping between two nations. A Python function names the direction."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


@F.udf("string")
def direction(supplier, customer):
    if supplier == "FRANCE" and customer == "GERMANY":
        return "out"
    if supplier == "GERMANY" and customer == "FRANCE":
        return "in"
    return None


suppliers = nation.select(F.col("n_nationkey").alias("s_nation"), F.col("n_name").alias("supp_nation"))
customers = nation.select(F.col("n_nationkey").alias("c_nation"), F.col("n_name").alias("cust_nation"))
lines = (
    supplier.join(lineitem, F.col("s_suppkey") == F.col("l_suppkey"))
    .join(orders, F.col("o_orderkey") == F.col("l_orderkey"))
    .join(customer, F.col("c_custkey") == F.col("o_custkey"))
    .join(suppliers, F.col("s_nationkey") == F.col("s_nation"))
    .join(customers, F.col("c_nationkey") == F.col("c_nation"))
)
lines = lines.withColumn("direction", direction("supp_nation", "cust_nation"))
lines = lines.withColumn("volume", F.col("l_extendedprice") * (1 - F.col("l_discount")))
yearly = lines.filter(F.col("direction").isNotNull()).groupBy(
    "supp_nation", "cust_nation", F.year("l_shipdate").alias("l_year")
)
result = (
    yearly.agg(F.sum("volume").alias("revenue"))
    .filter(F.col("l_year").between(1995, 1996))
    .orderBy("supp_nation", "cust_nation", "l_year")
)
rows = result.collect()
