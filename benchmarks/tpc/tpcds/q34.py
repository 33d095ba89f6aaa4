"""Customers with large baskets. A Python function compares dependents with vehicles; baskets are counted first."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
customer = spark.read.parquet("tpcds/customer.parquet")
date_dim = spark.read.parquet("tpcds/date_dim.parquet")
household_demographics = spark.read.parquet("tpcds/household_demographics.parquet")
store = spark.read.parquet("tpcds/store.parquet")
store_sales = spark.read.parquet("tpcds/store_sales.parquet")


@F.udf("double")
def ratio(dependents, vehicles):
    if vehicles is None or vehicles <= 0 or dependents is None:
        return None
    return dependents / vehicles


sales = (
    store_sales.join(date_dim, F.col("ss_sold_date_sk") == F.col("d_date_sk"))
    .join(store, F.col("ss_store_sk") == F.col("s_store_sk"))
    .join(household_demographics, F.col("ss_hdemo_sk") == F.col("hd_demo_sk"))
)
sales = sales.withColumn("ratio", ratio("hd_dep_count", "hd_vehicle_count")).filter(F.col("ratio") > 1.2)
keys = ["ss_ticket_number", "ss_customer_sk"]
baskets = sales.groupBy(*keys, "d_dom", "d_year", "hd_buy_potential", "s_county").agg(F.count("*").alias("cnt")).cache()
early = baskets.filter(F.col("d_dom").between(1, 3) | F.col("d_dom").between(25, 28))
early = early.filter(F.col("hd_buy_potential").isin(">10000", "Unknown") & F.col("d_year").isin(1999, 2000, 2001))
counted = early.filter(F.col("s_county") == "Williamson County").groupBy(*keys).agg(F.sum("cnt").alias("cnt"))
result = (
    counted.join(customer, F.col("ss_customer_sk") == F.col("c_customer_sk"))
    .filter(F.col("cnt").between(15, 20))
    .select("c_last_name", "c_first_name", "c_salutation", "c_preferred_cust_flag", "ss_ticket_number", "cnt")
    .orderBy("c_last_name", "c_first_name", "c_salutation", F.desc("c_preferred_cust_flag"), "ss_ticket_number")
)
rows = result.collect()
