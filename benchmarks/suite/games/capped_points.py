"""Points of a player in a season: at most 10 for one event, at most 100 altogether; a Python UDTF."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
events = spark.read.schema("player string, kind string, points int").parquet("season_events")

PER_EVENT = 10
SEASON = 100


def attributed(points):
    if points > PER_EVENT:
        return PER_EVENT
    return points


@udtf(returnType="player string, points bigint, capped boolean")
class CappedPoints:
    def __init__(self):
        self.player = None
        self.points = 0
        self.capped = False

    def eval(self, row):
        self.player = row["player"]
        if row["points"] is None or row["points"] <= 0:
            return
        self.points += attributed(row["points"])
        if self.points > SEASON:
            self.points = SEASON
            self.capped = True

    def terminate(self):
        if self.points > 0:
            yield self.player, self.points, self.capped


# kind: partial
# G: points > 0
# why: any points may be the ones that are missing to 50.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("points") >= 50)

# kind: partial
# G: points > 0
# why: what is capped was earned row by row.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("capped"))

# kind: partial
# G: points > 0
# why: players without points give no row in either run, so this upper bound loses nobody.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("points") < 20)

# kind: never
# why: the season's cap.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("points") > 100)

# kind: never
# why: who was capped once stays at the cap.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("capped") & (F.col("points") < 100))

# kind: exact
# G: player IN ('ann', 'bob') AND points > 0
# why: the key decides for whole players, and events without points change nothing.
CappedPoints(events.asTable().partitionBy("player")).filter(F.col("player").isin("ann", "bob"))

# kind: none no-prefilter representative-choice
# why: in one partition the player that is shown is that of the last event, with points or without.
CappedPoints(events.asTable().withSinglePartition()).filter(F.col("points") >= 50)
