"""Who of the customers has bought something, and what they paid most."""

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("customers").getOrCreate()
orders = spark.read.schema("id bigint, amount double, day date").parquet("data/orders")
customers = spark.read.schema("id bigint, name string").parquet("data/customers")

buyers = orders.select("id").distinct()
customers.join(buyers, "id").write.parquet("data/active")
by_customer = Window.partitionBy("id")
tops = orders.withColumn("top", F.max("amount").over(by_customer))
best = tops.filter(F.col("amount") == F.col("top"))
best.drop("top").write.parquet("data/best")
