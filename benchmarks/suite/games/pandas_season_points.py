"""League points of a season with a cap, and the wins that they come from: conditional sums in `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
rounds = spark.read.schema("team string, round int, outcome string, bonus int").parquet("rounds").dropna()

CAP = 60
SCHEMA = "team string, points long, wins long"


def season(key, pdf):
    points = 0
    wins = 0
    for r in pdf.itertuples():
        if r.outcome == "win":
            points = min(points + 3, CAP)
            wins += 1
        elif r.outcome == "draw":
            points = min(points + 1, CAP)
    return pd.DataFrame([{"team": key[0], "points": points, "wins": wins}])


# kind: partial
# G: outcome IN ('win', 'draw')
# why: only wins and draws give points, and a team without points fails.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter(F.col("points") >= 30)

# kind: partial
# G: outcome IN ('win', 'draw')
# why: draws do not count as wins, but they show in the points of whoever passes.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter(F.col("wins") > 10)

# kind: none empty-input-row
# why: a team without a win and without a point passes.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter(F.col("wins") == 0)

# kind: never
# why: points are cut off at 60.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter(F.col("points") > 60)

# kind: partial
# G: outcome IN ('win', 'draw')
# why: an equality of sums: lost rounds change nothing, and every other one does.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter((F.col("points") == 60) & (F.col("wins") >= 1))

# kind: none empty-input-row
# why: a team without points passes the first branch.
rounds.groupBy("team").applyInPandas(season, SCHEMA).filter((F.col("points") < 3) | (F.col("wins") > 12))
