"""Lines of a log as a frame of pandas, of which the driver looks at the fatal ones."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

pdf = lines.toPandas()
fatal = pdf[pdf["level"] == "FATAL"]
result = spark.createDataFrame([(host,) for host in fatal["host"]], "host string")
result
