"""Records of players over their matches: conditional maxima, minima and picks, with native aggregates."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
matches = spark.read.schema("player string, score int, won boolean, mode string, deaths int").parquet("match_history")

# kind: exact
# G: mode = 'ranked' AND score >= 2000
# why: only ranked matches count, and of them only one at 2000 or more makes the maximum so.
matches.groupBy("player").agg(F.max(F.when(F.col("mode") == "ranked", F.col("score"))).alias("best")).filter(
    F.col("best") >= 2000
)

# kind: split
# G: score >= 2000
# R: at = 'ranked'
# why: the mode is that of the row with the highest score.
matches.groupBy("player").agg(F.max_by("mode", "score").alias("at"), F.max("score").alias("best")).filter(
    (F.col("best") >= 2000) & (F.col("at") == "ranked")
)

# kind: partial
# G: deaths <= 0
# why: rows above 0 are not the minimum where that is 0, and one below must still be seen.
matches.groupBy("player").agg(F.min("deaths").alias("fewest")).filter(F.col("fewest") == 0)

# kind: none no-prefilter
# why: wins are needed and losses are forbidden; all that can go is NULL.
matches.groupBy("player").agg(F.count_if("won").alias("wins"), F.count_if(~F.col("won")).alias("losses")).filter(
    (F.col("wins") >= 10) & (F.col("losses") == 0)
)

# kind: none no-prefilter
# why: a player passes by one of the two, and then the other is shown whatever it is.
matches.groupBy("player").agg(F.max("score").alias("best"), F.max("deaths").alias("worst")).filter(
    (F.col("best") >= 2000) | (F.col("worst") >= 30)
)

# kind: never
# why: no maximum is above one bound and below a lower one.
matches.groupBy("player").agg(F.max("score").alias("best")).filter((F.col("best") > 2000) & (F.col("best") < 1000))

# kind: split
# G: score >= 2000
# R: best IS NOT NULL
# why: without keys there is a row over nothing, and it holds NULL.
matches.agg(F.max("score").alias("best")).filter("best >= 2000")

# kind: partial
# G: won
# why: losses are not counted; how many wins there are is not a matter of single rows.
matches.groupBy("player").agg(F.count(F.when(F.col("won"), True)).alias("wins")).filter(F.col("wins") % 10 == 5)
