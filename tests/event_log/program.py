"""Run by ``test_spark.py``: Spark jobs of each sort, with an event log. No job here gives what is looked at.

The directory of data and the one of logs are the arguments.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession

data, logs = sys.argv[1:]
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
for key, value in {
    "spark.eventLog.enabled": "true", "spark.eventLog.dir": Path(logs).as_uri(), "spark.eventLog.compress": "true",
    "spark.eventLog.rolling.enabled": "true", "spark.sql.shuffle.partitions": "2",
}.items():  # fmt: skip
    builder = builder.config(key, value)
spark = builder.getOrCreate()
prices = spark.read.parquet(f"{data}/prices.parquet")
lines = spark.read.text(f"{data}/lines.txt")
r = spark.sparkContext.parallelize(range(20), 2)
p = r.map(lambda x: (x % 3, x))

all_of_it = prices.toPandas()  # of prices
print(all_of_it["id"].max())
some = prices.groupBy("k").count().filter("k = 3").collect()  # of prices
text = lines.collect()  # of lines
for _ in range(3):
    again = (
        lines
        .filter("value > '5'")
        .take(2)  # three jobs
    )  # fmt: skip
kept = spark.read.text(f"{data}/lines.txt").cache()
first = kept.collect()  # fills the cache
second = kept.collect()  # reads it
held = r.map(str).cache()
held.count()
held.max()  # of held
prices.count()
prices.write.mode("overwrite").format("noop").save()

prices.toArrow()
prices.head()
prices.first()
prices.tail(2)
list(prices.toLocalIterator())
prices.foreach(print)
prices.foreachPartition(list)
r.top(2)
r.takeOrdered(2)
r.count()
r.sum()
r.mean()
r.max()
r.min()
r.reduce(max)
r.fold(0, max)
r.aggregate(0, max, max)
r.treeReduce(max)
r.treeAggregate(0, max, max)
r.stats()
r.stdev()
r.variance()
r.sampleStdev()
r.sampleVariance()
r.histogram(2)
r.countByValue()
p.countByKey()
p.collectAsMap()
p.lookup(1)
r.takeSample(False, 2)
p.reduceByKeyLocally(max)
r.sortBy(int)
p.sortByKey()
r.zipWithIndex()
r.collectWithJobGroup("group", "what for")

java = spark.sparkContext._jvm
for codec in ("lz4", "snappy", "zstd"):
    made = java.org.apache.spark.io.CompressionCodec.createCodec(spark._jsc.sc().conf(), codec)
    out = made.compressedOutputStream(java.java.io.FileOutputStream(f"{data}/plain.{codec}"))
    out.write((Path(data) / "plain").read_bytes())
    out.close()
spark.stop()
