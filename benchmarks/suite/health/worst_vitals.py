"""The worst oxygen saturation and heart rate of each patient: a loop over the rows of an Arrow table.

Two extremes in opposite directions, each with gaps: monitors send one of the two, or neither.
"""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
vitals = spark.read.schema("patient_id string, minute long, spo2 int, heart_rate int").parquet("vitals")

WORST = pa.schema([("patient_id", pa.string()), ("min_spo2", pa.int32()), ("max_hr", pa.int32())])
SCHEMA = "patient_id string, min_spo2 int, max_hr int"


def worst_vitals(key, table):
    min_spo2 = None
    max_hr = None
    for row in table.to_pylist():
        spo2 = row["spo2"]
        if spo2 is not None and (min_spo2 is None or spo2 < min_spo2):
            min_spo2 = spo2
        heart_rate = row["heart_rate"]
        if heart_rate is not None and (max_hr is None or heart_rate > max_hr):
            max_hr = heart_rate
    worst = {"patient_id": key[0].as_py(), "min_spo2": min_spo2, "max_hr": max_hr}
    return pa.Table.from_pylist([worst], schema=WORST)


# kind: partial
# G: spo2 < 90 OR heart_rate > 120
# why: only a low saturation can be the minimum below 90, only a fast rate the maximum above 120; a row that is kept for
#      the one may bring a harmless value of the other, so both tests stay.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(
    (F.col("min_spo2") < 90) & (F.col("max_hr") > 120)
)

# kind: none no-prefilter
# why: who passes by one of the two is shown with the other, whatever it is.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(
    (F.col("min_spo2") < 85) | (F.col("max_hr") > 140)
)

# kind: none no-prefilter
# why: a lower bound on a minimum: every row may break it.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(F.col("min_spo2") >= 95)

# kind: split
# G: patient_id = 'P-100' AND (spo2 < 90 OR heart_rate > 120)
# R: min_spo2 < 90 AND max_hr > 120
# why: the test of the key moves as a whole, the others as before.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(
    (F.col("patient_id") == "P-100") & (F.col("min_spo2") < 90) & (F.col("max_hr") > 120)
)

# kind: none no-prefilter
# why: the difference of two extremes says nothing of one row.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(F.col("max_hr") - F.col("min_spo2") > 60)

# kind: partial
# G: spo2 IS NOT NULL OR heart_rate > 150
# projection: yes
# why: patients without any saturation: every row that has one breaks it and must stay, and so must the fast rates.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(
    F.col("min_spo2").isNull() & (F.col("max_hr") > 150)
)

# kind: never
# why: no minimum is both below 80 and above 85.
vitals.groupBy("patient_id").applyInArrow(worst_vitals, SCHEMA).filter(
    (F.col("min_spo2") < 80) & (F.col("min_spo2") > 85)
)
