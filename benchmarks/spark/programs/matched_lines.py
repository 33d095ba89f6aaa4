"""The lines of hosts that have a fatal one, by an inner join with these hosts."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

hosts = lines.filter(F.col("status") >= 503).select("host").distinct()
result = lines.join(hosts, "host")
result
