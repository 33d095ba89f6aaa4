"""What a shop has sold on offer: a list of prices that is reduced after the loop, in `applyInPandas`."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
sales = spark.read.schema("shop string, sku string, price int, offer boolean").parquet("sales").dropna()

SCHEMA = "shop string, n long, dearest int, revenue long, average double"


def on_offer(key, pdf):
    prices = []
    for sale in pdf.itertuples():
        if sale.offer and sale.price > 0:
            prices.append(sale.price)
    if not prices:
        return pd.DataFrame(columns=["shop", "n", "dearest", "revenue", "average"])
    return pd.DataFrame(
        [
            {
                "shop": key[0],
                "n": len(prices),
                "dearest": max(prices),
                "revenue": sum(prices),
                "average": sum(prices) / len(prices),
            }
        ]
    )


# kind: partial
# G: offer AND price > 0
# why: only such sales enter the list.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter(F.col("n") >= 10)

# kind: partial
# G: offer AND price > 0
# why: cheaper sales count in n and revenue, so the bound on the dearest does not move.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter(F.col("dearest") > 500)

# kind: partial
# G: offer AND price > 0
# why: a shop without such a sale returns no row, so even an upper bound loses nothing.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter(F.col("n") < 5)

# kind: partial
# G: offer AND price > 0
# why: an average needs every sale of the list, and none of the others.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter(F.col("average") <= 99.5)

# kind: exact
# G: offer AND price > 0
# why: where there is a row, the dearest is not NULL.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter(F.col("dearest").isNotNull())

# kind: split
# G: offer AND price > 0 AND shop != 'web'
# R: revenue > 1000
# why: the condition on the key decides whole shops.
sales.groupBy("shop").applyInPandas(on_offer, SCHEMA).filter((F.col("shop") != "web") & (F.col("revenue") > 1000))
