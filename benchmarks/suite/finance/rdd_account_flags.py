"""Flags of each account, or'ed and and'ed over its transfers: `combineByKey` and `foldByKey` with booleans."""

from operator import add

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
transfers = (
    spark.read.schema("account string, abroad boolean, cash boolean, cents bigint")
    .parquet("transfers")
    .dropna(subset=["account", "abroad", "cash", "cents"])
)


def either(a, b):
    return (a[0] or b[0], a[1] or b[1])


# kind: partial
# G: abroad OR cash
# why: a transfer that is neither changes no flag; of the others each may set the second one, which is in the result.
(transfers.rdd.map(lambda r: (r.account, (r.abroad, r.cash))).reduceByKey(either).filter(lambda kv: kv[1][0]))

# kind: partial
# G: abroad OR cash
# why: both flags must be set, perhaps by two transfers.
(
    transfers.rdd.map(lambda r: (r.account, (r.abroad, r.cash)))
    .reduceByKey(either)
    .filter(lambda kv: kv[1][0] and kv[1][1])
)

# kind: exact
# G: abroad OR cash
# why: one of the flags is set just if some transfer sets it.
(
    transfers.rdd.map(lambda r: (r.account, (r.abroad, r.cash)))
    .reduceByKey(either)
    .filter(lambda kv: kv[1][0] or kv[1][1])
)

# kind: exact
# G: cash AND cents > 1000000
# why: foldByKey counts transfers of that kind; 0 is counted once for each partition, and adds nothing.
(
    transfers.rdd.map(lambda r: (r.account, 1 if r.cash and r.cents > 1000000 else 0))
    .foldByKey(0, add)
    .filter(lambda kv: kv[1] > 0)
)

# kind: partial
# G: cash AND cents > 1000000
# why: only those are counted; the count must still be compared.
(
    transfers.rdd.map(lambda r: (r.account, 1 if r.cash and r.cents > 1000000 else 0))
    .foldByKey(0, add)
    .filter(lambda kv: kv[1] >= 3)
)

# kind: none no-prefilter empty-input-row
# why: accounts without a transfer abroad pass.
(transfers.rdd.map(lambda r: (r.account, r.abroad)).reduceByKey(lambda a, b: a or b).filter(lambda kv: not kv[1]))

# kind: none no-prefilter empty-input-row
# why: every transfer must be in cash: one that is not decides it, and those that are keep the account there.
(transfers.rdd.map(lambda r: (r.account, r.cash)).reduceByKey(lambda a, b: a and b).filter(lambda kv: kv[1]))

# kind: exact
# G: abroad
# why: a single flag.
(
    transfers.rdd.map(lambda r: (r.account, r.abroad))
    .combineByKey(lambda f: f, lambda s, f: s or f, lambda a, b: a or b)
    .filter(lambda kv: kv[1])
)
