"""Readings above each patient's baseline, with ``applyInPandas``: the first baseline that is seen counts.

A reading counts only against a baseline that is already there, so the two slots read each other.
"""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
chart = spark.read.schema("patient string, kind string, value int").parquet("baseline_chart").dropna()

SCHEMA = "patient string, baseline long, above long, worst long"


def against_baseline(key, pdf):
    baseline = None
    above = 0
    worst = None
    for kind, value in zip(pdf["kind"], pdf["value"]):  # noqa: B905
        if kind == "baseline":
            if baseline is None:
                baseline = value
        elif kind == "reading" and baseline is not None and value > baseline:
            above += 1
            if worst is None or value > worst:
                worst = value
    return pd.DataFrame([{"patient": key[0], "baseline": baseline, "above": above, "worst": worst}])


# kind: partial
# G: kind = 'baseline' OR (kind = 'reading' AND value >= 70)
# projection: yes
# why: where the baseline is at least 70, a reading below 70 is never above it; every baseline must stay, for an earlier
#      one that is too low keeps the patient out.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    (F.col("baseline") >= 70) & (F.col("above") >= 2)
)

# kind: partial
# G: kind = 'baseline' OR (kind = 'reading' AND value >= 70)
# projection: yes
# why: readings between the baseline and 120 are counted in an output, so they stay.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    (F.col("baseline") >= 70) & (F.col("worst") > 120)
)

# kind: partial
# G: kind = 'baseline' OR (kind = 'reading' AND value >= 70)
# projection: yes
# why: a reading above the baseline forbids it, and it is at least 70; readings below that are of no account.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    F.col("baseline").between(70, 90) & (F.col("above") == 0)
)

# kind: partial
# G: patient = 'p-7' AND (kind = 'baseline' OR (kind = 'reading' AND value >= 70))
# projection: yes
# why: the key decides for whole patients, the rest as above.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    (F.col("patient") == "p-7") & (F.col("baseline") >= 70) & (F.col("above") >= 2)
)

# kind: partial
# G: kind = 'baseline' OR (kind = 'reading' AND value >= 70)
# projection: yes
# why: a disjunction over the readings changes nothing about what they must be above.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    (F.col("baseline") >= 70) & ((F.col("above") >= 5) | (F.col("worst") > 140))
)

# kind: partial
# G: kind = 'baseline' OR kind = 'reading'
# why: with any baseline, any reading may be above it; other rows change nothing.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(F.col("above") >= 2)

# kind: partial
# G: kind = 'baseline' OR kind = 'reading'
# why: with a baseline below 70 a reading of any value may be above it, and is counted in an output.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(F.col("baseline") < 70)

# kind: never
# why: the worst reading is above the baseline.
chart.groupBy("patient").applyInPandas(against_baseline, SCHEMA).filter(
    (F.col("baseline") >= 120) & (F.col("worst") <= 100)
)
