"""The biggest discount in each order: a loop over two series that starts from no discount at all."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("order_id string, listed double, paid double").parquet("order_lines")


@pandas_udf("double")
def biggest_discount(listed: pd.Series, paid: pd.Series) -> float:
    biggest = 0.0
    for before, after in zip(listed, paid):  # noqa: B905
        if pd.isna(before) or pd.isna(after):
            continue
        discount = before - after
        if discount > biggest:
            biggest = discount
    return biggest


# kind: exact
# G: listed - paid > 50
# why: only a line with such a discount can make the biggest one so.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter(F.col("discount") > 50)

# kind: exact
# G: listed - paid > 0
# why: only a line with a discount changes the start.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter("discount > 0")

# kind: none empty-input-row
# why: orders without a discount pass, and no line of theirs tells.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter(F.col("discount") == 0)

# kind: split
# G: listed - paid >= 10
# R: discount < 50
# why: smaller discounts are not the biggest where that is 10; bigger ones are kept and decide.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter(
    (F.col("discount") >= 10) & (F.col("discount") < 50)
)

# kind: exact
# G: listed - paid > 50
# why: without keys; no row remains where the original shows a discount of 50 or less.
lines.agg(biggest_discount("listed", "paid").alias("discount")).filter(F.col("discount") > 50)

# kind: never
# why: it starts at 0 and only grows.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter(F.col("discount") < 0)

# kind: none empty-input-row
# why: an upper bound that the start meets.
lines.groupBy("order_id").agg(biggest_discount("listed", "paid").alias("discount")).filter(F.col("discount") <= 50)
