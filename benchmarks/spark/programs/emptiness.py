"""Whether a log has a line with an error: all of them are counted."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

broken = lines.filter("upper(level) = 'ERROR'").count() > 0
result = spark.createDataFrame([(broken,)], "broken boolean")
result
