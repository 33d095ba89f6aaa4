"""The range of prices at which each item was offered: `groupByKey().mapValues()` with a loop over the prices.

Offers without a price are passed over; an item without any price has None.
"""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
offers = spark.read.schema("item string, shop string, price int, stock int").parquet("offers")


def price_range(prices):
    lowest, highest = None, None
    for price in prices:
        if price is None:
            continue
        if lowest is None or price < lowest:
            lowest = price
        if highest is None or price > highest:
            highest = price
    return (lowest, highest)


def highest_price(offers):
    best = -1
    for price, stock in offers:
        if price is not None and stock is not None and stock > 0 and price > best:
            best = price
    return best


# kind: partial
# G: price IS NOT NULL
# why: the lowest price of an item that passes is in the result, and any price may be it.
(
    offers.rdd.map(lambda r: (r.item, r.price))
    .groupByKey()
    .mapValues(price_range)
    .filter(lambda kv: kv[1][1] is not None and kv[1][1] >= 1000)
)

# kind: partial
# G: price IS NOT NULL
# why: only prices matter, and an item without one fails; how far they are apart depends on all of them.
(
    offers.rdd.map(lambda r: (r.item, r.price))
    .groupByKey()
    .mapValues(price_range)
    .filter(lambda kv: kv[1][0] is not None and kv[1][1] - kv[1][0] > 100)
)

# kind: none empty-input-row
# why: an item without any price passes and would vanish; with a price it does not pass.
(offers.rdd.map(lambda r: (r.item, r.price)).groupByKey().mapValues(price_range).filter(lambda kv: kv[1][0] is None))

# kind: exact
# G: price >= 1000 AND stock > 0
# why: offers in stock at 1000 or more make the best price of an item that passes, and any such offer makes it pass.
(
    offers.rdd.map(lambda r: (r.item, (r.price, r.stock)))
    .groupByKey()
    .mapValues(highest_price)
    .filter(lambda kv: kv[1] >= 1000)
)

# kind: split
# G: price >= 10 AND stock > 0
# R: `kv[1]` <= 20
# why: the lower bound picks offers; the upper one is about all that were picked.
(
    offers.rdd.map(lambda r: (r.item, (r.price, r.stock)))
    .groupByKey()
    .mapValues(highest_price)
    .filter(lambda kv: 10 <= kv[1] <= 20)
)

# kind: none empty-input-row
# why: an item without an offer in stock has -1 and passes.
(
    offers.rdd.map(lambda r: (r.item, (r.price, r.stock)))
    .groupByKey()
    .mapValues(highest_price)
    .filter(lambda kv: kv[1] < 10)
)

# kind: never
# why: the best price only grows from -1.
(
    offers.rdd.map(lambda r: (r.item, (r.price, r.stock)))
    .groupByKey()
    .mapValues(highest_price)
    .filter(lambda kv: kv[1] < -1)
)
