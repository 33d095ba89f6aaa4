"""Sum, count and average of the payments of each account: `aggregateByKey`, and a finisher by `mapValues`."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
payments = (
    spark.read.schema("account string, currency string, cents bigint")
    .parquet("payments")
    .dropna(subset=["account", "currency", "cents"])
)


def add(acc, cents):
    return (acc[0] + cents, acc[1] + 1)


def merge(a, b):
    return (a[0] + b[0], a[1] + b[1])


def average(acc):
    total, n = acc
    return total / n


# kind: none no-prefilter
# why: every payment moves the average.
(
    payments.rdd.map(lambda r: (r.account, r.cents))
    .aggregateByKey((0, 0), add, merge)
    .mapValues(average)
    .filter(lambda kv: kv[1] > 1000)
)

# kind: exact
# G: account = 'a-1'
# why: the key is a column of the rows.
(
    payments.rdd.map(lambda r: (r.account, r.cents))
    .aggregateByKey((0, 0), add, merge)
    .mapValues(average)
    .filter(lambda kv: kv[0] == "a-1")
)

# kind: split
# G: currency = 'EUR'
# R: `kv[1]` > 1000
# why: a part of the key is a column; the average of the rest must still be asked.
(
    payments.rdd.map(lambda r: ((r.account, r.currency), r.cents))
    .aggregateByKey((0, 0), add, merge)
    .mapValues(average)
    .filter(lambda kv: kv[0][1] == "EUR" and kv[1] > 1000)
)

# kind: exact
# G: currency IN ('EUR', 'CHF')
# why: membership of a part of the key.
(
    payments.rdd.map(lambda r: ((r.account, r.currency), r.cents))
    .aggregateByKey((0, 0), add, merge)
    .filter(lambda kv: kv[0][1] in ("EUR", "CHF"))
)

# kind: none no-prefilter empty-input-row
# why: a count has its upper bound over all payments.
(payments.rdd.map(lambda r: (r.account, r.cents)).aggregateByKey((0, 0), add, merge).filter(lambda kv: kv[1][1] <= 3))

# kind: none no-prefilter
# why: payments may be negative, so that every one of them matters to the sum.
(
    payments.rdd.map(lambda r: (r.account, r.cents))
    .aggregateByKey((0, 0), add, merge)
    .mapValues(lambda acc: acc[0])
    .filter(lambda kv: kv[1] > 100000)
)

# kind: none no-prefilter
# why: the count of a key is at least 1, which says nothing of its rows.
(payments.rdd.map(lambda r: (r.account, r.cents)).aggregateByKey((0, 0), add, merge).filter(lambda kv: kv[1][1] >= 2))
