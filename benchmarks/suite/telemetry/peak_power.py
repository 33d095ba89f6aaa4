"""The reading of the highest power of each meter, with what else it says: ``max`` over the rows of an Arrow table."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
readings = (
    spark.read.schema("meter_id string, minute int, power_kw double, phase string, volts int")
    .parquet("readings")
    .dropna(subset=["power_kw"])
)
limit_kw = float(spark.conf.get("plant.limit_kw", "50"))

PEAK = pa.schema(
    [
        ("meter_id", pa.string()),
        ("minute", pa.int32()),
        ("power_kw", pa.float64()),
        ("phase", pa.string()),
        ("volts", pa.int32()),
    ]
)
SCHEMA = "meter_id string, minute int, power_kw double, phase string, volts int"


def peak_power(key, table):
    peak = max(table.to_pylist(), key=lambda reading: reading["power_kw"])
    return pa.Table.from_pylist(
        [
            {
                "meter_id": key[0].as_py(),
                "minute": peak["minute"],
                "power_kw": peak["power_kw"],
                "phase": peak["phase"],
                "volts": peak["volts"],
            }
        ],
        schema=PEAK,
    )


# kind: exact
# G: power_kw > 50
# why: the peak exceeds 50 exactly where some reading does, and is one of those.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(F.col("power_kw") > 50)

# kind: split
# G: power_kw > 50
# R: phase = 'L2'
# why: the phase is that of the reading that the power alone chooses.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(
    (F.col("power_kw") > 50) & (F.col("phase") == "L2")
)

# kind: none no-prefilter
# why: a reading on another phase may be the higher one.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(F.col("phase") == "L2")

# kind: split
# G: power_kw >= 30
# R: minute >= 1080 AND minute < 1320
# why: as with the phase.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(
    (F.col("power_kw") >= 30) & F.col("minute").between(1080, 1319)
)

# kind: none no-prefilter
# why: an upper bound on a maximum: every reading may break it.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(F.col("power_kw") <= 10)

# kind: none no-prefilter
# why: a low reading passes by its voltage, unless a higher one takes its place.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter((F.col("power_kw") > 50) | (F.col("volts") < 210))

# kind: exact
# G: power_kw > limit_kw
# why: as for 50, whatever the limit is.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(F.col("power_kw") > limit_kw)

# kind: split
# G: meter_id IN ('m-1', 'm-2') AND power_kw > 50
# R: volts IS NOT NULL
# why: the key moves as a whole.
readings.groupBy("meter_id").applyInArrow(peak_power, SCHEMA).filter(
    F.col("meter_id").isin("m-1", "m-2") & (F.col("power_kw") > 50) & F.col("volts").isNotNull()
)
