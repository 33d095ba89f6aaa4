"""The first lines of a log with an error, as people look at them: everything is handed to the driver."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

errors = lines.filter("status >= 404").toPandas().head(5)
result = spark.createDataFrame([(len(errors),)], "n int")
result
