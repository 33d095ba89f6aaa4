"""Averages of an item's sales in promotions. A Python function tests the promotion, pandas takes the means."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer_demographics = spark.read.parquet("tpcds/customer_demographics.parquet")
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
promotion = spark.read.parquet("tpcds/promotion.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")


@F.udf("boolean")
def is_silent(email, event):
    return email == "N" or event == "N"


def means(sales):
    sales = sales[sales["d_year"] == 2000]
    if sales.empty:
        return pd.DataFrame(columns=["i_item_id", "agg1", "agg2", "agg3", "agg4"])
    return pd.DataFrame(
        {
            "i_item_id": [sales["i_item_id"].iloc[0]],
            "agg1": [sales["ss_quantity"].mean()],
            "agg2": [sales["ss_list_price"].mean()],
            "agg3": [sales["ss_coupon_amt"].mean()],
            "agg4": [sales["ss_sales_price"].mean()],
        }
    )


sales = (
    store_sales.join(customer_demographics, F.col("ss_cdemo_sk") == F.col("cd_demo_sk"))
    .join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .join(promotion, F.col("ss_promo_sk") == F.col("p_promo_sk"))
)
sales = sales.withColumn("silent", is_silent("p_channel_email", "p_channel_event")).cache()
students = sales.filter(
    (F.col("cd_gender") == "M") & (F.col("cd_marital_status") == "S") & (F.col("cd_education_status") == "College")
)
students = students.filter("silent").select(
    "i_item_id", "d_year", "ss_quantity", "ss_list_price", "ss_coupon_amt", "ss_sales_price"
)
result = (
    students.groupBy("i_item_id")
    .applyInPandas(means, "i_item_id string, agg1 double, agg2 double, agg3 double, agg4 double")
    .orderBy("i_item_id")
    .limit(100)
)
rows = result.collect()
