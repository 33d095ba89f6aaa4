"""The largest trade of each account with its day and venue: argmax by `reduceByKey` and `aggregateByKey`.

Of equal amounts the left one stays, which of them that is depends on the order in which Spark merges.
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
trades = (
    spark.read.schema("account string, venue string, day date, notional double, fee double")
    .parquet("trades")
    .dropna(subset=["account", "venue", "day", "notional"])
)


def larger(a, b):
    return a if a[0] >= b[0] else b


def keep_largest(best, trade):
    if trade.notional > best[0]:
        return (trade.notional, trade.venue)
    return best


# kind: exact
# G: notional >= 1000000
# why: a trade below the bound is never the largest of an account that passes.
(
    trades.rdd.map(lambda r: (r.account, (r.notional, r.day, r.venue)))
    .reduceByKey(larger)
    .filter(lambda kv: kv[1][0] >= 1000000.0)
)

# kind: none no-prefilter representative-choice
# why: the venue of the largest trade depends on which trade is the largest, and any trade may be.
(
    trades.rdd.map(lambda r: (r.account, (r.notional, r.day, r.venue)))
    .reduceByKey(larger)
    .filter(lambda kv: kv[1][2] == "XETR")
)

# kind: split
# G: notional >= 1000
# R: `kv[1][2]` = 'XETR'
# why: trades of other venues must stay, for they may be larger.
(
    trades.rdd.map(lambda r: (r.account, (r.notional, r.day, r.venue)))
    .reduceByKey(larger)
    .filter(lambda kv: kv[1][0] >= 1000.0 and kv[1][2] == "XETR")
)

# kind: exact
# G: notional > 500
# why: 0.0 and the empty venue are what an account has whose trades are all short.
(
    trades.rdd.keyBy(lambda r: r.account)
    .aggregateByKey((0.0, ""), keep_largest, larger)
    .filter(lambda kv: kv[1][0] > 500.0)
)

# kind: none empty-input-row
# why: an account without a trade above 0 has the empty venue and passes.
(
    trades.rdd.keyBy(lambda r: r.account)
    .aggregateByKey((0.0, ""), keep_largest, larger)
    .filter(lambda kv: kv[1][1] == "")
)

# kind: partial
# G: notional > 0
# why: a trade of 0 or less is never kept; of the others any may be the largest one.
(
    trades.rdd.keyBy(lambda r: r.account)
    .aggregateByKey((0.0, ""), keep_largest, larger)
    .filter(lambda kv: kv[1][1] == "XETR")
)

# kind: none no-prefilter
# why: an upper bound on a maximum: any trade may exceed it.
(
    trades.rdd.map(lambda r: (r.account, (r.notional, r.day, r.venue)))
    .reduceByKey(lambda a, b: max(a, b, key=lambda t: t[0]))
    .filter(lambda kv: kv[1][0] < 1000.0)
)
