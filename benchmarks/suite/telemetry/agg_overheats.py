"""How often a machine overheated while it ran: a pandas UDF over two series, counting a mask."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
readings = spark.read.schema("machine string, temperature double, state string").parquet("overheats_readings")


@F.pandas_udf("long")
def overheats(temperature: pd.Series, state: pd.Series) -> int:
    return int(((temperature > 90) & (state == "running")).sum())


# kind: partial
# G: temperature > 90 AND state = 'running'
# why: no other row is counted (in pandas NaN is not above 90); how many there are is not a matter of single rows.
readings.groupBy("machine").agg(overheats("temperature", "state").alias("n")).filter(F.col("n") >= 3)

# kind: exact
# G: temperature > 90 AND NOT isnan(temperature) AND state = 'running'
# why: with only counted rows left, a machine that is there at all has been counted once.
readings.groupBy("machine").agg(overheats("temperature", "state").alias("n")).filter(F.col("n") > 0)

# kind: none empty-input-row
# why: machines that never overheated count 0 and pass; without their rows they vanish.
readings.groupBy("machine").agg(overheats("temperature", "state").alias("n")).filter(F.col("n") == 0)

# kind: partial
# G: temperature > 90 AND state = 'running'
# why: the same without keys; fewer than three fail with and without a row over nothing.
readings.agg(overheats("temperature", "state").alias("n")).filter(F.col("n") >= 3)

# kind: none empty-input-row
# why: where nothing overheats the count is 0 and passes, but over no rows a pandas UDF gives no row.
readings.agg(overheats("temperature", "state").alias("n")).filter(F.col("n") < 3)

# kind: partial
# G: temperature > 90 AND state = 'running' AND machine = 'press-7'
# why: the key moves with the rest.
readings.groupBy("machine").agg(overheats(readings.temperature, readings.state).alias("n")).filter(
    (F.col("machine") == "press-7") & (F.col("n") * 10 >= 50)
)

# kind: never
# why: a count is never negative.
readings.groupBy("machine").agg(overheats("temperature", "state").alias("n")).filter(F.col("n") < 0)
