"""What each customer got back and how often: conditional sums by `aggregateByKey`, with a guard against NULL."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
orders = spark.read.schema("customer string, kind string, cents bigint, express boolean").parquet("orders")


def add(totals, order):
    cents, times = totals
    if order.kind == "refund" and order.cents is not None:
        return (cents + order.cents, times + 1)
    return totals


def merge(a, b):
    return (a[0] + b[0], a[1] + b[1])


# kind: exact
# G: kind = 'refund' AND cents IS NOT NULL
# why: only refunds with an amount count, and every customer with one passes.
orders.rdd.keyBy(lambda r: r.customer).aggregateByKey((0, 0), add, merge).filter(lambda kv: kv[1][1] > 0)

# kind: partial
# G: kind = 'refund' AND cents IS NOT NULL
# why: the sum of the refunds decides; nothing else goes into it, and a customer without refunds has 0.
orders.rdd.keyBy(lambda r: r.customer).aggregateByKey((0, 0), add, merge).filter(lambda kv: kv[1][0] > 10000)

# kind: partial
# G: kind = 'refund' AND cents IS NOT NULL
# why: whether there are five refunds, or a sum beyond 10000, only refunds matter.
(
    orders.rdd.keyBy(lambda r: r.customer)
    .aggregateByKey((0, 0), add, merge)
    .filter(lambda kv: kv[1][1] >= 5 or kv[1][0] > 10000)
)

# kind: none empty-input-row
# why: a customer without any refund has a sum of 0 and passes; its orders keep it in the result.
orders.rdd.keyBy(lambda r: r.customer).aggregateByKey((0, 0), add, merge).filter(lambda kv: kv[1][0] <= 10000)

# kind: partial
# G: kind = 'refund' AND cents IS NOT NULL
# why: an average of refunds of more than 50; for a customer without refunds the guard says no before dividing by zero.
(
    orders.rdd.keyBy(lambda r: r.customer)
    .aggregateByKey((0, 0), add, merge)
    .filter(lambda kv: kv[1][1] > 0 and kv[1][0] / kv[1][1] > 50)
)

# kind: exact
# G: kind = 'refund' AND cents IS NOT NULL AND customer = 'c-1'
# why: the key is a column of the rows.
(
    orders.rdd.map(lambda r: (r["customer"], r))
    .aggregateByKey((0, 0), add, merge)
    .filter(lambda kv: kv[0] == "c-1" and kv[1][1] != 0)
)

# kind: none empty-input-row
# why: `not kv[1][1]` is true of customers without refunds.
orders.rdd.keyBy(lambda r: r.customer).aggregateByKey((0, 0), add, merge).filter(lambda kv: not kv[1][1])
