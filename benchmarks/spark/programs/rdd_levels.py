"""The states of each word in the names of hosts, gathered by key: a filter of the elements of an RDD."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")

pairs = lines.rdd.flatMap(lambda row: [(word, row.status) for word in str(row.host).split("-")])
result = pairs.groupByKey().mapValues(list).filter(lambda pair: pair[0].startswith("00000"))
result
