"""Ten figures of a host's log in one loop of an `applyInPandas` function: counters, extremes, flags and a last code."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
lines = spark.read.schema("host string, level string, code int, ms int, at bigint").parquet("lines").dropna()

SCHEMA = (
    "host string, errors long, warnings long, slow long, first_at long, last_at long, worst int, "
    "worst_code int, oom boolean, disk boolean, ms_total long"
)


def incident(key, pdf):
    errors = warnings = slow = ms_total = 0
    first_at = last_at = None
    worst = worst_code = None
    oom = disk = False
    for line in pdf.itertuples():
        if line.level == "DEBUG" or line.level == "INFO":
            continue
        if line.level == "ERROR":
            errors += 1
        elif line.level == "WARN":
            warnings += 1
        if line.ms > 1000:
            slow += 1
        if first_at is None or line.at < first_at:
            first_at = line.at
        if last_at is None or line.at > last_at:
            last_at = line.at
        if worst is None or line.ms > worst:
            worst, worst_code = line.ms, line.code
        if line.code == 137:
            oom = True
        if line.code == 28:
            disk = True
        ms_total += line.ms
    return pd.DataFrame(
        [
            {
                "host": key[0],
                "errors": errors,
                "warnings": warnings,
                "slow": slow,
                "first_at": first_at,
                "last_at": last_at,
                "worst": worst,
                "worst_code": worst_code,
                "oom": oom,
                "disk": disk,
                "ms_total": ms_total,
            }
        ]
    )


# kind: partial
# G: level NOT IN ('DEBUG', 'INFO')
# why: nothing is done for such lines, and errors are needed.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter(F.col("errors") > 0)

# kind: partial
# G: level NOT IN ('DEBUG', 'INFO')
# why: a flag is set by a line that counts.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter(F.col("oom") | F.col("disk"))

# kind: exact
# G: level NOT IN ('DEBUG', 'INFO')
# why: the first time is there as soon as one line counts.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter(F.col("first_at").isNotNull())

# kind: none empty-input-row
# why: a quiet host passes.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter((F.col("errors") == 0) & ~F.col("oom"))

# kind: partial
# G: level NOT IN ('DEBUG', 'INFO')
# why: differences and bounds of figures that are NULL or 0 without a line that counts.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter(
    (F.col("last_at") - F.col("first_at") > 3600) & (F.col("worst") > 5000)
)

# kind: none empty-input-row
# why: a total of 0 is that of a quiet host.
lines.groupBy("host").applyInPandas(incident, SCHEMA).filter(F.col("ms_total") < 100)
