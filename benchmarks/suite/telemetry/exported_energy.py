"""Energy that a meter has fed into the grid: conditional sum and count over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
intervals = spark.read.schema("meter_id long, minute long, direction string, wh int").parquet("intervals")

SCHEMA = "meter_id long, exported_wh long, intervals long"


def exported_energy(key, table):
    exported_wh = 0
    n = 0
    for row in table.to_pylist():
        if row["direction"] == "export" and row["wh"] is not None:
            exported_wh += row["wh"]
            n += 1
    return pa.table({"meter_id": [key[0]], "exported_wh": [exported_wh], "intervals": [n]})


# kind: partial
# G: direction = 'export' AND wh IS NOT NULL
# why: only these are added up.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(F.col("exported_wh") > 10000)

# kind: exact
# G: direction = 'export' AND wh IS NOT NULL
# why: a meter that still has a row has one that is counted.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(F.col("intervals") >= 1)

# kind: partial
# G: direction = 'export' AND wh IS NOT NULL
# why: how many there are is not a matter of single rows.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(F.col("intervals") >= 96)

# kind: none empty-input-row
# why: a meter that has exported nothing passes, and would be lost.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(F.col("exported_wh") == 0)

# kind: partial
# G: direction = 'export' AND wh IS NOT NULL
# why: 0 > 0 fails, as an absent meter does.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(
    F.col("exported_wh") > F.col("intervals") * 500
)

# kind: partial
# G: direction = 'export' AND wh IS NOT NULL
# why: either way something must have been exported.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(
    (F.col("exported_wh") < 0) | (F.col("intervals") > 10)
)

# kind: none empty-input-row
# why: a meter without exports has fewer than five of them.
intervals.groupBy("meter_id").applyInArrow(exported_energy, SCHEMA).filter(F.col("intervals") < 5)
