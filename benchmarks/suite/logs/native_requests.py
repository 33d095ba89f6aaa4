"""Errors per host, counted in the ways in which people count them, with native aggregates."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("host string, status int, size_bytes bigint, path string").parquet("requests")

# kind: partial
# G: status >= 500
# why: everything else adds 0.
requests.groupBy("host").agg(F.sum(F.when(F.col("status") >= 500, 1).otherwise(0)).alias("errors")).filter(
    F.col("errors") > 5
)

# kind: partial
# G: status >= 500
# why: a flag as a number is 0 or 1.
requests.groupBy("host").agg(F.sum((F.col("status") >= 500).cast("int")).alias("errors")).filter(F.col("errors") > 5)

# kind: exact
# G: status >= 500
# why: with only errors left, a host that is there at all has one.
requests.groupBy("host").agg(F.sum(F.when(F.col("status") >= 500, 1).otherwise(0)).alias("errors")).filter(
    "errors >= 1"
)

# kind: none no-prefilter empty-input-row
# why: a host without errors has a sum of 0 and passes, and would vanish with its rows.
requests.groupBy("host").agg(F.sum(F.when(F.col("status") >= 500, 1).otherwise(0)).alias("errors")).filter(
    F.col("errors") < 5
)

# kind: exact
# G: size_bytes > 1000000 AND host = 'edge-1'
# why: a lower bound on a maximum, and the key.
requests.groupBy("host").agg(F.max("size_bytes").alias("largest")).filter(
    (F.col("largest") > 1000000) & (F.col("host") == "edge-1")
)

# kind: partial
# G: status = 404 OR status = 500
# why: nothing else is counted by either.
requests.groupBy("host").agg(
    F.count_if(F.col("status") == 404).alias("missing"), F.count_if(F.col("status") == 500).alias("broken")
).filter((F.col("missing") >= 3) & (F.col("broken") >= 1))

# kind: partial
# G: status >= 500
# why: without keys the row is there over nothing, and counts 0 in both runs.
requests.agg(F.count_if(F.col("status") >= 500).alias("errors")).filter(F.col("errors") < 5)

# kind: exact
# G: status >= 500
# why: the highest status decides, and only `bad` is shown of it.
requests.groupBy("host").agg(F.when(F.max("status") >= 500, "bad").otherwise("good").alias("health")).filter(
    F.col("health") == "bad"
)

# kind: none no-prefilter
# why: an average counts every row.
requests.groupBy("host").agg(F.avg("size_bytes").alias("typical")).filter(F.col("typical") > 1000)
