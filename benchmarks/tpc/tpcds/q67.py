"""Best months of products in stores, with sums of all levels. A Python function multiplies; the sales are kept."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.window import Window

spark = SparkSession.builder.getOrCreate()
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
store = spark.read.parquet("tpcds/store.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")


@F.udf("double")
def amount(price, quantity):
    if price is None or quantity is None:
        return 0.0
    return price * quantity


sales = (
    store_sales.join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .join(store, F.col("ss_store_sk") == F.col("s_store_sk"))
    .withColumn("amount", amount("ss_sales_price", "ss_quantity"))
    .cache()
)
levels = ["i_category", "i_class", "i_brand", "i_product_name", "d_year", "d_qoy", "d_moy", "s_store_id"]
year = sales.filter(F.col("d_month_seq").between(1200, 1211))
sums = year.rollup(*levels).agg(F.sum("amount").alias("sumsales"))
best = Window.partitionBy("i_category").orderBy(F.desc("sumsales"))
ranked = sums.withColumn("rk", F.rank().over(best))
result = ranked.filter(F.col("rk") <= 100).orderBy(*levels, "sumsales", "rk").limit(100)
rows = result.collect()
