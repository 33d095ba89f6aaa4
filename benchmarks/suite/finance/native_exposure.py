"""Exposure of desks, in the short forms: `groupBy().max("x")`, `agg({"x": "min"})`, `first` of a condition."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
positions = spark.read.schema("desk string, trader string, exposure double, breached boolean").parquet("positions")

# kind: exact
# G: exposure > 1000000
# why: a lower bound on a maximum.
positions.groupBy("desk").max("exposure").filter(F.col("max(exposure)") > 1000000)

# kind: exact
# G: exposure < -1000000
# why: an upper bound on a minimum.
positions.groupBy("desk").agg({"exposure": "min"}).filter(F.col("min(exposure)") < -1000000)

# kind: none no-prefilter
# why: every row counts.
positions.groupBy("desk").count().filter(F.col("count") > 10)

# kind: exact
# G: breached AND exposure IS NOT NULL
# why: one breach is enough, and the first of them is the same with and without the other rows.
positions.groupBy("desk", "trader").agg(
    F.first(F.when(F.col("breached"), F.col("exposure")), ignorenulls=True).alias("breach")
).filter(F.col("breach").isNotNull())

# kind: partial
# G: breached AND exposure IS NOT NULL
# why: which breach is the first may be any of them.
positions.groupBy("desk", "trader").agg(
    F.first(F.when(F.col("breached"), F.col("exposure")), ignorenulls=True).alias("breach")
).filter(F.col("breach") > 500000)

# kind: none no-prefilter representative-choice
# why: any row may be the first one.
positions.groupBy("desk").agg(F.first("exposure").alias("opening")).filter(F.col("opening") > 500000)

# kind: split
# G: exposure >= 1000000
# R: peak <= 2000000
# why: without keys; where nothing reaches a million the row holds NULL, which fails the rest too.
positions.agg(F.max("exposure").alias("peak")).filter(F.col("peak").between(1000000, 2000000))

# kind: never
# why: no row's flag is both, and a maximum over nothing is NULL.
positions.groupBy("desk").agg(F.max(F.when(F.col("breached") & ~F.col("breached"), 1)).alias("odd")).filter(
    F.col("odd") > 0
)
