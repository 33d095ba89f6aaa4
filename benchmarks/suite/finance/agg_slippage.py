"""The worst slippage per venue, in whole-column arithmetic: a pandas UDF over two series."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
fills = spark.read.schema("venue string, quoted double, filled double, side string").parquet("slippage_fills")


@pandas_udf("double")
def worst_slippage(quoted: pd.Series, filled: pd.Series, side: pd.Series) -> float:
    return (filled - quoted)[side == "BUY"].max()


# kind: exact
# G: side = 'BUY' AND filled - quoted > 0.5D
# why: only purchases count, and of them only one that slips by more makes the maximum so.
fills.groupBy("venue").agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(F.col("worst") > 0.5)

# kind: exact
# G: side = 'BUY' AND filled - quoted > 0.5D
# why: the same without keys: no row over nothing.
fills.agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(F.col("worst") > 0.5)

# kind: split
# G: side = 'BUY' AND filled - quoted >= 0.5D
# R: worst <= 2
# why: smaller slips are not the worst where that is half a point; bigger ones are kept and decide.
fills.groupBy("venue").agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(
    (F.col("worst") >= 0.5) & (F.col("worst") <= 2)
)

# kind: partial
# G: side = 'BUY'
# why: an upper bound on a maximum: every purchase may break it; sales count for nothing, and no purchase is no match.
fills.groupBy("venue").agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(F.col("worst") <= 0)

# kind: none empty-input-row
# why: a venue without priced purchases passes, and would vanish.
fills.groupBy("venue").agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(F.col("worst").isNull())

# kind: exact
# G: side = 'BUY' AND filled - quoted > 0.5D AND venue <> 'dark'
# why: the key moves with the rest.
fills.groupBy("venue").agg(worst_slippage("quoted", "filled", "side").alias("worst")).filter(
    (F.col("venue") != "dark") & (F.col("worst") > 0.5)
)
