"""Discounted revenue. One Python function has the three cases."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
part = spark.read.parquet("tpch/part.parquet")


@F.udf("double")
def revenue_of(brand, container, size, quantity, mode, instruct, price, discount):
    if mode not in ("AIR", "AIR REG") or instruct != "DELIVER IN PERSON" or size < 1:
        return None
    if brand == "Brand#12" and container in ("SM CASE", "SM BOX", "SM PACK", "SM PKG"):
        if 1 <= quantity <= 11 and size <= 5:
            return price * (1 - discount)
    if brand == "Brand#23" and container in ("MED BAG", "MED BOX", "MED PKG", "MED PACK"):
        if 10 <= quantity <= 20 and size <= 10:
            return price * (1 - discount)
    if brand == "Brand#34" and container in ("LG CASE", "LG BOX", "LG PACK", "LG PKG"):
        if 20 <= quantity <= 30 and size <= 15:
            return price * (1 - discount)
    return None


lines = lineitem.join(part, F.col("p_partkey") == F.col("l_partkey"))
lines = lines.withColumn(
    "revenue",
    revenue_of(
        "p_brand", "p_container", "p_size", "l_quantity", "l_shipmode", "l_shipinstruct", "l_extendedprice",
        "l_discount",
    ),
)  # fmt: skip
result = lines.filter(F.col("revenue").isNotNull()).agg(F.sum("revenue").alias("revenue"))
rows = result.collect()
