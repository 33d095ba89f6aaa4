"""The failed requests of a log, picked by a Python function of an RDD's rows."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

result = lines.rdd.filter(lambda row: row.status is not None and row.status >= 500)
result
