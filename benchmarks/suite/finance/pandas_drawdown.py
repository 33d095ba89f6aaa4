"""The highest balance of an account and its deepest fall below it: two slots that read each other, `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
balances = spark.read.schema("account string, day date, balance int, currency string").parquet("balances")
euro = balances.dropna(subset=["balance", "currency"])

SCHEMA = "account string, peak long, drop long"


def drawdown(key, pdf):
    peak = 0
    drop = 0
    for b in pdf.itertuples():
        if b.currency != "EUR":
            continue
        peak = max(peak, b.balance)
        drop = max(drop, peak - b.balance)
    return pd.DataFrame([{"account": key[0], "peak": peak, "drop": drop}])


# kind: partial
# G: currency = 'EUR'
# why: every balance in euros may be a peak or a trough; other currencies are skipped, and drop is 0 without any.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter(F.col("drop") > 10000)

# kind: partial
# G: currency = 'EUR'
# why: a low balance does not raise the peak, but it shows in the drop.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter(F.col("peak") >= 50000)

# kind: none empty-input-row
# why: an account without euros has no drop and passes.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter(F.col("drop") <= 100)

# kind: partial
# G: currency = 'EUR'
# why: each conjunct fails without a balance in euros.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter((F.col("peak") > 1000) & (F.col("drop") > 500))

# kind: never
# why: drop starts at 0 and only grows.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter(F.col("drop") < 0)

# kind: partial
# G: currency = 'EUR'
# why: an arithmetic condition on both; without euros both are 0.
euro.groupBy("account").applyInPandas(drawdown, SCHEMA).filter(F.col("peak") - F.col("drop") > 100)
