"""Symbols that were cheap at the start of the quarter and dear at its end.

Shape: the return-price aggregation of "Optimal Predicate Pushdown Synthesis", appendix D, case B.
"""

import sys

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

SCHEMA = "symbol string, open_price int, open_epoch int, close_price int, close_epoch int"


def open_close(key: tuple, trades: pd.DataFrame) -> pd.DataFrame:
    """Price and time of the first and of the last trade of a symbol."""
    open_price = 0
    open_epoch = None
    close_price = 0
    close_epoch = None
    for trade in trades.itertuples(index=False):
        if pd.isna(trade.epoch) or pd.isna(trade.price):
            continue
        if open_epoch is None or trade.epoch < open_epoch:
            open_epoch = trade.epoch
            open_price = trade.price
        if close_epoch is None or trade.epoch > close_epoch:
            close_epoch = trade.epoch
            close_price = trade.price
    return pd.DataFrame(
        [
            {
                "symbol": key[0],
                "open_price": open_price,
                "open_epoch": open_epoch,
                "close_price": close_price,
                "close_epoch": close_epoch,
            }
        ]
    )


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    trades = spark.read.schema("symbol string, epoch int, price int").parquet(f"{data_dir}/trades")
    spans = trades.groupBy("symbol").applyInPandas(open_close, SCHEMA)
    # Opened on the first two days of the quarter, closed on its last two.
    return spans.where(
        col("open_epoch").isNotNull()
        & (col("open_epoch") < 1704240000)
        & (col("open_price") <= 4000)
        & col("close_epoch").isNotNull()
        & (col("close_epoch") >= 1711756800)
        & (col("close_price") >= 6000)
    )


if __name__ == "__main__":
    session = SparkSession.builder.appName("open-close").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
