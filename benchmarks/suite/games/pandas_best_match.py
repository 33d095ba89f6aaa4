"""The best match of each player with where and against whom it was played: a tuple is kept, `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
matches = spark.read.schema("player string, points int, arena string, rival string").parquet("matches")
played = matches.dropna(subset=["points"])

SCHEMA = "player string, points int, arena string, rival string"


def best_match(key, pdf):
    best = None
    for match in pdf.itertuples():
        if best is None or match.points > best[0]:
            best = (match.points, match.arena, match.rival)
    points, arena, rival = best
    return pd.DataFrame([{"player": key[0], "points": points, "arena": arena, "rival": rival}])


# kind: exact
# G: points > 40
# why: the best match of whoever passes has more than 40 points, and lesser ones never replace it.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter(F.col("points") > 40)

# kind: split
# G: points > 40
# R: arena = 'north'
# why: the arena is that of the best match, which is kept; the points need no second look.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter((F.col("points") > 40) & (F.col("arena") == "north"))

# kind: none no-prefilter representative-choice
# why: whether the best match was in the north depends on the points of all others.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter(F.col("arena") == "north")

# kind: split
# G: points >= 10
# R: points < 20
# why: the lower bound moves; whether something better came up does not.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter("points >= 10 AND points < 20")

# kind: none no-prefilter empty-input-row
# why: a match with 41 points and a rival makes the player fail, so no row can go.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter("points > 40 OR rival IS NULL")

# kind: partial
# G: points >= 25
# why: the equality on a maximum becomes a lower bound on rows.
played.groupBy("player").applyInPandas(best_match, SCHEMA).filter(F.col("points") == 25)
