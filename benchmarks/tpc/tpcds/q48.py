"""Quantity sold under one of several conditions. One Python function has the cases of each side."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer_address = spark.read.parquet("tpcds/customer_address.parquet")
customer_demographics = spark.read.parquet("tpcds/customer_demographics.parquet")
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
store = spark.read.parquet("tpcds/store.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")


@F.udf("boolean")
def is_buyer(marital, education, price):
    if marital is None or education is None or price is None:
        return False
    if marital == "M" and education == "4 yr Degree":
        return 100 <= price <= 150
    if marital == "D" and education == "2 yr Degree":
        return 50 <= price <= 100
    return marital == "S" and education == "College" and 150 <= price <= 200


@F.udf("int")
def least_profit(country, state):
    if country != "United States":
        return None
    if state in ("CO", "OH", "TX"):
        return 0
    if state in ("OR", "MN", "KY"):
        return 150
    if state in ("VA", "CA", "MS"):
        return 50
    return None


@F.udf("int")
def most_profit(state):
    return {"CO": 2000, "OH": 2000, "TX": 2000, "OR": 3000, "MN": 3000, "KY": 3000}.get(state, 25000)


sales = (
    store_sales.join(store, F.col("ss_store_sk") == F.col("s_store_sk"))
    .join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(customer_demographics, F.col("ss_cdemo_sk") == F.col("cd_demo_sk"))
    .join(customer_address, F.col("ss_addr_sk") == F.col("ca_address_sk"))
    .withColumn("buyer", is_buyer("cd_marital_status", "cd_education_status", "ss_sales_price"))
    .withColumn("least", least_profit("ca_country", "ca_state"))
    .withColumn("most", most_profit("ca_state"))
    .cache()
)
sales = sales.filter(F.col("buyer") & (F.col("d_year") == 2000) & F.col("least").isNotNull())
result = sales.filter(F.col("ss_net_profit").between(F.col("least"), F.col("most"))).agg(
    F.sum("ss_quantity").alias("quantity")
)
rows = result.collect()
