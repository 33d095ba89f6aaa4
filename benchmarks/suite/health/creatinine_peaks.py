"""The two highest creatinine values of each stay: two slots of which the one reads the other, over an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
labs = spark.read.schema("stay_id int, minute long, creatinine double").parquet("labs")

PEAKS = pa.schema([("stay_id", pa.int32()), ("highest", pa.float64()), ("second", pa.float64())])
SCHEMA = "stay_id int, highest double, second double"


def creatinine_peaks(key, table):
    highest, second = None, None
    for value in table.column("creatinine").to_pylist():
        if value is None or value != value:
            continue
        if highest is None or value > highest:
            highest, second = value, highest
        elif second is None or value > second:
            second = value
    return pa.Table.from_pylist([{"stay_id": key[0].as_py(), "highest": highest, "second": second}], schema=PEAKS)


# kind: split
# G: creatinine >= 3
# R: highest >= 4 AND second IS NOT NULL
# why: values below 3 are in neither slot where both bounds hold; of the rest, the second slot tells whether there
#      were two.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter((F.col("highest") >= 4) & (F.col("second") >= 3))

# kind: split
# G: creatinine >= 3
# R: second IS NOT NULL
# why: the highest is at least the second.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter(F.col("second") >= 3)

# kind: none no-prefilter
# why: the second is shown whatever it is.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter(F.col("highest") >= 4)

# kind: none no-prefilter
# why: the distance of the two bounds neither.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter(F.col("highest") - F.col("second") > 1.0)

# kind: never
# why: the highest is never below the second.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter((F.col("second") > 5) & (F.col("highest") < 4))

# kind: none empty-input-row no-prefilter
# why: stays with no value at all have no second, and would be lost with their last row.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter(F.col("second").isNull())

# kind: split
# G: creatinine >= 4
# R: second IS NOT NULL
# why: not (a or b) is both bounds.
labs.groupBy("stay_id").applyInArrow(creatinine_peaks, SCHEMA).filter(~((F.col("highest") < 4) | (F.col("second") < 4)))
