"""The three best scores of a player, as a list that is kept sorted and cut inside an `applyInPandas` function."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
runs = spark.read.schema("player string, score int, level string").parquet("runs").dropna(subset=["score"])

SCHEMA = "player string, first int, second int, third int"


def podium(key, pdf):
    top = []
    for run in pdf.itertuples():
        top.append(run.score)
        top.sort(reverse=True)
        top = top[:3]
    return pd.DataFrame(
        [
            {
                "player": key[0],
                "first": top[0],
                "second": top[1] if len(top) > 1 else None,
                "third": top[2] if len(top) > 2 else None,
            }
        ]
    )


# kind: split
# G: score >= 5000
# R: third IS NOT NULL
# why: three runs at 5000 or more decide it; the third place tells whether there were three.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter(
    (F.col("first") >= 5000) & (F.col("second") >= 5000) & (F.col("third") >= 5000)
)

# kind: none no-prefilter
# why: whoever passes shows its second and third score, however low they are.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter(F.col("first") > 9000)

# kind: split
# G: score >= 5000
# R: third IS NOT NULL
# why: the third score is below the other two, so all three pass where it does.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter("third >= 5000")

# kind: none no-prefilter
# why: an upper bound on a best score; any run may break it.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter(F.col("second") <= 100)

# kind: none no-prefilter empty-input-row
# why: a second run, however low, keeps the player from passing, and one without any run would pass.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter(F.col("second").isNull())

# kind: split
# G: score >= 100
# R: third <= 9000
# why: the best three of the runs at 100 or more are those of all runs, if there are three; a NULL third fails both.
runs.groupBy("player").applyInPandas(podium, SCHEMA).filter(F.col("third").between(100, 9000))
