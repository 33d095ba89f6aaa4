"""Small programs with a known answer."""

from __future__ import annotations

HEAD = """from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
"""
BEST = (
    HEAD
    + """scores = spark.read.schema("team string, score bigint").parquet("scores")
best = scores.groupBy("team").agg(F.max("score").alias("best"))
good = best.filter(F.col("best") > {})
"""
)
"""``F.max`` and a filter on it: HW101 once proved, HW190 before."""
TWO = (
    BEST
    + """
low = scores.groupBy("team").agg(F.min("score").alias("low"))
bad = low.filter("low < {}")
"""
)
NOTHING = (
    HEAD
    + """scores = spark.read.schema("team string, score bigint").parquet("scores")
total = scores.groupBy("team").agg(F.count("score").alias("n"))
many = total.filter("n > 3")
"""
)
