"""First and last login of a user with their addresses: first and last by time, as a Python UDTF."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf
from pyspark.sql.types import LongType, StringType, StructField, StructType

spark = SparkSession.builder.getOrCreate()
logins = spark.read.schema("user string, at bigint, ip string").parquet("user_logins")

SCHEMA = StructType(
    [
        StructField("first_at", LongType()),
        StructField("first_ip", StringType()),
        StructField("last_at", LongType()),
        StructField("last_ip", StringType()),
    ]
)


@udtf(returnType=SCHEMA)
class FirstLast:
    def __init__(self):
        self.first_at = self.first_ip = None
        self.last_at = self.last_ip = None

    def eval(self, row):
        at = row["at"]
        if at is None:
            return
        if self.first_at is None or at < self.first_at:
            self.first_at = at
            self.first_ip = row["ip"]
        if self.last_at is None or at >= self.last_at:
            self.last_at = at
            self.last_ip = row["ip"]

    def terminate(self):
        if self.first_at is not None:
            yield self.first_at, self.first_ip, self.last_at, self.last_ip


# kind: none no-prefilter
# why: a user passes by the last login, and then the first one is shown, however old.
FirstLast(logins.asTable().partitionBy("user")).filter(F.col("last_at") >= 1_700_000_000)

# kind: none no-prefilter
# why: a lower bound on a minimum: every row may break it.
FirstLast(logins.asTable().partitionBy("user")).filter(F.col("first_at") >= 1_700_000_000)

# kind: partial
# G: at < 1600000000 OR at >= 1700000000
# why: a user who passes has a first login before and a last one after; none in between is either of them.
FirstLast(logins.asTable().partitionBy("user")).filter(
    (F.col("first_at") < 1_600_000_000) & (F.col("last_at") >= 1_700_000_000)
)

# kind: partial
# G: at < 1600000000 OR at >= 1700000000
# why: as for each user, for all of them together.
FirstLast(logins.asTable().withSinglePartition()).filter(
    (F.col("first_at") < 1_600_000_000) & (F.col("last_at") >= 1_700_000_000)
)

# kind: none no-prefilter
# why: which two addresses are compared depends on all rows.
FirstLast(logins.asTable().partitionBy("user")).filter(F.col("first_ip") == F.col("last_ip"))

# kind: never
# why: the last login is not before the first.
FirstLast(logins.asTable().partitionBy("user")).filter(F.col("last_at") < F.col("first_at"))

# kind: never
# why: the same with a date between the two.
FirstLast(logins.asTable().partitionBy("user")).filter(
    (F.col("first_at") >= 1_700_000_000) & (F.col("last_at") < 1_700_000_000)
)
