"""First and last sighting of each device and the firmware of the last one: extremes over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
sightings = spark.read.schema("device string, seen long, firmware string").parquet("sightings").dropna(subset=["seen"])

LIFE = pa.schema(
    [("device", pa.string()), ("first_seen", pa.int64()), ("last_seen", pa.int64()), ("firmware", pa.string())]
)
SCHEMA = "device string, first_seen long, last_seen long, firmware string"


def lifecycle(key, table):
    first_seen = None
    last_seen = None
    firmware = None
    for row in table.to_pylist():
        if first_seen is None or row["seen"] < first_seen:
            first_seen = row["seen"]
        if last_seen is None or row["seen"] > last_seen:
            last_seen, firmware = row["seen"], row["firmware"]
    return pa.Table.from_pylist(
        [{"device": key[0].as_py(), "first_seen": first_seen, "last_seen": last_seen, "firmware": firmware}],
        schema=LIFE,
    )


# kind: none no-prefilter
# why: the first sighting is shown, however early it was.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(F.col("last_seen") >= 1700000000)

# kind: none no-prefilter
# why: a lower bound on a minimum: every earlier sighting breaks it.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(F.col("first_seen") >= 1700000000)

# kind: partial
# G: seen >= 1700000000 OR seen < 1600000000
# why: what lies between is neither the first nor the last sighting of a device that passes.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(
    (F.col("last_seen") >= 1700000000) & (F.col("first_seen") < 1600000000)
)

# kind: none no-prefilter
# why: a span of time has no bounds.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(F.col("last_seen") - F.col("first_seen") > 86400)

# kind: never
# why: no device is first seen after it was last seen.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(
    (F.col("last_seen") < 1600000000) & (F.col("first_seen") > 1700000000)
)

# kind: split
# G: device = 'gw-17' AND (seen >= 1700000000 OR seen < 1600000000)
# R: last_seen >= 1700000000 AND first_seen < 1600000000 AND firmware <> '2.1'
# why: the key moves as a whole.
sightings.groupBy("device").applyInArrow(lifecycle, SCHEMA).filter(
    (F.col("device") == "gw-17")
    & (F.col("last_seen") >= 1700000000)
    & (F.col("first_seen") < 1600000000)
    & (F.col("firmware") != "2.1")
)
