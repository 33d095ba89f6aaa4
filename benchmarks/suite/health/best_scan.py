"""The scan of the best quality of each patient, all nine columns of it: the row itself is kept and returned."""

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
scans = spark.read.schema(
    "patient_id string, scan_id long, minute long, quality double, slices int, dose_mgy double, contrast boolean,"
    " body_part string, reader string"
).parquet("scans")

SCAN = pa.schema(
    {
        "patient_id": pa.string(),
        "scan_id": pa.int64(),
        "minute": pa.int64(),
        "quality": pa.float64(),
        "slices": pa.int32(),
        "dose_mgy": pa.float64(),
        "contrast": pa.bool_(),
        "body_part": pa.string(),
        "reader": pa.string(),
    }
)
SCHEMA = (
    "patient_id string, scan_id long, minute long, quality double, slices int, dose_mgy double, contrast boolean,"
    " body_part string, reader string"
)


def best_scan(table):
    best = None
    for row in table.to_pylist():
        quality = row["quality"]
        if quality is None or quality != quality:
            continue
        if best is None or quality > best["quality"]:
            best = row
    if best is None:
        return SCAN.empty_table()
    return pa.Table.from_pylist([best], schema=SCAN)


# kind: exact
# G: quality >= 0.9D
# why: the best scan reaches 0.9 exactly where some scan does, and is one of those.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(F.col("quality") >= 0.9)

# kind: split
# G: quality >= 0.9D
# R: contrast
# why: the other columns are those of the scan that the quality alone chooses.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter((F.col("quality") >= 0.9) & F.col("contrast"))

# kind: none no-prefilter
# why: a scan without contrast may be the better one.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(F.col("contrast"))

# kind: split
# G: quality > 0.5D
# R: slices < 200 OR body_part = 'head'
# why: as with contrast, with a disjunction over two carried columns.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(
    (F.col("quality") > 0.5) & ((F.col("slices") < 200) | (F.col("body_part") == "head"))
)

# kind: none no-prefilter
# why: an upper bound on a maximum: every better scan breaks it.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(F.col("quality") < 0.3)

# kind: none no-prefilter
# why: a scan of any quality passes by its body part, unless a better one takes its place.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(
    (F.col("body_part") == "chest") | (F.col("quality") >= 0.95)
)

# kind: exact
# G: patient_id = 'P-7'
# why: the scan that is kept is one of the group's, and these share the key.
scans.groupBy("patient_id").applyInArrow(best_scan, SCHEMA).filter(F.col("patient_id") == "P-7")
