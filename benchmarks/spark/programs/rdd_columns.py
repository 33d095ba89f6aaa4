"""The sum of the status codes of a log, of which a Python function reads one column of each row."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

codes = lines.rdd.map(lambda line: line.status or 0).collect()
result = spark.createDataFrame([(sum(codes),)], "total long")
result
