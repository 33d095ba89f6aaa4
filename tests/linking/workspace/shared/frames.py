"""Functions of frames."""

from pyspark.sql import functions as F


def priced(sales):
    return sales.filter(F.col("price") > 0).select("id", "team", "price")
