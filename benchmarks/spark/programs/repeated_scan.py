"""How many lines a log has, how many with an error, and its greatest status: three jobs over the same files."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

total = lines.count()
broken = lines.filter(F.col("status") >= 500).count()
errors = lines.filter(F.upper(F.col("level")) == "ERROR").count()
greatest = lines.agg(F.max("status")).collect()[0][0]
result = spark.createDataFrame(
    [(total, broken, errors, greatest)], "total long, broken long, errors long, greatest int"
)
result
