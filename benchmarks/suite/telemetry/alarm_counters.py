"""Critical and major alarms of each device: two counters over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
alarms = spark.read.schema("device string, raised long, severity string").parquet("alarms")

COUNTS = pa.schema([("device", pa.string()), ("critical", pa.int64()), ("major", pa.int64())])
SCHEMA = "device string, critical long, major long"


def count_alarms(key, table):
    critical = 0
    major = 0
    for severity in table["severity"].to_pylist():
        if severity == "critical":
            critical += 1
        elif severity == "major":
            major += 1
    return pa.Table.from_pydict({"device": [key[0].as_py()], "critical": [critical], "major": [major]}, schema=COUNTS)


# kind: partial
# G: severity IN ('critical', 'major')
# why: only these are counted, and both counts are shown.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter(F.col("critical") >= 3)

# kind: exact
# G: severity IN ('critical', 'major')
# why: a device that still has a row has one that is counted.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter((F.col("critical") > 0) | (F.col("major") > 0))

# kind: partial
# G: severity IN ('critical', 'major')
# why: without either count the device fails, as it does where it is absent.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter(F.col("critical") > F.col("major"))

# kind: partial
# G: severity IN ('critical', 'major')
# why: a sum of counts.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter(F.col("critical") + F.col("major") >= 10)

# kind: partial
# G: severity IN ('critical', 'major')
# why: critical alarms break it, so they have to stay.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter((F.col("critical") == 0) & (F.col("major") > 5))

# kind: none empty-input-row
# why: a device without critical alarms passes, and would be lost if it has no major ones either.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter(F.col("critical") <= 2)

# kind: split
# G: device = 'edge-1' AND severity IN ('critical', 'major')
# R: critical >= 1
# why: the key moves as a whole; a device may have major alarms only.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter(
    (F.col("device") == "edge-1") & (F.col("critical") >= 1)
)

# kind: never
# why: a counter is never negative.
alarms.groupBy("device").applyInArrow(count_alarms, SCHEMA).filter((F.col("critical") > 0) & (F.col("major") < 0))
