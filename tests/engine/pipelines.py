"""Source texts for the engine's tests."""

TOP2 = """\
import pandas as pd
from pyspark.sql import functions as F


def top2(key, rows: pd.DataFrame) -> pd.DataFrame:
    first = None
    second = None
    for row in rows.itertuples():
        if pd.isna(row.score):
            continue
        if first is None or row.score > first:
            second = first
            first = row.score
        elif second is None or row.score > second:
            second = row.score
    return pd.DataFrame([{"team": key[0], "first": first, "second": second}])


scores = spark.read.schema("team string, score double").parquet("scores")
best = scores.groupBy("team").applyInPandas(top2, "team string, first double, second double")
best.filter((F.col("first") >= 90) & (F.col("second") >= 90)).write.parquet("best")
"""

PEAKS = """\
from pyspark.sql import functions as F

payments = spark.read.schema("account long, amount long").parquet("payments")
peaks = payments.groupBy("account").agg(F.max("amount").alias("peak"))
peaks.filter(F.col("peak") >= 950_000).write.parquet("peaks")
"""

FIXED_PEAKS = """\
from pyspark.sql import functions as F

payments = spark.read.schema("account long, amount long").parquet("payments")
peaks = payments.filter(F.col("amount") >= 950000).groupBy("account").agg(F.max("amount").alias("peak"))
peaks.write.parquet("peaks")
"""

KEYS = """\
from pyspark.sql import functions as F

peaks = spark.read.parquet("payments").groupBy("account").agg(F.max("amount").alias("peak"))
peaks.filter(F.col("account") >= 7).write.parquet("peaks")
"""

UNGUARDED = TOP2.replace("        if pd.isna(row.score):\n            continue\n", "")

VERIFIED_AND_ASSUMED = (
    PEAKS
    + """

def by(keys):
    everything = spark.read.schema("account long, amount long").parquet("payments")
    highest = everything.groupBy(*keys).agg(F.max("amount").alias("highest"))
    return highest.filter(F.col("highest") >= 20)
"""
)
"""One rewrite that holds for every input, and one that rests on ``keys`` naming a column."""
KEYS_ARE_THERE = "`keys` names at least one column, and each key is a deterministic function of its row"
