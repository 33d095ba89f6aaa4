"""Shops with an order of more than 1,000; where the revenue is missing it is quantity times price.

Shape: figure 1 (4) of "Predicate Pushdown for Data Science Pipelines".
"""

import sys

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

COLUMNS = "shop string, revenue double, quantity double, price double"


def largest_order(key: tuple, orders: pd.DataFrame) -> pd.DataFrame:
    """The largest order of a shop, by revenue or by its estimate."""
    largest = 0.0
    for order in orders.itertuples():
        if pd.isna(order.revenue):
            value = order.quantity * order.price
        else:
            value = order.revenue
        if value > largest:
            largest = value
    return pd.DataFrame([{"shop": key[0], "largest": largest}])


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    orders = spark.read.schema(COLUMNS).parquet(f"{data_dir}/orders")
    largest = orders.groupBy("shop").applyInPandas(largest_order, schema="shop string, largest double")
    return largest.where(col("largest") > 1000)


if __name__ == "__main__":
    session = SparkSession.builder.appName("revenue-fallback").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
