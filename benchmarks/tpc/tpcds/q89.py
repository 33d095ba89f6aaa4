"""Months in which a brand sells other than usual, by a pandas function of each brand in a store."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
store = spark.read.parquet("tpcds/store.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")

keys = ["i_category", "i_class", "i_brand", "s_store_name", "s_company_name"]


def compared(months):
    first = months["i_class"].isin(["computers", "stereo", "football"])
    second = months["i_class"].isin(["shirts", "birdal", "dresses"])
    of_first = months["i_category"].isin(["Books", "Electronics", "Sports"])
    of_second = months["i_category"].isin(["Men", "Jewelry", "Women"])
    months = months[(of_first & first) | (of_second & second)]
    months["avg_monthly_sales"] = months["sum_sales"].mean()
    return months


sales = (
    store_sales.join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(store, F.col("ss_store_sk") == F.col("s_store_sk"))
)
months = sales.groupBy(*keys, "d_year", "d_moy").agg(F.sum("ss_sales_price").alias("sum_sales"))
usual = months.groupBy("i_category", "i_brand", "s_store_name", "s_company_name", "d_year").applyInPandas(
    compared,
    "i_category string, i_class string, i_brand string, s_store_name string, s_company_name string, d_year long, "
    "d_moy long, sum_sales double, avg_monthly_sales double",
)
difference = F.col("sum_sales") - F.col("avg_monthly_sales")
result = (
    usual.filter((F.col("d_year") == 1999) & (F.col("avg_monthly_sales") != 0))
    .filter(F.abs(difference) / F.col("avg_monthly_sales") > 0.1)
    .orderBy(difference, "s_store_name", *keys[:3], "s_company_name", "d_moy")
    .select(*keys, "d_moy", "sum_sales", "avg_monthly_sales")
    .limit(100)
)
rows = result.collect()
