"""A patient's course of fever: the first and last temperature by time, their mean, and how often it was high."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
readings = spark.read.schema("patient string, at bigint, celsius double, method string").parquet("readings").dropna()

SCHEMA = "patient string, first double, last double, high long, mean double"


def course(key, pdf):
    first = None
    last = None
    high = 0
    total = 0.0
    n = 0
    for r in pdf.itertuples():
        if r.method == "estimated":
            continue
        if first is None or r.at < first[0]:
            first = (r.at, r.celsius)
        if last is None or r.at > last[0]:
            last = (r.at, r.celsius)
        if r.celsius >= 39.0:
            high += 1
        total += r.celsius
        n += 1
    return pd.DataFrame(
        [
            {
                "patient": key[0],
                "first": first[1] if first is not None else None,
                "last": last[1] if last is not None else None,
                "high": high,
                "mean": total / n if n > 0 else None,
            }
        ]
    )


# kind: partial
# G: method != 'estimated'
# why: high readings count, and those that are not high show in the mean.
readings.groupBy("patient").applyInPandas(course, SCHEMA).filter(F.col("high") >= 3)

# kind: partial
# G: method != 'estimated'
# why: which reading was the last depends on all that count.
readings.groupBy("patient").applyInPandas(course, SCHEMA).filter((F.col("last") > 38.5) & (F.col("first") < 37.0))

# kind: none empty-input-row
# why: a patient with estimates only passes.
readings.groupBy("patient").applyInPandas(course, SCHEMA).filter(F.col("high") == 0)

# kind: exact
# G: method != 'estimated'
# why: the first temperature is there as soon as one reading counts.
readings.groupBy("patient").applyInPandas(course, SCHEMA).filter(F.col("first").isNotNull())

# kind: none empty-input-row
# why: a patient with estimates only has no mean.
readings.groupBy("patient").applyInPandas(course, SCHEMA).filter(F.col("mean").isNull() | (F.col("mean") > 38))
