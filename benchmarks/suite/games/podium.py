"""The three best scores of an arena, kept in three slots of a Python UDTF."""

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
matches = spark.read.schema("arena string, player string, score int").parquet("arena_matches")


@udtf(returnType="first int, second int, third int")
class Podium:
    def __init__(self):
        self.first = None
        self.second = None
        self.third = None

    def eval(self, row: Row):
        score = row["score"]
        if score is None:
            return
        if self.first is None or score > self.first:
            self.third = self.second
            self.second = self.first
            self.first = score
        elif self.second is None or score > self.second:
            self.third = self.second
            self.second = score
        elif self.third is None or score > self.third:
            self.third = score

    def terminate(self):
        if self.first is not None:
            yield self.first, self.second, self.third


# kind: split
# G: score >= 1000
# R: third IS NOT NULL
# why: three rows at 1000 or more decide it; the third slot tells whether there were three.
Podium(matches.asTable().partitionBy("arena")).filter(F.col("third") >= 1000)

# kind: split
# G: score >= 1000
# R: third IS NOT NULL
# why: as above, over all arenas; without such a row there is no row in either run.
Podium(matches.asTable().withSinglePartition()).filter(F.col("third") >= 1000)

# kind: none no-prefilter
# why: the other two are shown whatever they are.
Podium(matches.asTable().partitionBy("arena")).filter(F.col("first") >= 1000)

# kind: none no-prefilter
# why: the third is below the bound that the second is above, and is shown.
Podium(matches.asTable().partitionBy("arena")).filter((F.col("second") >= 1000) & (F.col("third") < 1000))

# kind: never
# why: the slots are in order.
Podium(matches.asTable().partitionBy("arena")).filter(F.col("third") > F.col("first"))

# kind: split
# G: score >= 1000
# R: third IS NOT NULL AND first - third < 50
# why: where the third is at 1000, all three are; how far apart they are stays to be asked.
Podium(matches.asTable().partitionBy("arena")).filter((F.col("third") >= 1000) & (F.col("first") - F.col("third") < 50))

# kind: none no-prefilter
# why: an arena with fewer than three scores passes by what is not there.
Podium(matches.asTable().partitionBy("arena")).filter((F.col("first") >= 1000) & F.col("third").isNull())

# kind: never
# why: the second slot is filled before the third.
Podium(matches.asTable().withSinglePartition()).filter(F.col("second").isNull() & F.col("third").isNotNull())
