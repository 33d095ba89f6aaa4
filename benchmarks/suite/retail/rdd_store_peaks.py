"""The largest sale of each store and how many sales were big ones: `aggregateByKey` with a tuple of two as state.

Refunds are negative amounts; the largest sale of a store that has nothing else is 0.0.
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sales = spark.read.schema("store string, region string, amount double").parquet("sales").dropna(subset=["amount"])

BIG = 500.0


def observe(peaks, sale):
    largest, big = peaks
    if sale.amount >= BIG:
        big += 1
    return (max(largest, sale.amount), big)


def combine(left, right):
    return (max(left[0], right[0]), left[1] + right[1])


# kind: exact
# G: amount >= 500
# why: where there is a big sale, the largest sale is a big one; smaller ones count for nothing.
sales.rdd.keyBy(lambda r: r.store).aggregateByKey((0.0, 0), observe, combine).filter(lambda kv: kv[1][1] >= 1)

# kind: partial
# G: amount >= 500
# why: whether the big ones are three is known only when they are counted.
sales.rdd.keyBy(lambda r: r.store).aggregateByKey((0.0, 0), observe, combine).filter(lambda kv: kv[1][1] > 2)

# kind: partial
# G: amount >= 500
# why: a store that passes has a sale of 1000; its big sales are in the result, which are those of 500 and more.
sales.rdd.keyBy(lambda r: r.store).aggregateByKey((0.0, 0), observe, combine).filter(lambda kv: kv[1][0] >= 1000.0)

# kind: exact
# G: amount >= 200
# why: sales below 200 are neither big nor the largest of a store that passes.
sales.rdd.keyBy(lambda r: r.store).aggregateByKey((0.0, 0), observe, combine).filter(lambda kv: kv[1][0] >= 200.0)

# kind: split
# G: amount >= 500
# R: `kv[1][0]` < 5000
# why: big sales decide both conjuncts; that there is one is then certain.
(
    sales.rdd.keyBy(lambda r: r.store)
    .aggregateByKey((0.0, 0), observe, combine)
    .filter(lambda kv: kv[1][1] >= 1 and kv[1][0] < 5000.0)
)

# kind: none no-prefilter empty-input-row
# why: a store without big sales passes, and so would vanish if its sales were dropped; every sale may be a big one.
sales.rdd.keyBy(lambda r: r.store).aggregateByKey((0.0, 0), observe, combine).filter(lambda kv: kv[1][1] == 0)

# kind: exact
# G: amount >= 500 AND store <> 'outlet'
# why: the key is a column of the rows; it is not None, or `!=` would be true of it in Python.
(
    sales.dropna(subset=["store"])
    .rdd.keyBy(lambda r: r.store)
    .aggregateByKey((0.0, 0), observe, combine)
    .filter(lambda kv: kv[0] != "outlet" and kv[1][1] >= 1)
)
