"""Mean latency and slow requests per route: a sum and a count with a finisher, as a Python UDTF.

Negative durations come from clocks set back and are left out.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("route string, at bigint, ms int").parquet("route_requests")


@udtf(returnType="route string, mean_ms double, requests bigint, slow bigint")
class LatencyObjective:
    SLOW = 1000

    def __init__(self):
        self.route = None
        self.total = 0
        self.requests = 0
        self.slow = 0

    def eval(self, row):
        self.route = row.route
        if row.ms is None or row.ms < 0:
            return
        self.total += row.ms
        self.requests += 1
        if row.ms > self.SLOW:
            self.slow += 1

    def terminate(self):
        if self.requests == 0:
            return
        yield self.route, self.total / self.requests, self.requests, self.slow


# kind: partial
# G: ms >= 0
# why: every valid row moves the mean; the others change nothing.
LatencyObjective(requests.asTable().partitionBy("route")).filter(F.col("mean_ms") > 250)

# kind: partial
# G: ms >= 0
# why: the fast ones do not count here, but they are in the mean that is shown.
LatencyObjective(requests.asTable().partitionBy("route")).filter(F.col("slow") >= 5)

# kind: partial
# G: ms >= 0
# why: a route without slow requests passes, but not one without any valid request.
LatencyObjective(requests.asTable().partitionBy("route")).filter((F.col("slow") == 0) & (F.col("requests") >= 100))

# kind: never
# why: each slow request is a request.
LatencyObjective(requests.asTable().partitionBy("route")).filter(F.col("slow") > F.col("requests"))

# kind: exact
# G: route = '/login' AND ms >= 0
# why: the key decides for whole routes; rows that change nothing may go too, for a route without others has no row.
LatencyObjective(requests.asTable().partitionBy("route")).filter(F.col("route") == "/login")

# kind: partial
# G: route IN ('/login', '/pay') AND ms >= 0
# why: the conjunct on the key moves by itself, the other one only as far as rows that change nothing.
LatencyObjective(requests.asTable().partitionBy("route")).filter(
    F.col("route").isin("/login", "/pay") & (F.col("mean_ms") > 250)
)

# kind: none no-prefilter
# why: in one partition the route that is shown is that of the last request, valid or not.
LatencyObjective(requests.asTable().withSinglePartition()).filter(F.col("slow") >= 5)


def slower_than(bound: float):
    day = spark.read.schema("route string, at bigint, ms int").parquet("route_requests")
    # kind: partial
    # G: ms >= 0
    # why: as for 250, whatever the caller's bound is: a route without valid requests gives no row in either run.
    return LatencyObjective(day.asTable().partitionBy("route")).filter(F.col("mean_ms") > bound)
