"""The two best scores of each team, with ``applyInPandas`` over sorted-by-hand slots.

A team passes a season's cut by its best or by both of its results.
"""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
scores = spark.read.schema("team string, score double").parquet("scores").dropna(subset=["score"])

SCHEMA = "team string, first double, second double"


def top2(key, pdf):
    first = None
    second = None
    for score in pdf["score"]:
        if score != score:
            continue
        if first is None or score > first:
            second = first
            first = score
        elif second is None or score > second:
            second = score
    return pd.DataFrame([{"team": key[0], "first": first, "second": second}])


# kind: split
# G: score >= 90
# R: second IS NOT NULL
# why: two rows at 90 or more decide it; the second slot tells whether there were two.
scores.groupBy("team").applyInPandas(top2, SCHEMA).filter((F.col("first") >= 90) & (F.col("second") >= 90))

# kind: split
# G: score >= 90
# R: second IS NOT NULL
# why: the second is at 90 or more only where the first is too; with fewer than two such rows the second slot is empty
#      in the optimized run and below 90 in the original.
scores.groupBy("team").applyInPandas(top2, SCHEMA).filter(F.col("second") >= 90)

# kind: none no-prefilter
# why: a team passes by its best alone, and then the second is shown whatever it is.
scores.groupBy("team").applyInPandas(top2, SCHEMA).filter(F.col("first") >= 90)

# kind: never
# why: the first is never below the second.
scores.groupBy("team").applyInPandas(top2, SCHEMA).filter((F.col("first") < 10) & (F.col("second") > 20))

# kind: none no-prefilter
# why: an upper bound on a maximum: every row may break it.
scores.groupBy("team").applyInPandas(top2, SCHEMA).filter(F.col("first") < 50)
