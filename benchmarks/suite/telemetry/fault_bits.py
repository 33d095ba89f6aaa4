"""The faults that a device has ever shown, as a bit mask: flags over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
health = spark.read.schema("device string, second long, celsius int, millivolts int, opened boolean").parquet("health")

OVERHEAT = 1
BROWNOUT = 2
TAMPER = 4
FAULTS = pa.schema([("device", pa.string()), ("faults", pa.int32())])
SCHEMA = "device string, faults int"


def fault_bits(key, table):
    faults = 0
    for row in table.to_pylist():
        if row["celsius"] is not None and row["celsius"] > 85:
            faults |= OVERHEAT
        if row["millivolts"] is not None and row["millivolts"] < 3000:
            faults |= BROWNOUT
        if row["opened"]:
            faults |= TAMPER
    return pa.Table.from_pylist([{"device": key[0].as_py(), "faults": faults}], schema=FAULTS)


# kind: exact
# G: celsius > 85 OR millivolts < 3000 OR opened
# why: a device that still has a row has one that sets a bit.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") > 0)

# kind: partial
# G: celsius > 85 OR millivolts < 3000 OR opened
# why: all three bits; which of them are set is not told by any one row.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") == 7)

# kind: none empty-input-row
# why: a device without faults passes, and would be lost with its rows.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") == 0)

# kind: partial
# G: celsius > 85 OR millivolts < 3000 OR opened
# why: the third bit decides, but the other two are shown.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") >= 4)

# kind: partial
# G: celsius > 85 OR millivolts < 3000 OR opened
# why: no bit but the lower two: the rows that set the third must stay to break it.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults").isin(1, 3))

# kind: none empty-input-row
# why: no bit at all is not 2.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") != 2)

# kind: never
# why: three bits make no 8.
health.groupBy("device").applyInArrow(fault_bits, SCHEMA).filter(F.col("faults") >= 8)
