"""What customers bought: membership in collected sets, last and conditional values, native aggregates throughout."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
orders = spark.read.schema("customer string, category string, amount double, status string, day date").parquet(
    "customers_orders"
)

# kind: partial
# G: category = 'toys' OR category = 'books'
# why: only the two categories matter, and both must be there.
orders.groupBy("customer").agg(
    F.array_contains(F.collect_set("category"), "toys").alias("toys"),
    F.array_contains(F.collect_set("category"), "books").alias("books"),
).filter(F.col("toys") & F.col("books"))

# kind: exact
# G: category = 'toys' OR category = 'books'
# why: a customer that is there at all has bought one of the two.
orders.groupBy("customer").agg(
    F.array_contains(F.collect_set("category"), "toys").alias("toys"),
    F.array_contains(F.collect_set("category"), "books").alias("books"),
).filter(F.col("toys") | F.col("books"))

# kind: partial
# G: category = 'toys' OR category = 'books'
# why: a book keeps the customer out, so books must be seen; customers without toys fail with or without their rows.
orders.groupBy("customer").agg(
    F.array_contains(F.collect_set("category"), "toys").alias("toys"),
    F.array_contains(F.collect_set("category"), "books").alias("books"),
).filter(F.col("toys") & ~F.col("books"))

# kind: none empty-input-row
# why: customers that never bought toys pass, and no row of theirs tells.
orders.groupBy("customer").agg(F.array_contains(F.collect_set("category"), "toys").alias("toys")).filter(~F.col("toys"))

# kind: exact
# G: status = 'paid' AND day IS NOT NULL
# why: one paid order with a day is enough, and the last of those is the same in every order of the rows.
orders.groupBy("customer").agg(
    F.last(F.when(F.col("status") == "paid", F.col("day")), ignorenulls=True).alias("last_paid")
).filter(F.col("last_paid").isNotNull())

# kind: partial
# G: status = 'paid'
# why: which is the last one may be any of the paid ones.
orders.groupBy("customer").agg(
    F.last(F.when(F.col("status") == "paid", F.col("day")), ignorenulls=True).alias("last_paid")
).filter(F.col("last_paid") >= "2024-06-01")

# kind: exact
# G: day >= DATE '2024-06-01'
# why: a lower bound on a maximum.
orders.groupBy("customer").agg(F.max("day").alias("seen")).filter(F.col("seen") >= "2024-06-01")

# kind: split
# G: (status = 'returned' AND amount > 100) OR (status = 'paid' AND amount < 5)
# R: returned IS NOT NULL AND cheapest IS NOT NULL
# why: each row matters to one of the two only, and only beyond its bound.
orders.groupBy("customer").agg(
    F.max(F.when(F.col("status") == "returned", F.col("amount"))).alias("returned"),
    F.min(F.when(F.col("status") == "paid", F.col("amount"))).alias("cheapest"),
).filter((F.col("returned") > 100) & (F.col("cheapest") < 5))

# kind: none no-prefilter opaque
# why: every category counts; all that can go is NULL.
orders.groupBy("customer").agg(F.size(F.collect_set("category")).alias("categories")).filter(F.col("categories") >= 3)
