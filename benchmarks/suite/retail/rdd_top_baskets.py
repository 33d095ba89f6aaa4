"""The two largest baskets of each customer: `groupByKey().mapValues()` with a loop that keeps two scalars."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
baskets = (
    spark.read.schema("customer string, channel string, total double, items int")
    .parquet("baskets")
    .dropna(subset=["total", "items"])
)


def two_largest(totals):
    first, second = 0.0, 0.0
    for total in totals:
        if total > first:
            first, second = total, first
        elif total > second:
            second = total
    return (first, second)


# kind: split
# G: total >= 100
# R: `kv[1][1]` <> 0
# why: two baskets of 100 or more decide it; the second slot tells whether there were two.
(
    baskets.rdd.map(lambda r: (r.customer, r.total))
    .groupByKey()
    .mapValues(two_largest)
    .filter(lambda kv: kv[1][0] >= 100 and kv[1][1] >= 100)
)

# kind: partial
# G: total > 0
# why: the second largest is in the result as well; baskets of 0 or less are never kept.
baskets.rdd.map(lambda r: (r.customer, r.total)).groupByKey().mapValues(two_largest).filter(lambda kv: kv[1][0] >= 100)

# kind: split
# G: total >= 100
# R: `kv[1][1]` <> 0
# why: the larger of the two is at least as large as the smaller one.
baskets.rdd.map(lambda r: (r.customer, r.total)).groupByKey().mapValues(two_largest).filter(lambda kv: kv[1][1] >= 100)

# kind: none empty-input-row
# why: a customer with nothing but empty baskets passes with two zeros, and any basket may be one of the two.
baskets.rdd.map(lambda r: (r.customer, r.total)).groupByKey().mapValues(two_largest).filter(lambda kv: kv[1][1] < 100)

# kind: exact
# G: total > 100
# why: only the larger one is left, and any basket above 100 is enough.
(
    baskets.rdd.map(lambda r: (r.customer, r.total))
    .groupByKey()
    .mapValues(two_largest)
    .mapValues(lambda pair: pair[0])
    .filter(lambda kv: kv[1] > 100)
)

# kind: never
# why: the first is never smaller than the second.
(
    baskets.rdd.map(lambda r: (r.customer, r.total))
    .groupByKey()
    .mapValues(two_largest)
    .filter(lambda kv: kv[1][1] >= 100 and kv[1][0] < 50)
)

# kind: partial
# G: total > 0
# why: a sum of the two: a basket of 0 or less is never one of them, and a customer without another has 0.
(
    baskets.rdd.map(lambda r: (r.customer, r.total))
    .groupByKey()
    .mapValues(two_largest)
    .filter(lambda kv: kv[1][0] + kv[1][1] > 150)
)
