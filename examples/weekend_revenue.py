"""Stores and months with a weekend day of more than 1,000 in revenue.

Shape: figure 1 (3) of "Predicate Pushdown for Data Science Pipelines".
"""

import sys

import pandas as pd
from pyspark.sql import DataFrame, SparkSession


def weekend_peak(key: tuple, days: pd.DataFrame) -> pd.DataFrame:
    """The highest revenue of a Saturday or Sunday, 0 if there is none."""
    max_revenue = 0.0
    for day in days.to_dict("records"):
        if pd.isna(day["revenue"]):
            continue
        if day["weekday"] >= 6:
            if day["revenue"] > max_revenue:
                max_revenue = day["revenue"]
    return pd.DataFrame([{"store": key[0], "month": key[1], "max_revenue": max_revenue}])


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    days = spark.read.schema("store string, month int, weekday int, revenue double").parquet(f"{data_dir}/days")
    peaks = days.groupBy("store", "month").applyInPandas(weekend_peak, "store string, month int, max_revenue double")
    return peaks.filter("max_revenue > 1000")


if __name__ == "__main__":
    session = SparkSession.builder.appName("weekend-revenue").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
