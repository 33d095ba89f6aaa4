"""Errors of a session: how many, and the worst status; a Python UDTF over the requests of each session.

Sessions without an error give no row.
"""

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("session string, at bigint, status int, bytes bigint").parquet("session_requests")


@udtf(returnType="session string, errors bigint, worst int")
class SessionErrors:
    def __init__(self):
        self.session = None
        self.errors = 0
        self.worst = 0

    def eval(self, row: Row):
        self.session = row["session"]
        status = row["status"]
        if status is None or status < 400:
            return
        self.errors += 1
        if status > self.worst:
            self.worst = status

    def terminate(self):
        if self.errors > 0:
            yield self.session, self.errors, self.worst


# kind: partial
# G: status >= 400
# why: only errors are counted; how many there are is not a matter of single rows.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("errors") >= 3)

# kind: partial
# G: status >= 400
# why: the count that is shown takes in the lesser errors too, so they stay, and sessions with nothing worse must go.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("worst") >= 500)

# kind: partial
# G: status >= 400
# why: a session without errors gives no row in either run, so this upper bound loses no group.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("errors") < 3)

# kind: exact
# G: session = 'a7' AND status >= 400
# why: a filter on the key keeps or drops whole sessions, and what is no error changes nothing.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("session") == "a7")

# kind: partial
# G: status >= 400
# why: no row is known to be harmless but the ones that change nothing.
SessionErrors(requests.asTable().partitionBy("session")).filter((F.col("worst") < 500) & (F.col("errors") >= 10))

# kind: partial
# G: status >= 400
# why: a disjunction over both outputs; the state depends on errors alone.
SessionErrors(requests.asTable().partitionBy("session")).filter((F.col("worst") == 503) | (F.col("errors") > 20))

# kind: never
# why: a row comes only from a session with an error.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("errors") == 0)

# kind: never
# why: the first error already lifts the worst status to 400.
SessionErrors(requests.asTable().partitionBy("session")).filter(F.col("worst") < 400)

# kind: none no-prefilter representative-choice
# why: in one partition of everything the session that is shown is that of the last request, whatever its status.
SessionErrors(requests.asTable().withSinglePartition()).filter(F.col("errors") >= 3)
