"""The dose for a patient by weight and age, with a cap for children: a plain Python UDF with `min`."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
patients = spark.read.schema("patient string, weight double, age int, drug string").parquet("patients")


@F.udf("double")
def dose(weight, age):
    if weight is None or age is None:
        return None
    if age < 12:
        return min(weight * 0.5, 40.0)
    if age >= 65:
        return weight * 0.75
    return weight


# kind: exact
# G: weight IS NULL OR age IS NULL
# why: those are the guard.
patients.withColumn("dose", dose("weight", "age")).filter(F.col("dose").isNull())

# kind: exact
# why: each branch, spelled out; Python's `min` keeps NaN, which is above 45 in SQL.
patients.withColumn("dose", dose("weight", "age")).filter(F.col("dose") > 45)

# kind: exact
# why: the same branches from below.
patients.withColumn("dose", dose("weight", "age")).filter(F.col("dose") <= 40)

# kind: split
# R: drug = 'ibuprofen'
# why: the branches; the drug passes through, and Spark moves that part itself.
patients.withColumn("dose", dose("weight", "age")).filter((F.col("drug") == "ibuprofen") & (F.col("dose") > 45))

# kind: exact
# why: both sides of the guard.
patients.withColumn("dose", dose("weight", "age")).filter(F.col("dose").isNull() | (F.col("dose") > 45))

# kind: exact
# why: only weights that give it in their branch, among them the cap.
patients.withColumn("dose", dose("weight", "age")).filter(F.col("dose") == 40)
