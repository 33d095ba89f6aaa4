"""The latest troponin of each stay, by the minute that it was charted: an Arrow table's rows, one batch after another.

Samples that were lost have no value or NaN and are passed over.
"""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
labs = spark.read.schema("stay_id long, charted_min long, troponin double").parquet("labs")

LATEST = pa.schema([("stay_id", pa.int64()), ("last_min", pa.int64()), ("last_value", pa.float64())])
SCHEMA = "stay_id long, last_min long, last_value double"


def latest_troponin(key: tuple, table: pa.Table) -> pa.Table:
    (stay_id,) = key
    last_min = None
    last_value = None
    for batch in table.to_batches():
        for row in batch.to_pylist():
            minute = row.get("charted_min")
            value = row.get("troponin")
            if minute is None or value is None or value != value:
                continue
            if last_min is None or minute > last_min:
                last_min = minute
                last_value = value
    return pa.Table.from_pylist(
        [{"stay_id": stay_id.as_py(), "last_min": last_min, "last_value": last_value}], schema=LATEST
    )


# kind: exact
# G: charted_min >= 1440 AND troponin IS NOT NULL AND NOT isnan(troponin)
# why: the latest sample is at 1440 or later exactly where such a sample with a value exists, and it is one of them.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(F.col("last_min") >= 1440)

# kind: none no-prefilter
# why: any later sample may bring another value.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(F.col("last_value") > 0.4)

# kind: split
# G: charted_min >= 1440 AND troponin IS NOT NULL AND NOT isnan(troponin)
# R: last_value > 0.4D
# why: the time decides which samples can be the latest; its value is a matter of that one sample.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(
    (F.col("last_min") >= 1440) & (F.col("last_value") > 0.4)
)

# kind: none no-prefilter
# why: an upper bound on a maximum: every sample may break it.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(F.col("last_min") < 60)

# kind: none empty-input-row no-prefilter
# why: stays without any value pass, and would be lost with their last row.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(F.col("last_value").isNull())

# kind: partial
# G: charted_min >= 1440 AND troponin IS NOT NULL AND NOT isnan(troponin)
# why: the condition is TRUE only for a late sample with a high value.
labs.groupBy("stay_id").applyInArrow(latest_troponin, SCHEMA).filter(
    F.when(F.col("last_value") > 0.4, F.col("last_min")).otherwise(F.lit(0)) >= 1440
)
