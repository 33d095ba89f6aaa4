"""What a team looks at each morning."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("report").getOrCreate()
events = spark.read.schema("kind string, version int, amount double, note string").parquet("data/events")

deploy = events.filter(F.col("kind") == "deploy").collect()[0]["version"]
if events.filter(F.col("kind") == "error").count() == 0:
    print("no errors since", deploy)
local = events.toPandas()
print(local["amount"].sum())
sales = [r for r in events.collect() if r.kind == "sale"]
print(sales)
