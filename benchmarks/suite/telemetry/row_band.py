"""The band of a temperature: a plain Python UDF that buckets a number into labels."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType

spark = SparkSession.builder.getOrCreate()
readings = spark.read.schema("site string, celsius double").parquet("band_readings")


@F.udf(returnType=StringType())
def band(celsius):
    if celsius is None or celsius != celsius:
        return "unknown"
    if celsius < 5:
        return "cold"
    if celsius < 80:
        return "normal"
    return "hot"


# kind: exact
# G: celsius >= 80 AND NOT isnan(celsius)
# why: the last branch is what is left: not missing and not below 80. In SQL NaN is above 80.
readings.withColumn("band", band("celsius")).filter(F.col("band") == "hot")

# kind: exact
# G: celsius IS NULL OR celsius >= 80
# why: hot or unknown: NaN is above 80 in SQL, and unknown here.
readings.withColumn("band", band("celsius")).filter(F.col("band").isin("hot", "unknown"))

# kind: exact
# G: celsius IS NULL OR isnan(celsius) OR celsius < 5 OR celsius >= 80
# why: everything but the middle; the band is never NULL.
readings.withColumn("band", band("celsius")).filter(F.col("band") != "normal")

# kind: split
# G: celsius < 5
# R: site = 'roof'
# why: the second branch; the site passes through, and Spark moves that part itself.
readings.withColumn("band", band("celsius")).filter("band = 'cold' AND site = 'roof'")

# kind: never
# why: there is no such band.
readings.withColumn("band", band("celsius")).filter(F.col("band") == "warm")

# kind: never
# why: the function always returns a label.
readings.withColumn("band", band("celsius")).filter(F.col("band").isNull())

# kind: exact
# G: celsius IS NULL OR isnan(celsius)
# why: the first branch.
readings.select("site", band("celsius").alias("band")).where(F.col("band") == "unknown")
