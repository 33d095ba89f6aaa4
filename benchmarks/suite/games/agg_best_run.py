"""The best score of each player and the level that it was made on: two pandas UDFs in one `agg`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
runs = spark.read.schema("player string, score int, level string").parquet("best_run_runs")


@pandas_udf("double")
def best_score(score: pd.Series) -> float:
    return score.max()


@pandas_udf("string")
def level_of_best(score: pd.Series, level: pd.Series) -> str:
    best, at = None, None
    for points, where in zip(score, level):  # noqa: B905
        if points == points and (best is None or points > best):
            best, at = points, where
    return at


# kind: exact
# G: score > 9000
# why: both outputs are decided by the row with the highest score, which is above 9000 where the player passes.
runs.groupBy("player").agg(best_score("score").alias("best"), level_of_best("score", "level").alias("at")).filter(
    F.col("best") > 9000
)

# kind: split
# G: score > 9000
# R: at = 'boss'
# why: as before; the level is that of a kept row.
runs.groupBy("player").agg(best_score("score").alias("best"), level_of_best("score", "level").alias("at")).filter(
    (F.col("best") > 9000) & (F.col("at") == "boss")
)

# kind: exact
# G: score > 9000
# why: the best score alone.
runs.groupBy("player").agg(best_score("score").alias("best")).filter("best > 9000")

# kind: none no-prefilter
# why: whether the best run was on that level depends on every score.
runs.groupBy("player").agg(level_of_best("score", "level").alias("at")).filter(F.col("at") == "boss")

# kind: none no-prefilter
# why: an upper bound on a maximum: every row may break it.
runs.groupBy("player").agg(best_score("score").alias("best")).filter(F.col("best") < 100)

# kind: none empty-input-row
# why: a player without any score passes, and any score keeps him from passing.
runs.groupBy("player").agg(best_score("score").alias("best")).filter(F.col("best").isNull())

# kind: split
# G: score >= 5000
# R: best <= 9000
# why: without keys; where no score reaches 5000 there is no row at all.
runs.agg(best_score("score").alias("best")).filter(F.col("best").between(5000, 9000))
