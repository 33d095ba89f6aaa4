# Databricks notebook source
# MAGIC %md Names that all notebooks use

# COMMAND ----------

from pyspark.sql import functions as F

LIMIT = 10

# COMMAND ----------


def is_late(days):
    return days is not None and days > LIMIT
