"""A digest of each line of a log by a Python function over rows, filtered by a column that passes through."""

import hashlib

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")


def digest(text):
    return hashlib.md5(str(text).encode()).hexdigest()


digests = lines.rdd.map(lambda row: (row.host, row.status, digest(row.level))).toDF("host string, status int, d string")
result = digests.filter("status >= 500")
result
