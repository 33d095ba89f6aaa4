"""Errors in the five minutes after the last deployment of a service: a window around an event, as a Python UDTF.

A deployment starts a new window. Services that were not deployed give no row.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
events = spark.read.schema("service string, at bigint, kind string").parquet("deploy_events").dropna(subset=["at"])

WINDOW = 300


@udtf(returnType="service string, deployed_at bigint, errors bigint")
class AfterDeploy:
    def __init__(self):
        self.service = None
        self.deployed_at = None
        self.errors = 0

    def eval(self, row):
        if row["kind"] == "deploy":
            self.service = row["service"]
            self.deployed_at = row["at"]
            self.errors = 0
        elif row["kind"] == "error" and self.deployed_at is not None:
            if 0 < row["at"] - self.deployed_at <= WINDOW:
                self.errors += 1

    def terminate(self):
        if self.deployed_at is not None:
            yield self.service, self.deployed_at, self.errors


# kind: partial
# G: kind = 'deploy' OR kind = 'error'
# why: nothing else changes the state; whether there were ten is not a matter of single rows.
AfterDeploy(events.asTable().partitionBy("service").orderBy("at")).filter(F.col("errors") >= 10)

# kind: partial
# G: kind = 'deploy' OR kind = 'error'
# why: a service passes with no error at all, but not without a deployment, which is kept.
AfterDeploy(events.asTable().partitionBy("service").orderBy("at")).filter(F.col("errors") == 0)

# kind: partial
# G: kind = 'deploy' OR kind = 'error'
# why: the last deployment counts, in whatever order the rows come: an earlier one may be it.
AfterDeploy(events.asTable().partitionBy("service").orderBy("at")).filter(F.col("deployed_at") >= 1_700_000_000)

# kind: never
# why: a counter that starts at 0 and only grows or starts anew.
AfterDeploy(events.asTable().partitionBy("service").orderBy("at")).filter(F.col("errors") < 0)

# kind: partial
# G: kind = 'deploy' OR kind = 'error'
# why: over all services together; nothing at all gives no row in either run.
AfterDeploy(events.asTable().withSinglePartition().orderBy("at")).filter(F.col("errors") >= 10)

# kind: exact
# G: service = 'api' AND (kind = 'deploy' OR kind = 'error')
# why: the service that is shown is the key of its rows wherever there was a deployment.
AfterDeploy(events.asTable().partitionBy("service").orderBy("at")).filter(F.col("service") == "api")

# kind: partial
# G: kind = 'deploy' OR kind = 'error'
# why: over all services, those of other services decide whether this one was the last.
AfterDeploy(events.asTable().withSinglePartition().orderBy("at")).filter(F.col("service") == "api")
