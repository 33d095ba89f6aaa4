"""The price of an order line after the customer's tier: a plain Python UDF made with `udf(f, type)`."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("line bigint, gross double, tier string, region string").parquet("lines")


def net_price(gross, tier):
    if gross is None or gross < 0:
        return None
    if tier == "gold":
        return gross * 0.9
    if tier == "silver" and gross > 100:
        return gross * 0.95
    return gross


net = F.udf(net_price, DoubleType())

# kind: exact
# why: each branch is a product; which branch it is depends on the tier and the gross price.
lines.withColumn("net", net("gross", "tier")).filter(F.col("net") >= 500)

# kind: exact
# G: gross IS NULL OR gross < 0
# why: those two have no price, and only they.
lines.withColumn("net", net("gross", "tier")).filter(F.col("net").isNull())

# kind: split
# R: region IN ('north', 'south')
# why: each branch again; the region passes through, and Spark moves that part itself.
lines.withColumn("net", net("gross", "tier")).filter((F.col("net") >= 500) & F.col("region").isin("north", "south"))

# kind: exact
# why: a disjunction over the same output is one over the branches.
lines.withColumn("net", net("gross", "tier")).filter((F.col("net") < 1) | F.col("net").isNull())

# kind: exact
# why: a range is two bounds in each branch.
lines.withColumn("net", net(F.col("gross"), F.col("tier"))).filter(F.col("net").between(10, 20))

# kind: none volatile
# why: the filter reads the clock.
lines.withColumn("net", net("gross", "tier")).filter(F.col("net") > F.unix_timestamp())
