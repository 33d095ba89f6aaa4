"""Accounts that once paid 9,500.00 or more; amounts are in cents."""

import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


def build(spark: SparkSession, data_dir: str) -> DataFrame:
    payments = spark.read.schema("account long, amount long").parquet(f"{data_dir}/payments")
    peaks = payments.groupBy("account").agg(F.max("amount").alias("peak"))
    return peaks.filter(F.col("peak") >= 950_000)


if __name__ == "__main__":
    session = SparkSession.builder.appName("peak-payments").getOrCreate()
    build(session, sys.argv[1]).write.mode("overwrite").parquet(sys.argv[2])
