"""Two questions about a league: who pays a lot, and which teams have two good scores."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("league").getOrCreate()


def top2(key: tuple, rows: pd.DataFrame) -> pd.DataFrame:
    """The two highest scores of a team; missing scores do not count."""
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


scores = spark.read.schema("team string, score double").parquet("data/scores")
best = scores.groupBy("team").applyInPandas(top2, "team string, first double, second double")
best.filter((F.col("first") >= 90) & (F.col("second") >= 90)).show()

payments = spark.read.schema("account long, amount long").parquet("data/payments")
peaks = payments.groupBy("account").agg(F.max("amount").alias("peak"))
peaks.filter(F.col("peak") >= 950_000).show()  # a comment that must stay
