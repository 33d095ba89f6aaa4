"""Brute-force logins per account: failures, and whether a login succeeded after five of them.

A Python UDTF over the attempts of each account in the order of time.
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import udtf

spark = SparkSession.builder.getOrCreate()
attempts = spark.read.schema("account string, at bigint, outcome string, ip string").parquet("login_attempts")

SCHEMA = "account string, failures bigint, breached boolean"
SUSPICIOUS = 5


class BruteForce:
    def __init__(self):
        self.account = None
        self.failures = 0
        self.breached = False

    def eval(self, row):
        self.account = row["account"]
        if row["outcome"] == "failure":
            self.failures += 1
        elif row["outcome"] == "success" and self.failures >= SUSPICIOUS:
            self.breached = True

    def terminate(self):
        yield self.account, self.failures, self.breached


brute_force = udtf(BruteForce, returnType=SCHEMA)

# kind: partial
# G: outcome = 'failure' OR outcome = 'success'
# why: other outcomes change nothing, and an account without any of the two is not breached.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(F.col("breached"))

# kind: partial
# G: outcome = 'failure' OR outcome = 'success'
# why: successes decide the flag that is shown beside the count.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(F.col("failures") >= 10)

# kind: partial
# G: outcome = 'failure' OR outcome = 'success'
# why: the negated flag needs the successes, the count the failures.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(
    ~F.col("breached") & (F.col("failures") >= 10)
)

# kind: none empty-input-row no-prefilter
# why: an account without failures passes, and without its rows it would be gone.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(F.col("failures") < 3)

# kind: none empty-input-row no-prefilter
# why: the flag of a fresh instance is down: accounts with other outcomes only pass.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(~F.col("breached"))

# kind: exact
# G: account = 'root'
# why: the key decides for whole accounts; other outcomes must stay, for an account with nothing else passes too.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(F.col("account") == "root")

# kind: never
# why: a breach needs five failures before it, and failures are never taken back.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(F.col("breached") & (F.col("failures") < 5))

# kind: partial
# G: outcome = 'failure' OR outcome = 'success'
# why: either way the account has had failures.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(
    F.col("breached") | (F.col("failures") >= 20)
)

# kind: partial
# G: outcome = 'failure' OR outcome = 'success'
# why: a risk of 20 takes a breach or twenty failures.
brute_force(attempts.asTable().partitionBy("account").orderBy("at")).filter(
    F.when(F.col("breached"), 100).otherwise(F.col("failures")) >= 20
)
