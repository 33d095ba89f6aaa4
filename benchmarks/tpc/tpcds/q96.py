"""How many sales there were in half an hour. All sales are collected and counted in a loop."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
household_demographics = spark.read.parquet("tpcds/household_demographics.parquet")
store = spark.read.parquet("tpcds/store.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")
time_dim = spark.read.parquet("tpcds/time_dim.parquet")

sales = (
    store_sales.join(household_demographics, F.col("ss_hdemo_sk") == F.col("hd_demo_sk"))
    .join(time_dim, F.col("ss_sold_time_sk") == F.col("t_time_sk"))
    .join(store, F.col("ss_store_sk") == F.col("s_store_sk"))
    .select("t_hour", "t_minute", "hd_dep_count", "s_store_name")
)
count = 0
for sale in sales.collect():
    if sale["t_hour"] != 20 or sale["t_minute"] < 30:
        continue
    if sale["hd_dep_count"] == 7 and sale["s_store_name"] == "ese":
        count += 1
rows = [(count,)]
