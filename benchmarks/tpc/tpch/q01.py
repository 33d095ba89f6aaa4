"""Pricing summary. A Python function computes the discounted price; the rows are kept for other reports."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")


@F.udf("double")
def discounted(price, discount):
    return price * (1 - discount)


priced = lineitem.withColumn("disc_price", discounted("l_extendedprice", "l_discount")).cache()
shipped = priced.filter(F.col("l_shipdate") <= "1998-09-02")
result = (
    shipped.groupBy("l_returnflag", "l_linestatus")
    .agg(
        F.sum("l_quantity").alias("sum_qty"),
        F.sum("l_extendedprice").alias("sum_base_price"),
        F.sum("disc_price").alias("sum_disc_price"),
        F.sum(F.col("disc_price") * (1 + F.col("l_tax"))).alias("sum_charge"),
        F.avg("l_quantity").alias("avg_qty"),
        F.avg("l_extendedprice").alias("avg_price"),
        F.avg("l_discount").alias("avg_disc"),
        F.count("*").alias("count_order"),
    )
    .orderBy("l_returnflag", "l_linestatus")
)
rows = result.collect()
