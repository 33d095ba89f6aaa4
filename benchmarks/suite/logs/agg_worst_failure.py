"""The slowest failed request of each service: a masked maximum in a pandas UDF."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("service string, status int, seconds double").parquet("worst_failure_requests")


@pandas_udf("double")
def worst_failure(seconds: pd.Series, status: pd.Series) -> float:
    return seconds[status >= 500].max()


# kind: exact
# G: status >= 500 AND seconds > 2 AND NOT isnan(seconds)
# why: only failures count, and of them only one above two seconds makes the maximum so; `max` skips NaN.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter(F.col("worst") > 2)

# kind: exact
# G: status >= 500 AND seconds > 2 AND NOT isnan(seconds)
# why: the same without keys: no row over nothing.
requests.agg(worst_failure("seconds", "status").alias("worst")).filter(F.col("worst") > 2)

# kind: exact
# G: status >= 500 AND seconds IS NOT NULL AND NOT isnan(seconds)
# why: there is a slowest failure where there is a timed failure.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter(F.col("worst").isNotNull())

# kind: partial
# G: status >= 500
# why: a failure of any length decides one side of the disjunction; what did not fail decides neither.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter(
    (F.col("worst") > 2) | (F.col("worst") < 0.001)
)

# kind: split
# G: status >= 500 AND seconds >= 1
# R: worst < 2
# why: shorter failures are not the slowest where that took a second; longer ones are kept and decide.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter("worst >= 1 AND worst < 2")

# kind: none empty-input-row
# why: a service without failures passes and would vanish.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter(F.col("worst").isNull())

# kind: exact
# G: status >= 500 AND seconds > 2 AND NOT isnan(seconds) AND service IN ('api', 'web')
# why: the key moves with the rest.
requests.groupBy("service").agg(worst_failure("seconds", "status").alias("worst")).filter(
    F.col("service").isin("api", "web") & ~(F.col("worst") <= 2)
)
