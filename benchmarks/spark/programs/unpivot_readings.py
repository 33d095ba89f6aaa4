"""Three measurements of a sample as rows of their own, and of them the extreme ones."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
vibrations = spark.read.schema("machine string, second int, um_s int").parquet("vibrations")

long = vibrations.unpivot(["machine"], ["second", "um_s"], "quantity", "value")
result = long.filter((F.col("quantity") == "um_s") & (F.col("value") > 1200))
result
