"""Revenue of a manager's brands in a month. All sales are brought to the driver and filtered by pandas."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
item = spark.read.parquet("tpcds/item.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")

sales = (
    store_sales.join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(item, F.col("ss_item_sk") == F.col("i_item_sk"))
    .select("i_brand_id", "i_brand", "i_manager_id", "d_moy", "d_year", "ss_ext_sales_price")
    .toPandas()
)
sales = sales[sales["i_manager_id"] == 28]
sales = sales[(sales["d_moy"] == 11) & (sales["d_year"] == 1999)]
revenues = sales.groupby(["i_brand_id", "i_brand"], as_index=False)["ss_ext_sales_price"].sum()
best = revenues.sort_values(["ss_ext_sales_price", "i_brand_id"], ascending=[False, True]).head(100)
rows = list(best.itertuples(index=False))
