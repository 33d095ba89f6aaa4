"""The strongest combo of a player with the weapon and the hits that it was made of: an argmax over several columns.

A Python UDTF; of two equal combos the earlier one in the partition is kept.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
combos = spark.read.schema("player string, weapon string, hits int, damage int").parquet("combos")


@udtf(returnType="player string, damage int, weapon string, hits int")
class BestCombo:
    def __init__(self):
        self.player = None
        self.damage = None
        self.weapon = None
        self.hits = None

    def eval(self, row):
        if row["damage"] is None:
            return
        if self.damage is None or row["damage"] > self.damage:
            self.player = row["player"]
            self.damage = row["damage"]
            self.weapon = row["weapon"]
            self.hits = row["hits"]

    def terminate(self):
        if self.damage is not None:
            yield self.player, self.damage, self.weapon, self.hits


# kind: exact
# G: damage >= 500
# why: only a combo of 500 or more can be the strongest where that is, and all such keep their order.
BestCombo(combos.asTable().partitionBy("player")).filter(F.col("damage") >= 500)

# kind: exact
# G: damage >= 10000
# why: the strongest of all players; the player is carried along.
BestCombo(combos.asTable().withSinglePartition()).filter(F.col("damage") >= 10000)

# kind: split
# G: damage >= 500
# R: weapon = 'bow'
# why: the bound moves whole; with which weapon the strongest was made is known at the end only.
BestCombo(combos.asTable().partitionBy("player")).filter((F.col("damage") >= 500) & (F.col("weapon") == "bow"))

# kind: none no-prefilter
# why: a stronger combo with another weapon drives the bow out.
BestCombo(combos.asTable().partitionBy("player")).filter(F.col("weapon") == "bow")

# kind: none no-prefilter
# why: an upper bound on a maximum.
BestCombo(combos.asTable().partitionBy("player")).filter(F.col("damage") < 100)

# kind: exact
# G: player = 'p1'
# why: the player that is shown is the key of its rows wherever there is a row.
BestCombo(combos.asTable().partitionBy("player")).filter(F.col("player") == "p1")

# kind: none no-prefilter
# why: over all players together another one's combo may be stronger.
BestCombo(combos.asTable().withSinglePartition()).filter(F.col("player") == "p1")

# kind: split
# G: damage >= 500
# R: weapon = 'bow' OR hits > 10
# why: the bound moves, the disjunction over what is carried along stays.
BestCombo(combos.asTable().withSinglePartition()).filter(
    (F.col("damage") >= 500) & ((F.col("weapon") == "bow") | (F.col("hits") > 10))
)


def best_of(name: str):
    """The best combo of one player."""
    # kind: exact
    # why: the player that is shown is the key of its rows, whichever the caller asks for.
    return BestCombo(combos.asTable().partitionBy("player")).filter(F.col("player") == name)
