"""The fee of a payment by its kind: a plain Python UDF that guards None and branches."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
payments = spark.read.schema("payment bigint, amount double, kind string, country string").parquet("fee_payments")


@F.udf("double")
def fee(amount, kind):
    if amount is None:
        return None
    if kind == "wire":
        return amount * 0.02
    if kind == "card":
        return amount * 0.01
    return 0.0


# kind: exact
# G: (kind = 'wire' AND amount * 0.02D > 100) OR (kind = 'card' AND amount * 0.01D > 100)
# why: the function is its two products, spelled out; other kinds cost nothing.
payments.withColumn("fee", fee("amount", "kind")).filter(F.col("fee") > 100)

# kind: exact
# G: amount IS NULL
# why: only a missing amount has no fee.
payments.withColumn("fee", fee("amount", "kind")).filter(F.col("fee").isNull())

# kind: exact
# why: free kinds, and products that are zero.
payments.withColumn("fee", fee("amount", "kind")).filter(F.col("fee") == 0)

# kind: split
# G: (kind = 'wire' AND amount * 0.02D > 100) OR (kind = 'card' AND amount * 0.01D > 100)
# R: country = 'DE'
# why: the country passes through, and Spark moves that part itself.
payments.withColumn("fee", fee("amount", "kind")).filter((F.col("fee") > 100) & (F.col("country") == "DE"))

# kind: exact
# G: (kind = 'wire' AND amount * 0.02D < 0) OR (kind = 'card' AND amount * 0.01D < 0)
# why: only a product can be negative.
payments.select("payment", "kind", fee("amount", "kind").alias("fee")).filter("fee < 0")

# kind: none volatile
# why: the threshold is drawn anew for every row, and would be drawn again below.
payments.withColumn("fee", fee("amount", "kind")).filter(F.col("fee") > F.rand())

# kind: exact
# why: a negation is the other side of each product; a missing fee is not below.
payments.withColumn("fee", fee("amount", "kind")).filter(~(F.col("fee") > 5))
