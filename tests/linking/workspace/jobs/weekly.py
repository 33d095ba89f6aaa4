"""Absolute imports, under other names, beside a name of its own that another file has too."""

from lib_udfs import is_low
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from shared.rules import is_served as served

LARGE = "large"
spark = SparkSession.builder.getOrCreate()


def run(path):
    sales = spark.read.schema("id long, team string, tier string, price double").parquet(path)
    sales.filter(F.udf(served, "boolean")("tier")).write.parquet(f"/out/{LARGE}")
    return sales.withColumn("low", is_low("price")).filter("low")
