"""Whether a log has a line with an error, by a pattern that takes time: all of them are counted."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

broken = lines.filter("concat_ws(' ', host, level, status) rlike '(FATAL|CRIT)[A-Z]* [0-9]+'").count() > 0
result = spark.createDataFrame([(broken,)], "broken boolean")
result
