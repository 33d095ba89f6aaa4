"""Share of an item in the revenue of its class. Batches of sales go through pandas before anything is tested."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.window import Window

spark = SparkSession.builder.getOrCreate()
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")


def stripped(frames):
    for sales in frames:
        sales["i_category"] = sales["i_category"].str.strip()
        yield sales


columns = ["i_item_id", "i_item_desc", "i_category", "i_class", "i_current_price"]
sales = (
    store_sales.join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .select(*columns, "d_date", "ss_ext_sales_price")
)
sales = sales.mapInPandas(
    stripped,
    "i_item_id string, i_item_desc string, i_category string, i_class string, i_current_price double, d_date date, "
    "ss_ext_sales_price double",
)
sales = sales.filter((F.col("d_date") >= "1999-02-22") & (F.col("d_date") <= "1999-03-24"))
revenues = sales.groupBy(*columns).agg(F.sum("ss_ext_sales_price").alias("itemrevenue"))
revenues = revenues.filter(F.col("i_category").isin("Sports", "Books", "Home"))
share = F.col("itemrevenue") * 100.0 / F.sum("itemrevenue").over(Window.partitionBy("i_class"))
result = revenues.withColumn("revenueratio", share).orderBy(
    "i_category", "i_class", "i_item_id", "i_item_desc", "revenueratio"
)
rows = result.collect()
