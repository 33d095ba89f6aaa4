"""What each account did in a day of trades: native aggregates, several in one `agg`, with picks by `max_by`."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
trades = spark.read.schema(
    "account string, symbol string, side string, qty bigint, price double, executed_at bigint"
).parquet("day_trades")

# kind: partial
# G: side = 'BUY'
# why: everything else adds 0; how much is bought is not a matter of single rows.
trades.groupBy("account").agg(F.sum(F.when(F.col("side") == "BUY", F.col("qty")).otherwise(0)).alias("bought")).filter(
    F.col("bought") > 1000
)

# kind: exact
# G: price > 500
# why: the highest price decides both outputs, and it is above 500 where the account passes.
trades.groupBy("account").agg(F.max_by("symbol", "price").alias("dearest"), F.max("price").alias("peak")).filter(
    F.col("peak") > 500
)

# kind: split
# G: price > 500
# R: dearest = 'ACME'
# why: as before; which symbol it was is that of a kept row.
trades.groupBy("account").agg(F.max_by("symbol", "price").alias("dearest"), F.max("price").alias("peak")).filter(
    (F.col("peak") > 500) & (F.col("dearest") == "ACME")
)

# kind: none no-prefilter
# why: the symbol of the dearest trade depends on every price.
trades.groupBy("account").agg(F.max_by("symbol", "price").alias("dearest")).filter(F.col("dearest") == "ACME")

# kind: partial
# G: side = 'SELL'
# why: nothing else is counted.
trades.groupBy("account").agg(F.count_if(F.col("side") == "SELL").alias("sales")).filter("sales >= 10")

# kind: none empty-input-row
# why: accounts that never sold pass, and no row of theirs tells.
trades.groupBy("account").agg(F.count_if(F.col("side") == "SELL").alias("sales")).filter(F.col("sales") == 0)

# kind: none no-prefilter
# why: a range depends on its lowest price as on its highest.
trades.groupBy("account").agg((F.max("price") - F.min("price")).alias("range")).filter(F.col("range") > 20)

# kind: split
# G: price > 500
# R: peak IS NOT NULL
# why: without keys there is a row over nothing, and it holds NULL.
trades.agg(F.max_by("symbol", "price").alias("dearest"), F.max("price").alias("peak")).filter(F.col("peak") > 500)
