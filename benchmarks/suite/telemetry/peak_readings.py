"""The highest reading and the number of alarms per device: native aggregates."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
readings = spark.read.schema("device string, level int, alarm boolean").parquet("readings")

# kind: exact
# G: level > 100
# why: only a reading above 100 can make the maximum exceed 100, and it is the only output.
readings.groupBy("device").agg(F.max("level").alias("peak")).filter(F.col("peak") > 100)

# kind: none empty-input-row
# why: a device without alarms counts 0 and passes, but without its rows it would vanish.
readings.groupBy("device").agg(F.count(F.when(F.col("alarm"), 1)).alias("alarms")).filter(F.col("alarms") < 5)

# kind: partial
# G: alarm
# why: only alarms are counted; how many there are is not a matter of single rows.
readings.groupBy("device").agg(F.count(F.when(F.col("alarm"), 1)).alias("alarms")).filter(F.col("alarms") > 5)

# kind: split
# G: level > 100
# R: peak IS NOT NULL
# why: a global maximum over no rows is NULL, and still a row.
readings.agg(F.max("level").alias("peak")).filter(F.col("peak") > 100)
