"""Which file the failed requests of a log are in: Spark moves no filter past ``input_file_name``."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

named = lines.withColumn("file", F.input_file_name())
result = named.filter(F.col("status") >= 500)
result
