"""Which boss fights a player has won (a bit mask), and how many bosses he beat on hard (a set): `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
fights = spark.read.schema("player string, boss string, won boolean, difficulty int").parquet("fights")
known = fights.dropna()

MASK_SCHEMA = "player string, mask int"
SET_SCHEMA = "player string, hard_bosses long"


def medals(key, pdf):
    mask = 0
    for fight in pdf.itertuples():
        if not fight.won:
            continue
        if fight.boss == "hydra":
            mask |= 1
        elif fight.boss == "sphinx":
            mask |= 2
        elif fight.boss == "golem":
            mask |= 4
    return pd.DataFrame([{"player": key[0], "mask": mask}])


def hard_bosses(key, pdf):
    beaten = set()
    for fight in pdf.itertuples():
        if fight.won and fight.difficulty >= 8:
            beaten.add(fight.boss)
    return pd.DataFrame([{"player": key[0], "hard_bosses": len(beaten)}])


# kind: partial
# G: won AND boss IN ('hydra', 'sphinx', 'golem')
# why: only wins over the three set a flag, and without a flag the mask is 0.
known.groupBy("player").applyInPandas(medals, MASK_SCHEMA).filter(F.col("mask") == 7)

# kind: exact
# G: won AND boss IN ('hydra', 'sphinx', 'golem')
# why: any flag will do, the mask is shown, so no flag may get lost; and what is left of a player has a flag.
known.groupBy("player").applyInPandas(medals, MASK_SCHEMA).filter(F.col("mask") > 0)

# kind: none empty-input-row
# why: a player who has won nothing passes.
known.groupBy("player").applyInPandas(medals, MASK_SCHEMA).filter(F.col("mask") == 0)

# kind: partial
# G: won AND difficulty >= 8
# why: only hard wins enter the set, and three of them are needed.
known.groupBy("player").applyInPandas(hard_bosses, SET_SCHEMA).filter(F.col("hard_bosses") >= 3)

# kind: none empty-input-row opaque
# why: a player without a hard win has fewer than two.
known.groupBy("player").applyInPandas(hard_bosses, SET_SCHEMA).filter(F.col("hard_bosses") < 2)

# kind: partial
# G: won AND difficulty >= 8
# why: the equality needs every hard win, and none of the others.
known.groupBy("player").applyInPandas(hard_bosses, SET_SCHEMA).filter(F.col("hard_bosses") == 5)
