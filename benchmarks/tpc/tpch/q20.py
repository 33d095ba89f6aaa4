"""Suppliers with too much stock. The name of the part is tested in Python."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lineitem = spark.read.parquet("tpch/lineitem.parquet")
nation = spark.read.parquet("tpch/nation.parquet")
part = spark.read.parquet("tpch/part.parquet")
partsupp = spark.read.parquet("tpch/partsupp.parquet")
supplier = spark.read.parquet("tpch/supplier.parquet")


@F.udf("boolean")
def is_forest(name):
    return name is not None and name.startswith("forest")


shipped = lineitem.groupBy("l_partkey", "l_suppkey", F.year("l_shipdate").alias("year")).agg(
    (0.5 * F.sum("l_quantity")).alias("half")
)
stock = (
    partsupp.join(part, F.col("ps_partkey") == F.col("p_partkey"))
    .join(shipped, (F.col("l_partkey") == F.col("ps_partkey")) & (F.col("l_suppkey") == F.col("ps_suppkey")))
    .filter(is_forest("p_name"))
    .filter((F.col("year") == 1994) & (F.col("ps_availqty") > F.col("half")))
)
suppliers = supplier.join(nation, F.col("s_nationkey") == F.col("n_nationkey"))
result = (
    suppliers.join(stock, F.col("s_suppkey") == F.col("ps_suppkey"), "left_semi")
    .filter(F.col("n_name") == "CANADA")
    .select("s_name", "s_address")
    .orderBy("s_name")
)
rows = result.collect()
