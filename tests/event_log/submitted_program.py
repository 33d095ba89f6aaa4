"""Submitted by ``test_demo.py``: each action of which Spark's log has no Python line, once. No job here gives what is
looked at. The directory of data is the argument."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
read = spark.read.csv(f"{data}/lines.csv", header=True, inferSchema=True)
again = spark.read.json(f"{data}/lines.json")
prices = spark.read.parquet(f"{data}/prices")
some = prices.filter("id >= 10")

some.count()
some.show()
some.isEmpty()
some.write.parquet(f"{data}/out/parquet")
some.write.csv(f"{data}/out/csv")
some.write.json(f"{data}/out/json")
some.write.orc(f"{data}/out/orc")
some.select("s").write.text(f"{data}/out/text")
some.write.format("noop").mode("overwrite").save()
some.write.option("path", f"{data}/out/table").saveAsTable("prices")
some.write.insertInto("prices")
