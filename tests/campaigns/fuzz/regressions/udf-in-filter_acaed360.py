# wrong: on {'t': [[(1, False, 2147483647, 0.5)]]} [(('int', 1), ('bool', False), ('int', 2147483647), ('float', 0.5))] became SparkError: ARITHMETIC_OVERFLOW
# shape: udf in filter
# table: k int, b boolean, i int, y double not null unstated
# rows: [[(1, False, 2147483647, 0.5)]]
from pyspark.sql import functions as F


def g(b, i):
    if i is None:
        return -1.0
    if i >= -1:
        return max(i, -1.0)
    return i * 2


f = F.udf(g, "double")


result = spark.table("t").filter((f(F.col("b"), "i") > -1.0)).filter(F.col("k") >= 1)
