"""Revenue of small orders, by a pandas function of each part."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
part = spark.read.parquet("tpch/part.parquet")


def small(lines):
    few = lines[lines["l_quantity"] < 0.2 * lines["l_quantity"].mean()]
    return pd.DataFrame(
        {
            "p_brand": [lines["p_brand"].iloc[0]],
            "p_container": [lines["p_container"].iloc[0]],
            "price": [few["l_extendedprice"].sum()],
        }
    )


lines = lineitem.join(part, F.col("l_partkey") == F.col("p_partkey"))
lines = lines.select("p_partkey", "p_brand", "p_container", "l_quantity", "l_extendedprice")
prices = lines.groupBy("p_partkey", "p_brand", "p_container").applyInPandas(
    small, "p_brand string, p_container string, price double"
)
result = prices.filter((F.col("p_brand") == "Brand#23") & (F.col("p_container") == "MED BOX")).agg(
    (F.sum("price") / 7.0).alias("avg_yearly")
)
rows = result.collect()
