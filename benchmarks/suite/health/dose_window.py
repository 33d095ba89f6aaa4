"""Doses given in the hours after surgery, per stay: a window of constants over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
given = spark.read.schema("stay_id string, minute int, dose_mg double").parquet("administrations")

SURGERY = 480
RECOVERY = 240
DOSES = pa.schema(
    [
        pa.field("stay_id", pa.string()),
        pa.field("doses", pa.int64()),
        pa.field("total_mg", pa.float64()),
        pa.field("strongest_mg", pa.float64()),
    ]
)
SCHEMA = "stay_id string, doses long, total_mg double, strongest_mg double"


def recovery_doses(key, table):
    doses = 0
    total_mg = 0.0
    strongest_mg = None
    for row in table.to_pylist():
        minute, dose = row["minute"], row["dose_mg"]
        if minute is None or dose is None:
            continue
        if SURGERY <= minute < SURGERY + RECOVERY:
            doses += 1
            total_mg += dose
            if strongest_mg is None or dose > strongest_mg:
                strongest_mg = dose
    return pa.table(
        {"stay_id": [key[0].as_py()], "doses": [doses], "total_mg": [total_mg], "strongest_mg": [strongest_mg]},
        schema=DOSES,
    )


# kind: partial
# G: minute >= 480 AND minute < 720 AND dose_mg IS NOT NULL
# why: only doses in the window are counted; how many there are is not a matter of single rows.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("doses") >= 3)

# kind: exact
# G: minute >= 480 AND minute < 720 AND dose_mg IS NOT NULL
# why: a stay that still has a row had a dose in the window.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("doses") > 0)

# kind: partial
# G: minute >= 480 AND minute < 720 AND dose_mg IS NOT NULL
# why: number and sum of the doses are shown, so the weak ones count, too.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("strongest_mg") > 50)

# kind: none empty-input-row
# why: a stay without doses in the window passes, and would be lost with its rows.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("doses") == 0)

# kind: exact
# G: minute >= 480 AND minute < 720 AND dose_mg IS NOT NULL
# why: there is a strongest dose where there is one at all.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("strongest_mg").isNotNull())

# kind: none empty-input-row
# why: a sum of nothing is below 10.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(F.col("total_mg") < 10)

# kind: partial
# G: minute >= 480 AND minute < 720 AND dose_mg IS NOT NULL
# why: a sum of nothing fails as the stay's absence does.
given.groupBy("stay_id").applyInArrow(recovery_doses, SCHEMA).filter(
    (F.col("total_mg") > 500) & (F.col("strongest_mg") < 100)
)
