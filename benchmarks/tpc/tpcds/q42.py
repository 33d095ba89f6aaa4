"""Revenue of categories in a month. The joined sales are kept, then filtered."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")

sales = (
    store_sales.join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .select("d_year", "d_moy", "i_category_id", "i_category", "i_manager_id", "ss_ext_sales_price")
    .cache()
)
monthly = sales.groupBy("d_year", "d_moy", "i_manager_id", "i_category_id", "i_category").agg(
    F.sum("ss_ext_sales_price").alias("revenue")
)
november = monthly.filter((F.col("d_moy") == 11) & (F.col("d_year") == 2000))
result = (
    november.filter(F.col("i_manager_id") == 1)
    .select("d_year", "i_category_id", "i_category", "revenue")
    .orderBy(F.desc("revenue"), "d_year", "i_category_id", "i_category")
    .limit(100)
)
rows = result.collect()
