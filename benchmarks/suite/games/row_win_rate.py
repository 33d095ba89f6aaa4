"""The share of games won, with a guard for players without games: a plain Python UDF that divides."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
players = spark.read.schema("player string, wins int, games int, league string").parquet("players")


@F.udf("double")
def win_rate(wins, games):
    if wins is None or games is None or games == 0:
        return None
    return wins / games


# kind: exact
# G: wins IS NULL OR games IS NULL OR games = 0
# why: those are the guard.
players.withColumn("rate", win_rate("wins", "games")).filter(F.col("rate").isNull())

# kind: exact
# G: wins IS NOT NULL AND games <> 0
# why: what the guard lets through.
players.withColumn("rate", win_rate("wins", "games")).filter(F.col("rate").isNotNull())

# kind: partial
# G: wins IS NOT NULL AND games <> 0
# why: what the guard refuses has no rate; the division itself may not be asked of every row.
players.withColumn("rate", win_rate("wins", "games")).filter(F.col("rate") >= 0.6)

# kind: partial
# G: wins IS NOT NULL AND games <> 0
# why: as before; the league passes through, and Spark moves that part itself.
players.withColumn("rate", win_rate("wins", "games")).filter((F.col("rate") >= 0.6) & (F.col("league") == "gold"))

# kind: exact
# G: wins IS NULL OR games IS NULL OR games = 0
# why: of what has a rate nothing is beyond two bounds that exclude each other.
players.withColumn("rate", win_rate("wins", "games")).filter(
    F.col("rate").isNull() | ((F.col("rate") > 0.9) & (F.col("rate") < 0.1))
)

# kind: never
# why: a rate is not above one bound and below a lower one.
players.withColumn("rate", win_rate("wins", "games")).filter((F.col("rate") > 0.9) & (F.col("rate") < 0.1))
