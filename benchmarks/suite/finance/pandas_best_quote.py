"""The quote with the best quality of each bond, with nine columns: the row itself is kept, `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
quotes = spark.read.schema(
    "isin string, quality int, bid int, ask int, dealer string, venue string, size bigint, firm boolean, at bigint"
).parquet("quotes")
usable = quotes.dropna()

SCHEMA = "isin string, quality int, bid int, ask int, dealer string, venue string, size bigint, firm boolean, at bigint"


def best_quote(key, pdf):
    best = None
    for q in pdf.itertuples(index=False):
        if best is None or q.quality > best.quality:
            best = q
    return pd.DataFrame(
        [
            {
                "isin": key[0],
                "quality": best.quality,
                "bid": best.bid,
                "ask": best.ask,
                "dealer": best.dealer,
                "venue": best.venue,
                "size": best.size,
                "firm": best.firm,
                "at": best.at,
            }
        ]
    )


# kind: exact
# G: quality >= 80
# why: quotes of lesser quality are not the best of a bond that passes.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(F.col("quality") >= 80)

# kind: split
# G: quality >= 80
# R: firm AND venue = 'X'
# why: firm and venue are those of the best quote, which is kept.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(
    (F.col("quality") >= 80) & F.col("firm") & (F.col("venue") == "X")
)

# kind: none no-prefilter representative-choice
# why: whether the best quote is firm depends on the quality of all.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(F.col("firm"))

# kind: none no-prefilter
# why: an upper bound on a maximum: every quote may break it.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(F.col("quality") < 10)

# kind: split
# G: quality > 50
# R: ask - bid < 5
# why: the spread is that of the best quote, which is kept.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(
    (F.col("quality") > 50) & (F.col("ask") - F.col("bid") < 5)
)

# kind: split
# G: quality >= 60 AND (isin = 'DE0001' OR isin = 'DE0002')
# R: size > 1000
# why: the key decides whole groups, the quality the best quote, and the size is looked up in it.
usable.groupBy("isin").applyInPandas(best_quote, SCHEMA).filter(
    F.col("isin").isin("DE0001", "DE0002") & (F.col("quality") >= 60) & (F.col("size") > 1000)
)
