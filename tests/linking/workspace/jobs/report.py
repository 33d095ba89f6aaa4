"""Rows for the driver, of a frame that another file makes, and a table function that it defines."""

from pyspark.sql import SparkSession
from pyspark.sql.functions import udtf
from shared.frames import priced
from shared.tables import Worst

spark = SparkSession.builder.getOrCreate()
rows = priced(spark.table("sales")).toPandas()
print(rows["price"].max())
worst = udtf(Worst, returnType="team string, worst long")
sales = spark.read.schema("id long, team string, price long").parquet("/data/sales")
cheap = worst(sales.asTable().partitionBy("team")).filter("worst < 10")
cheap.write.parquet("/out/cheap")
