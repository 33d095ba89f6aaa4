# wrong: on {'t': [[(2, 1.0, 'c', True)]]} [(('int', 2),)] became []
# shape: union
# table: k bigint, x double not null, s string not null, b boolean not null
# rows: [[(2, 1.0, 'c', True)]]
import pandas as pd
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf


@pandas_udf("long")
def f(x_s: pd.Series, b_s: pd.Series) -> int:
    count = 0
    best2 = 0
    for x, b in zip(x_s, b_s):
        if 2.0 <= x < 1.0:
            count += 1
        if x > best2:
            best2 = x
    return count


result = (
    spark.table("t")
    .agg(f("x", "b").alias("v"))
    .union(spark.table("t").select(F.col("k").alias("v")))
    .filter(F.col("v") >= 1)
)
