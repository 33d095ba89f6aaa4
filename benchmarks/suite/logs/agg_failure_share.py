"""The share of failed requests of each service, and how many there were: what depends on every row."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("service string, status int, retried boolean").parquet("failure_share_requests")


@pandas_udf("double")
def failure_share(status: pd.Series) -> float:
    return (status >= 500).mean()


@pandas_udf("boolean")
def any_failure(status: pd.Series) -> bool:
    return bool((status >= 500).any())


# kind: none no-prefilter
# why: a share counts every row.
requests.groupBy("service").agg(failure_share("status").alias("share")).filter(F.col("share") > 0.1)

# kind: none no-prefilter
# why: one request that did not fail is enough to keep the service out.
requests.groupBy("service").agg(failure_share("status").alias("share")).filter(F.col("share") == 1.0)

# kind: exact
# G: status >= 500
# why: one failure is enough, and it is all that is shown.
requests.groupBy("service").agg(any_failure("status").alias("failed")).filter(F.col("failed"))

# kind: exact
# G: status >= 500
# why: without keys; no row over nothing, where the original says false.
requests.agg(any_failure("status").alias("failed")).filter("failed")

# kind: none empty-input-row
# why: services without a failure pass, and no row of theirs tells.
requests.groupBy("service").agg(any_failure("status").alias("failed")).filter(~F.col("failed"))

# kind: none no-prefilter
# why: the share is shown beside the flag, and counts every row.
requests.groupBy("service").agg(any_failure("status").alias("failed"), failure_share("status").alias("share")).filter(
    F.col("failed")
)

# kind: exact
# G: status >= 500 AND service <> 'canary'
# why: the key moves with the rest.
requests.groupBy("service").agg(any_failure("status").alias("failed")).filter(
    F.col("failed") & (F.col("service") != "canary")
)
