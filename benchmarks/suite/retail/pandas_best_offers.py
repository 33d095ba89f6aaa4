"""The two cheapest offers of an article with their shops, as a list of tuples; limits come from the configuration."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
offers = spark.read.schema("article string, shop string, price double, days int").parquet("offers").dropna()

SCHEMA = "article string, price double, shop string, next_price double"
limit = float(spark.conf.get("offers.limit", "100"))


def cheapest(key, pdf):
    best = []
    for offer in pdf.itertuples():
        if offer.days <= 14:
            best.append((offer.price, offer.shop))
            best.sort(key=lambda o: o[0])
            del best[2:]
    if not best:
        return pd.DataFrame(columns=["article", "price", "shop", "next_price"])
    next_price = best[1][0] if len(best) == 2 else None
    return pd.DataFrame([{"article": key[0], "price": best[0][0], "shop": best[0][1], "next_price": next_price}])


# kind: split
# G: days <= 14 AND price < 100
# R: next_price IS NOT NULL
# why: two offers below 100 decide it.
offers.groupBy("article").applyInPandas(cheapest, SCHEMA).filter("price < 100 AND next_price < 100")

# kind: partial
# G: days <= 14
# why: the second price is shown, whatever it is, so dear offers may not go.
offers.groupBy("article").applyInPandas(cheapest, SCHEMA).filter(F.col("price") < 100)

# kind: partial
# G: days <= 14
# why: the difference needs both; only offers that take too long can go.
offers.groupBy("article").applyInPandas(cheapest, SCHEMA).filter(F.col("next_price") - F.col("price") > 50)

# kind: split
# G: days <= 14 AND price < limit
# R: next_price IS NOT NULL
# why: two offers below the limit, whatever it is, decide it.
offers.groupBy("article").applyInPandas(cheapest, SCHEMA).filter(F.col("next_price") < limit)

# kind: partial
# G: days <= 14
# why: an article without an offer in time returns no row, so a lower bound on a minimum loses nothing.
offers.groupBy("article").applyInPandas(cheapest, SCHEMA).filter(F.col("price") > 20)
