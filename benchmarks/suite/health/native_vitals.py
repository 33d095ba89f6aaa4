"""Vital signs per patient and ward: latest values by `max_by`, conditional extremes, falls."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
vitals = spark.read.schema("patient string, ward string, kind string, value double, taken_at bigint").parquet(
    "ward_vitals"
)

# kind: partial
# G: kind = 'systolic' AND taken_at IS NOT NULL
# why: only those may be the latest; each of them may.
vitals.groupBy("patient").agg(
    F.max_by("value", F.when(F.col("kind") == "systolic", F.col("taken_at"))).alias("latest")
).filter(F.col("latest") > 140)

# kind: none no-prefilter
# why: any reading may be the latest; all that can go is one without a time.
vitals.groupBy("patient").agg(F.max_by("value", "taken_at").alias("latest")).filter(F.col("latest") > 140)

# kind: none empty-input-row
# why: a patient without such a reading passes, and no row tells.
vitals.groupBy("patient").agg(
    F.max_by("value", F.when(F.col("kind") == "systolic", F.col("taken_at"))).alias("latest")
).filter(F.col("latest").isNull())

# kind: exact
# G: kind = 'systolic' AND value > 180
# why: only those count, and only one above 180 makes the maximum so.
vitals.groupBy("patient").agg(F.max(F.when(F.col("kind") == "systolic", F.col("value"))).alias("peak")).filter(
    F.col("peak") > 180
)

# kind: exact
# G: value > 180 AND ward IN ('icu', 'er')
# why: a lower bound on a maximum, and a key.
vitals.groupBy("patient", "ward").agg(F.max("value").alias("peak")).filter(
    F.col("ward").isin("icu", "er") & (F.col("peak") > 180)
)

# kind: partial
# G: kind = 'fall'
# why: nothing else is counted.
vitals.groupBy("patient").agg(F.coalesce(F.sum(F.when(F.col("kind") == "fall", 1)), F.lit(0)).alias("falls")).filter(
    F.col("falls") >= 2
)

# kind: none empty-input-row
# why: a patient who never fell passes with 0, and no row tells.
vitals.groupBy("patient").agg(F.coalesce(F.sum(F.when(F.col("kind") == "fall", 1)), F.lit(0)).alias("falls")).filter(
    F.col("falls") == 0
)

# kind: partial
# G: value >= 1 OR value <= 0
# why: a value strictly between the bounds is neither extreme where both are passed.
vitals.groupBy("patient").agg(F.min("value").alias("low"), F.max("value").alias("high")).filter(
    (F.col("high") >= 1) & (F.col("low") <= 0)
)
