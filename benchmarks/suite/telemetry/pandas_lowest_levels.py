"""The lowest level that each of four probes of a tank has shown, NULLs aside: a vector is pooled, `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
levels = spark.read.schema("tank string, a int, b int, c int, d int").parquet("levels")

SCHEMA = "tank string, a int, b int, c int, d int"


def lowest(key, pdf):
    lows = [None] * 4
    for r in pdf.itertuples():
        for i, level in enumerate((r.a, r.b, r.c, r.d)):
            if pd.notna(level) and (lows[i] is None or level < lows[i]):
                lows[i] = level
    a, b, c, d = lows
    return pd.DataFrame([{"tank": key[0], "a": a, "b": b, "c": c, "d": d}])


# kind: none no-prefilter
# why: the other probes' lowest levels are shown too, and any row may hold one of them.
levels.groupBy("tank").applyInPandas(lowest, SCHEMA).filter(F.col("a") < 250)

# kind: partial
# G: a < 250 OR b < 250 OR c < 250 OR d < 250
# why: where all four are below 250, each comes from a row with a level below 250; but such a row may also hold the
# only level of another probe, which is not below it, so every part of the filter stays.
levels.groupBy("tank").applyInPandas(lowest, SCHEMA).filter(
    (F.col("a") < 250) & (F.col("b") < 250) & (F.col("c") < 250) & (F.col("d") < 250)
)

# kind: none no-prefilter
# why: a lower bound on a minimum: every row may break it.
levels.groupBy("tank").applyInPandas(lowest, SCHEMA).filter(F.col("b") > 10)

# kind: none no-prefilter empty-input-row
# why: a tank without a level of the first probe passes, and any row with one makes it fail.
levels.groupBy("tank").applyInPandas(lowest, SCHEMA).filter(F.col("a").isNull())

# kind: none no-prefilter
# why: a disjunction shows all four, whichever is low.
levels.groupBy("tank").applyInPandas(lowest, SCHEMA).filter((F.col("a") < 1) | (F.col("b") < 1))
