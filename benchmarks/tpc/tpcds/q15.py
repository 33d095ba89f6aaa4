"""Catalog sales of some regions or of a high price. Rows are tested and turned into pairs as an RDD."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
catalog_sales = spark.read.parquet("tpcds/catalog_sales.parquet")
customer = spark.read.parquet("tpcds/customer.parquet")
customer_address = spark.read.parquet("tpcds/customer_address.parquet")
date_dim = spark.read.parquet("tpcds/date_dim.parquet")

ZIPS = {"85669", "86197", "88274", "83405", "86475", "85392", "85460", "80348", "81792"}
sales = (
    catalog_sales.join(customer, F.col("cs_bill_customer_sk") == F.col("c_customer_sk"))
    .join(customer_address, F.col("c_current_addr_sk") == F.col("ca_address_sk"))
    .join(date_dim, F.col("cs_sold_date_sk") == F.col("d_date_sk"))
    .select("ca_zip", "ca_state", "cs_sales_price", "d_qoy", "d_year")
)


def is_wanted(row):
    if row["ca_zip"] is not None and row["ca_zip"][:5] in ZIPS:
        return True
    if row["ca_state"] in ("CA", "WA", "GA"):
        return True
    return row["cs_sales_price"] is not None and row["cs_sales_price"] > 500


wanted = sales.rdd.filter(is_wanted).filter(lambda row: row["d_qoy"] == 2 and row["d_year"] == 2001)
prices = wanted.map(lambda row: (row["ca_zip"], row["cs_sales_price"]))
prices = spark.createDataFrame(prices, "ca_zip string, price double")
result = prices.groupBy("ca_zip").agg(F.sum("price").alias("price")).orderBy("ca_zip").limit(100)
rows = result.collect()
