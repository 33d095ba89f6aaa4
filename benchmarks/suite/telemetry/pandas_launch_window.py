"""What each engine did in the two hours around a launch: a window of constants inside an `applyInPandas` function."""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
samples = spark.read.schema("engine string, at bigint, thrust double, fault boolean").parquet("samples").dropna()

LAUNCH = 1709294400
HOUR = 3600
SCHEMA = "engine string, n long, strongest double, faults long"


def around_launch(key, pdf):
    n = 0
    strongest = None
    faults = 0
    for s in pdf.itertuples():
        if LAUNCH - HOUR < s.at < LAUNCH + HOUR:
            n += 1
            if s.fault:
                faults += 1
            if strongest is None or s.thrust > strongest:
                strongest = s.thrust
    return pd.DataFrame([{"engine": key[0], "n": n, "strongest": strongest, "faults": faults}])


# kind: partial
# G: at > 1709290800 AND at < 1709298000
# why: samples outside the window change nothing, and some inside are needed.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter(F.col("n") >= 100)

# kind: partial
# G: at > 1709290800 AND at < 1709298000
# why: weaker samples of the window count in n.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter(F.col("strongest") > 900)

# kind: exact
# G: at > 1709290800 AND at < 1709298000
# why: the strongest is there as soon as the window has a sample.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter(F.col("strongest").isNotNull())

# kind: none empty-input-row
# why: an engine without a sample in the window passes.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter(F.col("faults") == 0)

# kind: none empty-input-row
# why: an engine without a sample in the window passes.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter((F.col("n") < 10) | (F.col("faults") > 3))

# kind: partial
# G: at > 1709290800 AND at < 1709298000
# why: both conditions fail without a sample in the window.
samples.groupBy("engine").applyInPandas(around_launch, SCHEMA).filter("faults > 0 AND strongest < 100")
