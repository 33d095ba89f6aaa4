"""Bonus points of each card, with a cap: `groupByKey().mapValues()`; a purchase is worth what is left below the cap.

The points attributed depend on the order of the purchases only below the cap; the sum does not.
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
purchases = (
    spark.read.schema("card string, partner string, points bigint, double_day boolean")
    .parquet("purchases")
    .dropna(subset=["points"])
)

CAP = 1000


def attributed(purchases):
    total = 0
    for p in purchases:
        if p.partner is None or p.points <= 0:
            continue
        left = CAP - total
        total += p.points if p.points < left else left
    return total


def doubled(purchases):
    seen = False
    best = 0
    for p in purchases:
        if p.double_day:
            seen = True
            if p.points > best:
                best = p.points
    return (seen, best)


# kind: partial
# G: partner IS NOT NULL AND points > 0
# why: nothing else is attributed, and the filter asks for what was.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(attributed).filter(lambda kv: kv[1] >= 500)

# kind: exact
# G: partner IS NOT NULL AND points > 0
# why: one purchase with a partner is worth something.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(attributed).filter(lambda kv: kv[1] > 0)

# kind: none empty-input-row
# why: a card without a purchase that counts has 0 points and passes.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(attributed).filter(lambda kv: kv[1] < 500)

# kind: never
# why: the cap is never exceeded.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(attributed).filter(lambda kv: kv[1] > 1000)

# kind: exact
# G: double_day
# why: other purchases change nothing, and one on such a day sets the flag.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(doubled).filter(lambda kv: kv[1][0])

# kind: exact
# G: double_day AND points >= 100
# why: the flag is set as well where the best is at least 100; smaller purchases change neither.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(doubled).filter(lambda kv: kv[1][1] >= 100)

# kind: none empty-input-row
# why: `not` of a flag that starts as False.
purchases.rdd.keyBy(lambda r: r.card).groupByKey().mapValues(doubled).filter(lambda kv: not kv[1][0])
