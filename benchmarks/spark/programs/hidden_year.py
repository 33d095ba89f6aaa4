"""The worst result of each account in one of four years, in files in the order of the days."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
days = spark.read.schema("account string, day date, pnl double").parquet("results")

result = days.filter(F.year("day") == 2021).groupBy("account").agg(F.min("pnl").alias("worst"))
result
