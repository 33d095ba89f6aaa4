# wrong: on {'t': [[]]} [] became SparkError: no column n
# shape: flow applyInArrow
# table: k string not null, n bigint not null, s string, b boolean not null, y double
# rows: [[]]
from contextlib import nullcontext

import pyarrow as pa
from pyspark.sql import functions as F

OUT = pa.schema([("k", pa.string()), ("m", pa.bool_())])


def f(key, table):
    seen = False
    for r in table.to_pylist():
        if r["s"] is None:
            continue
        seen = seen or (r["n"] <= 90)
    return pa.Table.from_pylist([{"k": key[0].as_py(), "m": seen}], schema=OUT)


df = spark.table("t")
cond1 = F.col("m").eqNullSafe(True)
df1 = df
for item in ["a", "b"]:
    df1 = df1.groupBy("k").applyInArrow(f, "k string, m boolean").where(cond1)
result = df1
result = result
