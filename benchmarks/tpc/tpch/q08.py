"""Share of a market. The year and the share are computed in Python."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
orders = spark.read.parquet("tpch/orders.parquet")
part = spark.read.parquet("tpch/part.parquet")
region = spark.read.parquet("tpch/region.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


@F.udf("int")
def year_of(day):
    return day.year


@F.udf("double")
def of_brazil(nation, volume):
    return volume if nation == "BRAZIL" else 0.0


customers = nation.select(F.col("n_nationkey").alias("c_nation"), F.col("n_regionkey").alias("c_region"))
lines = (
    part.join(lineitem, F.col("p_partkey") == F.col("l_partkey"))
    .join(supplier, F.col("s_suppkey") == F.col("l_suppkey"))
    .join(orders, F.col("l_orderkey") == F.col("o_orderkey"))
    .join(customer, F.col("o_custkey") == F.col("c_custkey"))
    .join(customers, F.col("c_nationkey") == F.col("c_nation"))
    .join(region, F.col("c_region") == F.col("r_regionkey"))
    .join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
)
lines = lines.withColumn("o_year", year_of("o_orderdate"))
lines = lines.withColumn("volume", F.col("l_extendedprice") * (1 - F.col("l_discount")))
lines = lines.withColumn("brazil", of_brazil("n_name", "volume"))
lines = lines.filter((F.col("r_name") == "AMERICA") & (F.col("p_type") == "ECONOMY ANODIZED STEEL"))
lines = lines.filter((F.col("o_year") >= 1995) & (F.col("o_year") <= 1996))
result = lines.groupBy("o_year").agg((F.sum("brazil") / F.sum("volume")).alias("mkt_share")).orderBy("o_year")
rows = result.collect()
