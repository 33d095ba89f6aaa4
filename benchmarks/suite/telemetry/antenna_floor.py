"""The weakest signal of each site on three antennas: element-wise minimum over an Arrow table's rows."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
signals = spark.read.schema("site int, second long, rssi_0 int, rssi_1 int, rssi_2 int").parquet("signals")

FLOORS = pa.schema([("site", pa.int32()), ("floor_0", pa.int32()), ("floor_1", pa.int32()), ("floor_2", pa.int32())])
SCHEMA = "site int, floor_0 int, floor_1 int, floor_2 int"


def weaker(floor, rssi):
    if rssi is None:
        return floor
    if floor is None or rssi < floor:
        return rssi
    return floor


def antenna_floor(key, table):
    floor_0 = floor_1 = floor_2 = None
    for row in table.to_pylist():
        floor_0 = weaker(floor_0, row["rssi_0"])
        floor_1 = weaker(floor_1, row["rssi_1"])
        floor_2 = weaker(floor_2, row["rssi_2"])
    return pa.Table.from_pylist(
        [{"site": key[0].as_py(), "floor_0": floor_0, "floor_1": floor_1, "floor_2": floor_2}], schema=FLOORS
    )


# kind: partial
# G: rssi_0 < -100 OR rssi_1 < -100 OR rssi_2 < -100
# why: a floor below -100 is made by a row below -100; a row that is kept for one antenna may be strong on another.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(
    (F.col("floor_0") < -100) & (F.col("floor_1") < -100) & (F.col("floor_2") < -100)
)

# kind: none no-prefilter
# why: the floors of the other antennas are shown whatever they are.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(F.col("floor_0") < -100)

# kind: partial
# G: rssi_0 IS NOT NULL OR rssi_1 < -110 OR rssi_2 < -110
# projection: yes
# why: sites whose first antenna is dead: each signal of it breaks that, and must stay.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(
    F.col("floor_0").isNull() & (F.col("floor_1") < -110) & (F.col("floor_2") < -110)
)

# kind: none no-prefilter
# why: a lower bound on a minimum: every signal may break it.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(F.col("floor_1") > -70)

# kind: partial
# G: rssi_0 <= -100 OR rssi_1 <= -90 OR rssi_2 <= -80
# why: the bounds differ from antenna to antenna.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(
    (F.col("floor_0") <= -100) & (F.col("floor_1") <= -90) & (F.col("floor_2") <= -80)
)

# kind: none no-prefilter
# why: one floor below another bounds neither.
signals.groupBy("site").applyInArrow(antenna_floor, SCHEMA).filter(F.col("floor_0") < F.col("floor_1"))
