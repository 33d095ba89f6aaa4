# Databricks notebook source
# MAGIC %run ./common

# COMMAND ----------

orders = spark.read.schema("id long, days int").parquet("/data/orders")
late = orders.withColumn("late", F.udf(is_late, "boolean")("days")).filter("late")
late.write.parquet("/out/late")
