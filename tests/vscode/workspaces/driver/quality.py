"""How good the orders of a day are."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("quality").getOrCreate()
orders = spark.read.schema("id bigint, amount double, day date").csv("data/orders")

rows = orders.count()
missing = orders.filter(F.col("amount").isNull()).count()
print(f"{missing} of {rows} have no amount")
paid = orders.filter(F.col("amount") > 0).cache()
paid.write.parquet("data/paid")
