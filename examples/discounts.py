"""Items that still cost 900 or more after the discount for premium customers.

Shape: figure 2 of "Optimal Predicate Pushdown Synthesis".
"""

import sys

import pyspark.sql.functions as F
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DoubleType


def discounted_price(tier, price):
    """Ten percent off for premium customers."""
    if price is None:
        return None
    if tier == "premium":
        return price * 0.9
    return price


discount = F.udf(discounted_price, DoubleType())


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    items = spark.read.schema("item long, tier string, price double").parquet(f"{data_dir}/items")
    priced = items.withColumn("discounted", discount(F.col("tier"), F.col("price")))
    return priced.filter(priced.discounted >= 900)


if __name__ == "__main__":
    session = SparkSession.builder.appName("discounts").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
