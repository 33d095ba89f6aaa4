"""The first day of fever of each patient: a loop over two series, in the old form with a function type."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import PandasUDFType, pandas_udf

spark = SparkSession.builder.getOrCreate()
readings = spark.read.schema("patient string, day date, celsius double").parquet("first_fever_readings")


def first_fever(days, temperatures):
    first = None
    for day, celsius in zip(days, temperatures):  # noqa: B905
        if day is None or not celsius >= 38.5:
            continue
        if first is None or day < first:
            first = day
    return first


first_fever_udf = pandas_udf(first_fever, "date", PandasUDFType.GROUPED_AGG)

# kind: exact
# G: celsius >= 38.5 AND NOT isnan(celsius) AND day IS NOT NULL
# why: only days of fever are kept, and a patient with one has a first one.
readings.groupBy("patient").agg(first_fever_udf("day", "celsius").alias("first")).filter(F.col("first").isNotNull())

# kind: exact
# G: celsius >= 38.5 AND NOT isnan(celsius) AND day <= DATE '2024-01-31'
# why: an upper bound on a minimum.
readings.groupBy("patient").agg(first_fever_udf("day", "celsius").alias("first")).filter("first <= DATE '2024-01-31'")

# kind: partial
# G: celsius >= 38.5
# why: an earlier day of fever keeps the patient out, so all of those must be seen; other rows count for nothing.
readings.groupBy("patient").agg(first_fever_udf("day", "celsius").alias("first")).filter("first > DATE '2024-01-31'")

# kind: split
# G: celsius >= 38.5 AND day <= DATE '2024-01-31'
# R: first >= DATE '2024-01-01'
# why: later days are not first; earlier ones are kept and decide.
readings.groupBy("patient").agg(first_fever_udf("day", "celsius").alias("first")).filter(
    (F.col("first") >= "2024-01-01") & (F.col("first") <= "2024-01-31")
)

# kind: none empty-input-row
# why: a patient without fever passes, and has no row that says so.
readings.groupBy("patient").agg(first_fever_udf("day", "celsius").alias("first")).filter(F.col("first").isNull())

# kind: exact
# G: celsius >= 38.5 AND NOT isnan(celsius) AND day <= DATE '2024-01-31'
# why: without keys; no fever in time means NULL in the one run and no row in the other, and neither passes.
readings.agg(first_fever_udf("day", "celsius").alias("first")).filter(F.col("first") <= "2024-01-31")
