"""The mean status of a log, computed on the driver: all columns are handed over."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

local = lines.toPandas()
result = spark.createDataFrame([(float(local["status"].mean()),)], "mean double")
result
