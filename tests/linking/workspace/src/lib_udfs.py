"""UDFs, made once."""

from pyspark.sql.functions import udf

LOW = 3


@udf("boolean")
def is_low(price):
    return price is not None and price < LOW
