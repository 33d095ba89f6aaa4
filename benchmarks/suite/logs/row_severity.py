"""How severe a log line is: a plain Python UDF over a level and a status, with string tests."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, status int").parquet("severity_lines")


@F.udf("int")
def severity(level, status):
    if level is None:
        return 0
    if level == "FATAL" or (status is not None and status >= 500):
        return 3
    if level.startswith("WARN"):
        return 2
    return 1


# kind: exact
# why: the two upper branches.
lines.withColumn("severity", severity("level", "status")).filter(F.col("severity") >= 2)

# kind: exact
# G: level IS NULL
# why: only a missing level is 0.
lines.withColumn("severity", severity("level", "status")).filter(F.col("severity") == 0)

# kind: never
# why: 3 is the highest.
lines.withColumn("severity", severity("level", "status")).filter(F.col("severity") > 3)

# kind: exact
# G: level IS NOT NULL AND (level = 'FATAL' OR status >= 500)
# why: ten times the severity reaches 30 only at 3.
lines.withColumn("severity", severity("level", "status")).filter(F.col("severity") * 10 >= 30)

# kind: exact
# G: level <> 'FATAL' AND (status < 500 OR status IS NULL)
# why: what is left of a level that is there.
lines.withColumn("severity", severity("level", "status")).filter(F.col("severity").between(1, 2))

# kind: split
# G: level IS NOT NULL AND (level = 'FATAL' OR status >= 500)
# R: host = 'db-1'
# why: the host passes through, and Spark moves that part itself.
lines.withColumn("severity", severity("level", "status")).filter((F.col("host") == "db-1") & (F.col("severity") == 3))
