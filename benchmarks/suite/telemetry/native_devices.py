"""Flags and extremes per device: `bool_or`, `bool_and`, `max` of two columns, with a limit from the configuration."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
beats = spark.read.schema("device string, seq bigint, level double, ok boolean, firmware string").parquet("beats")
limit = float(spark.conf.get("telemetry.limit", "90"))

# kind: exact
# G: level > 90
# why: one row is enough, and the flag is all that is shown.
beats.groupBy("device").agg(F.bool_or(F.col("level") > 90).alias("hot")).filter(F.col("hot"))

# kind: exact
# G: NOT ok
# why: one failure makes the conjunction false, and only false passes.
beats.groupBy("device").agg(F.bool_and("ok").alias("healthy")).filter(~F.col("healthy"))

# kind: none no-prefilter
# why: one failure keeps the device out, and one success lets it in.
beats.groupBy("device").agg(F.bool_and("ok").alias("healthy")).filter(F.col("healthy"))

# kind: split
# G: level > 90
# R: hot IS NOT NULL
# why: without keys there is a row over nothing; then the flag is NULL.
beats.agg(F.bool_or(F.col("level") > 90).alias("hot")).filter("hot")

# kind: none no-prefilter
# why: the count is shown, and counts every row.
beats.groupBy("device").agg(F.max("level").alias("peak"), F.count("*").alias("beats")).filter(F.col("peak") > 90)

# kind: partial
# G: level > 90 OR seq > 1000
# why: a row below both bounds is neither maximum where both are passed.
beats.groupBy("device").agg(F.max("level").alias("peak"), F.max("seq").alias("last")).filter(
    (F.col("peak") > 90) & (F.col("last") > 1000)
)

# kind: partial
# why: as with a constant; but the limit may be NaN, and then a device with NaN is left that does not pass.
beats.groupBy("device").agg(F.max("level").alias("peak")).filter(F.col("peak") > limit)

# kind: partial
# G: level >= 100
# why: rows below 100 are not the maximum where that is 100, and one above must still be seen.
beats.groupBy("device").agg(F.max("level").alias("peak")).filter(F.col("peak") == 100)

# kind: none no-prefilter
# why: an upper bound on a maximum: every row may break it.
beats.groupBy("device").agg(F.max("level").alias("peak")).filter(F.col("peak") <= 50)
