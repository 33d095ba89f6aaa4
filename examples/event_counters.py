"""Tickers with enough trading activity before and after a regulatory period.

Shape: the event aggregation of "Optimal Predicate Pushdown Synthesis", appendix D, case A.
"""

import sys

import pandas as pd
from pyspark.sql import DataFrame, SparkSession

ACTIVITY = "ticker string, time_events long, price_events long, first_seen int, last_seen int"


def activity(key: tuple, events: pd.DataFrame) -> pd.DataFrame:
    """Counts two kinds of events and tracks when the ticker was first and last seen."""
    time_events = 0
    price_events = 0
    first_seen = None
    last_seen = None
    for event in events.itertuples():
        if pd.isna(event.day):
            continue
        if event.action == "time":
            time_events = time_events + 1
        elif event.action == "price":
            price_events = price_events + 1
        if first_seen is None or event.day < first_seen:
            first_seen = event.day
        if last_seen is None or event.day > last_seen:
            last_seen = event.day
    return pd.DataFrame(
        [
            {
                "ticker": key[0],
                "time_events": time_events,
                "price_events": price_events,
                "first_seen": first_seen,
                "last_seen": last_seen,
            }
        ]
    )


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    events = spark.read.schema("ticker string, action string, day int").parquet(f"{data_dir}/events")
    per_ticker = events.groupBy("ticker").applyInPandas(activity, ACTIVITY)
    # Days are counted from 1990-01-01: seen in the first week and in the last week of six years.
    return per_ticker.filter(
        "time_events >= 3 AND price_events >= 2 "
        "AND first_seen IS NOT NULL AND last_seen IS NOT NULL AND first_seen <= 7 AND last_seen >= 2184"
    )


if __name__ == "__main__":
    session = SparkSession.builder.appName("event-counters").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
