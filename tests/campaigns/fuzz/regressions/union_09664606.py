# wrong: on {'t': [[(1, True, 89)]]} [(('int', 89), ('int', 1))] became []
# shape: union
# table: k bigint not null, b boolean not null, i int not null
# rows: [[(1, True, 89)]]
from pyspark.sql import Window
from pyspark.sql import functions as F

result = (
    spark.table("t")
    .filter(F.col("i").isNull())
    .groupBy("k")
    .agg(F.max("i").alias("m"))
    .union(spark.table("t").select(F.col("i").alias("m"), F.col("k").alias("k")))
    .filter(F.col("m") >= 1)
)
