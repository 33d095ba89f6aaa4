"""Vectorised pandas reductions over a masked column, and the slowest requests of a route as a heap."""

import heapq

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
requests = spark.read.schema("route string, status int, ms int, cached boolean").parquet("requests").dropna()

SCHEMA = "route string, failures long, slowest int"
HEAP_SCHEMA = "route string, third int, slowest int"


def failures(key, pdf):
    failed = pdf[pdf["status"] >= 500]
    return pd.DataFrame([{"route": key[0], "failures": len(failed), "slowest": failed["ms"].max()}])


def slow_three(key, pdf):
    heap = []
    for request in pdf.itertuples():
        heapq.heappush(heap, request.ms)
        if len(heap) > 3:
            heapq.heappop(heap)
    return pd.DataFrame([{"route": key[0], "third": heap[0] if len(heap) == 3 else None, "slowest": max(heap)}])


# kind: partial
# G: status >= 500
# why: only failures are counted and looked at.
requests.groupBy("route").applyInPandas(failures, SCHEMA).filter(F.col("failures") > 20)

# kind: partial
# G: status >= 500
# why: the fast failures count.
requests.groupBy("route").applyInPandas(failures, SCHEMA).filter(F.col("slowest") > 2000)

# kind: none empty-input-row
# why: a route without a failure passes.
requests.groupBy("route").applyInPandas(failures, SCHEMA).filter(F.col("failures") == 0)

# kind: split
# G: ms >= 800
# R: third IS NOT NULL
# why: three requests of 800 ms decide it; the third tells whether there were three.
requests.groupBy("route").applyInPandas(slow_three, HEAP_SCHEMA).filter(F.col("third") >= 800)

# kind: none no-prefilter
# why: the third is shown too, however fast it was.
requests.groupBy("route").applyInPandas(slow_three, HEAP_SCHEMA).filter(F.col("slowest") >= 5000)

# kind: none no-prefilter
# why: an upper bound on a maximum.
requests.groupBy("route").applyInPandas(slow_three, HEAP_SCHEMA).filter(F.col("slowest") < 50)
