"""Effect of promotions, by a Python function of each month."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
part = spark.read.parquet("tpch/part.parquet")


def promotion(lines):
    price = lines["l_extendedprice"] * (1 - lines["l_discount"])
    promo = price[lines["p_type"].str.startswith("PROMO")].sum()
    return pd.DataFrame({"month": [lines["month"].iloc[0]], "promo_revenue": [100.0 * promo / price.sum()]})


lines = lineitem.join(part, F.col("l_partkey") == F.col("p_partkey"))
lines = lines.withColumn("month", F.date_format("l_shipdate", "yyyy-MM"))
lines = lines.select("month", "p_type", "l_extendedprice", "l_discount")
shares = lines.groupBy("month").applyInPandas(promotion, "month string, promo_revenue double")
result = shares.filter(F.col("month") == "1995-09").select("promo_revenue")
rows = result.collect()
