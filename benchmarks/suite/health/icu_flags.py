"""Whether a stay ever had fever, a fast heart, a low pressure: three flags over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
chart = spark.read.schema("stay_id string, temp_c double, heart_rate int, map_mmhg int").parquet("chart")

FLAGS = pa.schema([("stay_id", pa.string()), ("fever", pa.bool_()), ("tachy", pa.bool_()), ("hypo", pa.bool_())])
SCHEMA = "stay_id string, fever boolean, tachy boolean, hypo boolean"


def icu_flags(key, table):
    fever = tachy = hypo = False
    for row in table.to_pylist():
        if row["temp_c"] is not None and row["temp_c"] >= 38.5:
            fever = True
        if row["heart_rate"] is not None and row["heart_rate"] >= 110:
            tachy = True
        if row["map_mmhg"] is not None and row["map_mmhg"] < 65:
            hypo = True
    return pa.Table.from_pylist(
        [{"stay_id": key[0].as_py(), "fever": fever, "tachy": tachy, "hypo": hypo}], schema=FLAGS
    )


# kind: partial
# G: (temp_c >= 38.5D AND NOT isnan(temp_c)) OR heart_rate >= 110 OR map_mmhg < 65
# why: only a row that sets a flag matters; which flags are set is not told by any one of them.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(F.col("fever") & F.col("tachy") & F.col("hypo"))

# kind: partial
# G: (temp_c >= 38.5D AND NOT isnan(temp_c)) OR heart_rate >= 110 OR map_mmhg < 65
# why: the other flags are shown, so the rows that set them stay.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(F.col("fever"))

# kind: none empty-input-row
# why: a stay without fever passes, and would be lost if no row of it sets a flag.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(~F.col("fever"))

# kind: exact
# G: (temp_c >= 38.5D AND NOT isnan(temp_c)) OR heart_rate >= 110 OR map_mmhg < 65
# why: a stay that still has a row has a row that sets a flag.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(F.col("fever") | F.col("tachy") | F.col("hypo"))

# kind: partial
# G: (temp_c >= 38.5D AND NOT isnan(temp_c)) OR heart_rate >= 110 OR map_mmhg < 65
# why: the rows that set the flag that must not be set have to stay as well.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(F.col("fever") & ~F.col("hypo"))

# kind: partial
# G: (temp_c >= 38.5D AND NOT isnan(temp_c)) OR heart_rate >= 110 OR map_mmhg < 65
# why: two flags that are not set are equal, so a stay without any fails.
chart.groupBy("stay_id").applyInArrow(icu_flags, SCHEMA).filter(F.col("fever") != F.col("tachy"))
