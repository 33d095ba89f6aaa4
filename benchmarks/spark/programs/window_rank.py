"""The three best runs of each player, and of them only the high ones: ``row_number`` over all runs."""

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
runs = spark.read.schema("player string, score long, level string").parquet("runs")

best_first = Window.partitionBy("player").orderBy(F.desc("score"), "level")
ranked = runs.withColumn("place", F.row_number().over(best_first))
result = ranked.filter((F.col("score") >= 5000) & (F.col("place") <= 3))
result
