"""Large orders. The sum of an order is computed by a function of an RDD."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpch/customer.parquet")
lineitem = spark.read.parquet("tpch/lineitem.parquet")
orders = spark.read.parquet("tpch/orders.parquet")

lines = lineitem.select("l_orderkey", "l_quantity")
totals = lines.rdd.map(lambda r: (r["l_orderkey"], r["l_quantity"])).reduceByKey(lambda a, b: a + b)
large = totals.filter(lambda pair: pair[1] > 300)
large = spark.createDataFrame(large, "orderkey long, quantity double")
result = (
    large.join(orders, F.col("orderkey") == F.col("o_orderkey"))
    .join(customer, F.col("o_custkey") == F.col("c_custkey"))
    .select("c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice", "quantity")
    .orderBy(F.desc("o_totalprice"), "o_orderdate")
    .limit(100)
)
rows = result.collect()
