"""Points for high lactate, with a cap, per visit: a counter that reads itself, over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
samples = spark.read.schema("visit long, minute int, lactate double").parquet("samples").dropna(subset=["lactate"])

CAP = 10
POINTS = pa.schema([("visit", pa.int64()), ("points", pa.int32()), ("severe", pa.int64())])
SCHEMA = "visit long, points int, severe long"


def triage_points(key, table):
    points = 0
    severe = 0
    for row in table.to_pylist():
        lactate = row["lactate"]
        if lactate >= 4.0:
            points = min(points + 3, CAP)
            severe += 1
        elif lactate >= 2.0:
            points = min(points + 1, CAP)
    return pa.table({"visit": [key[0].as_py()], "points": [points], "severe": [severe]}, schema=POINTS)


# kind: partial
# G: lactate >= 2
# why: lower values give no points; how many others there are is not a matter of single rows.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("points") >= 5)

# kind: exact
# G: lactate >= 2
# why: a visit that still has a row has one that gives points.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("points") > 0)

# kind: partial
# G: lactate >= 2
# why: the cap is reached by rows that give points alone.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("points") == 10)

# kind: none empty-input-row
# why: visits without points pass, and would be lost with their rows.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("points") < 3)

# kind: partial
# G: lactate >= 2
# why: severe rows decide, but the points of the others are shown.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("severe") >= 1)

# kind: never
# why: nothing exceeds the cap.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(F.col("points") > 10)

# kind: partial
# G: lactate >= 2
# why: 0 and 0 fail both, as an absent visit does.
samples.groupBy("visit").applyInArrow(triage_points, SCHEMA).filter(
    (F.col("severe") >= 2) | F.col("points").between(4, 9)
)
