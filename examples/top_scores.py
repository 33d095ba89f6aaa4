"""Teams whose two best scores are both 90 or more."""

import sys

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


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


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    scores = spark.read.schema("team string, score double").parquet(f"{data_dir}/scores")
    best = scores.groupBy("team").applyInPandas(top2, "team string, first double, second double")
    return best.filter((F.col("first") >= 90) & (F.col("second") >= 90))


if __name__ == "__main__":
    session = SparkSession.builder.appName("top-scores").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
