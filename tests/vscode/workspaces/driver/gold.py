"""What customers with a gold card have paid."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("gold").getOrCreate()
pdf = spark.read.schema("tier string, amount double").parquet("data/sales").toPandas()
pdf = pdf[pdf.tier == "gold"]
print(pdf["tier"].count(), pdf["amount"].sum())
