"""The strongest vibration of each machine before and during a run-up: two windows of constants over an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
vibrations = spark.read.schema("machine string, second int, um_s int").parquet("vibrations")

T0 = 3600
LENGTH = 300
WINDOWS = pa.schema([("machine", pa.string()), ("before", pa.int32()), ("during", pa.int32())])
SCHEMA = "machine string, before int, during int"


def run_up(key, table):
    before = None
    during = None
    for second, um_s in zip(table["second"].to_pylist(), table["um_s"].to_pylist(), strict=True):
        if second is None or um_s is None:
            continue
        if T0 - LENGTH <= second < T0:
            before = um_s if before is None else max(before, um_s)
        elif T0 <= second < T0 + LENGTH:
            during = um_s if during is None else max(during, um_s)
    return pa.Table.from_pylist([{"machine": key[0].as_py(), "before": before, "during": during}], schema=WINDOWS)


# kind: split
# G: um_s > 1200 AND second >= 3300 AND second < 3900
# R: before IS NOT NULL AND during IS NOT NULL
# why: what is left in either window exceeds the bound.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter((F.col("before") > 1200) & (F.col("during") > 1200))

# kind: split
# G: (second >= 3300 AND second < 3600 AND um_s IS NOT NULL) OR (second >= 3600 AND second < 3900 AND um_s > 1200)
# R: during IS NOT NULL
# projection: yes
# why: the window before is shown as it is; of the other only what exceeds the bound can be its maximum.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter(F.col("during") > 1200)

# kind: partial
# G: second >= 3300 AND second < 3900 AND um_s IS NOT NULL
# why: the comparison of two maxima bounds neither, and needs both.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter(F.col("during") > F.col("before") * 2)

# kind: none empty-input-row
# why: machines without a run-up pass, and would be lost with their rows.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter(F.col("during").isNull())

# kind: split
# G: second >= 3300 AND second < 3900 AND um_s IS NOT NULL
# R: before IS NULL
# why: a machine that still has rows has one in a window; if not before, then during.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter(
    F.col("before").isNull() & F.col("during").isNotNull()
)

# kind: partial
# G: second >= 3300 AND second < 3900 AND um_s IS NOT NULL
# why: one of the two must be there, but the other is shown, too.
vibrations.groupBy("machine").applyInArrow(run_up, SCHEMA).filter((F.col("before") > 900) | (F.col("during") > 1200))
