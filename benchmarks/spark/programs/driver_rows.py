"""Lines of a log that the driver collects, of which it keeps those with an error."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

errors = [(row.host, row.status) for row in lines.collect() if row.status is not None and row.status >= 503]
result = spark.createDataFrame(errors, "host string, status int")
result
