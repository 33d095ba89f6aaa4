"""The worst daily result of each account: a pandas UDF that aggregates, from its type hints.

`Series.min()` skips what is missing; an account without a single result has NULL.
"""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
results = spark.read.schema("account string, day date, pnl double").parquet("results")


@pandas_udf("double")
def worst_loss(pnl: pd.Series) -> float:
    return pnl.min()


# kind: exact
# G: pnl < -1000
# why: the minimum is below the bound exactly where some row is, and rows above it never are the minimum then.
results.groupBy("account").agg(worst_loss("pnl").alias("worst")).filter(F.col("worst") < -1000)

# kind: exact
# G: pnl < -1000
# why: a pandas UDF is not called on nothing, so that a global aggregate has no row either where no row remains.
results.agg(worst_loss("pnl").alias("worst")).filter(F.col("worst") < -1000)

# kind: split
# G: pnl <= -1000
# R: worst >= -2000
# why: the upper bound picks rows; the lower bound is about all of them, and they are kept.
results.groupBy("account").agg(worst_loss("pnl").alias("worst")).filter(F.col("worst").between(-2000, -1000))

# kind: partial
# G: pnl <= -500
# why: rows above -500 are not the minimum where it is -500, and a lower one must still be seen.
results.groupBy("account").agg(worst_loss("pnl").alias("worst")).filter(F.col("worst") == -500)

# kind: exact
# G: pnl < -1000 AND account <> 'house'
# why: the account is the key of the group.
results.groupBy("account").agg(worst_loss(F.col("pnl")).alias("worst")).filter("worst < -1000 AND account != 'house'")

# kind: none no-prefilter
# why: a lower bound on a minimum: every row may break it.
results.groupBy("account").agg(worst_loss("pnl").alias("worst")).filter(F.col("worst") > -50)

# kind: none empty-input-row
# why: an account with nothing but missing results passes, and would vanish; any other row keeps it from passing.
results.groupBy("account").agg(worst_loss("pnl").alias("worst")).filter(
    (F.col("worst") < -1000) | F.col("worst").isNull()
)
