"""The longest run of wins of a player and the present one: two slots that read each other; a Python UDTF.

Draws neither lengthen nor end a run. Over all players together the player of the last win is shown.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
matches = spark.read.schema("player string, at bigint, outcome string").parquet("ranked_matches")


class WinStreak:
    def __init__(self):
        self.player = None
        self.longest = 0
        self.current = 0

    def eval(self, row):
        if row["outcome"] == "win":
            self.player = row["player"]
            self.current += 1
            self.longest = max(self.longest, self.current)
        elif row["outcome"] == "loss":
            self.current = 0

    def terminate(self):
        if self.longest > 0:
            yield self.player, self.longest, self.current


win_streak = udtf(WinStreak, returnType="player string, longest bigint, current bigint")

# kind: partial
# G: outcome = 'win' OR outcome = 'loss'
# why: losses end a run, draws change nothing.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(F.col("longest") >= 5)

# kind: partial
# G: outcome = 'win' OR outcome = 'loss'
# why: a player without a win gives no row in either run.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(F.col("longest") < 3)

# kind: partial
# G: outcome = 'win' OR outcome = 'loss'
# why: a run that goes on was not ended by a loss, which therefore stays.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(F.col("current") >= 3)

# kind: never
# why: the present run is at most the longest.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(F.col("current") > F.col("longest"))

# kind: partial
# G: outcome = 'win' OR outcome = 'loss'
# why: whether the longest run is the present one depends on wins and losses alone.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(F.col("current") == F.col("longest"))

# kind: partial
# G: outcome = 'win' OR outcome = 'loss'
# why: over all players; without a win there is no row.
win_streak(matches.asTable().withSinglePartition().orderBy("at")).filter(F.col("longest") >= 10)

# kind: partial
# G: player = 'ann' AND (outcome = 'win' OR outcome = 'loss')
# why: the conjunct on the key moves by itself, rows that change nothing go too.
win_streak(matches.asTable().partitionBy("player").orderBy("at")).filter(
    (F.col("player") == "ann") & (F.col("longest") >= 5)
)
