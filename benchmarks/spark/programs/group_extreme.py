"""The best run of each player, by the greatest score over all of them."""

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
runs = spark.read.schema("player string, score long, level string").parquet("runs")

mine = Window.partitionBy("player")
best = runs.withColumn("best", F.max("score").over(mine))
result = best.filter(F.col("score") == F.col("best")).drop("best")
result
