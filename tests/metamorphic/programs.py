"""Programs with a place for every rewrite: each is small, runs on the small Spark, and has a finding."""

from __future__ import annotations

from .registry import printed
from .units import Unit

SCHEMA = "host string, at bigint, level bigint, note string"
_HEAD = """
import math
import pandas as pd
from operator import add
from pyspark.sql import functions as F
from pyspark.sql.functions import udf, udtf
events = spark.table("events").dropna()
"""
_GROUPS = """
result = events.groupBy("host").applyInPandas({name}, "host string, found bigint").filter({condition})
"""
_OF_GROUPS = {
    "bounds": ("F.col('found') >= 1", """
def bounds(key, pdf):
    n = 0
    for r in pdf.itertuples():
        if r.note in ("warm", "hot"):
            if 10 <= r.level and r.level < 20:
                n = n + 1
    return pd.DataFrame({"host": [key[0]], "found": [n]})
"""),
    "peak": ("F.col('found').between(15, 30)", """
def peak(key, pdf):
    best = 0
    for level in pdf["level"]:
        if level > best:
            best = level
    return pd.DataFrame({"host": [key[0]], "found": [best]})
"""),
    "largest": ("(F.col('found') > 15) & F.col('host').isNotNull()", """
def larger(a, b):
    return max(a, b)

def largest(key, pdf):
    best = 0
    for _, r in pdf.iterrows():
        best = max(best, r["level"])
    return pd.DataFrame({"host": [key[0]], "found": [best]})
"""),
    "seen": ("F.col('found') == 1", """
def seen(key, pdf):
    hot = False
    for r in pdf.to_dict("records"):
        if r["level"] > 15:
            if r["note"] == "hot" or r["note"] == "warm":
                hot = True
    return pd.DataFrame({"host": [key[0]], "found": [1 if hot else 0]})
"""),
    "sought": ("F.col('found') == 1", """
def sought(key, pdf):
    hot = False
    for level in pdf["level"]:
        if level == 15:
            hot = True
    found = 1 if hot else 0
    return pd.DataFrame({"host": [key[0]], "found": [found]})
"""),
    "listed": ("F.col('found') >= 2", """
def listed(key, pdf):
    levels = []
    for level, note in zip(pdf["level"], pdf["note"]):
        if note == "hot":
            levels.append(level)
    return pd.DataFrame({"host": [key[0]], "found": [len(levels)]})
"""),
    "comprehended": ("F.col('found') >= 2", """
def comprehended(key, pdf):
    levels = [r.level for r in pdf.itertuples() if r.note == "hot"]
    n = sum(1 for level in levels if level > 10)
    return pd.DataFrame({"host": [key[0]], "found": [n]})
"""),
    "generated": ("F.col('found') > 0", """
def generated(key, pdf):
    n = sum([1 for level in pdf["level"] if level > 15])
    return pd.DataFrame({"host": [key[0]], "found": [n]})
"""),
    "counted": ("F.col('found') > 1", """
def counted(key, pdf):
    n, m = 0, 0
    for r in pdf.itertuples(index=False):
        level = r.level
        if not 10 < level <= 15:
            continue
        n += 1
    return pd.DataFrame({"host": [key[0]], "found": [n]})
"""),
    "branching": ("F.col('found') >= 2", """
def branching(key, pdf):
    hot = 0
    cold = 0
    for r in pdf.itertuples():
        if r.note == "hot":
            hot += 1
        elif r.note == "cold":
            cold += 1
    made = min(hot, cold)
    return pd.DataFrame({"host": [key[0]], "found": [made]})
"""),
    "truths": ("F.col('found') > 0", """
def truths(key, pdf):
    n = 0
    for level in pdf["level"]:
        if level == 15:
            n += 1
    return pd.DataFrame({"host": [key[0]], "found": [n]})
"""),
}  # fmt: skip
_OTHERS = {
    "banded": """
@udf("string")
def band(level):
    if level > 20:
        return "high"
    elif level > 10:
        return "middle"
    else:
        return "low"

result = events.withColumn("band", band("level")).filter(F.col("band").isin("high", "middle"))
""",
    "graded": """
@udf("string")
def grade(level):
    high = level > 20
    if high:
        return "high"
    return "middle" if level > 10 else "low"

result = events.withColumn("grade", grade("level")).filter(F.col("grade") == "high")
""",
    "native": """
result = events.groupBy(F.col("host")).agg(F.max(F.col("level")).alias("peak")).filter(
    (F.col("peak") > 15) & (F.col("host") != "a")
)
""",
    "summed": """
pairs = events.rdd.map(lambda r: (r["host"], 1 if r["level"] > 15 else 0))
result = pairs.reduceByKey(add).filter(lambda kv: kv[1] > 1)
""",
    "keyed": """
def larger(a, b):
    return max(a, b)

result = events.rdd.map(lambda r: (r.host, r.level)).reduceByKey(larger).filter(lambda kv: kv[1] > 15)
""",
    "named": """
@udf("boolean")
def named(host, note):
    return True if note == "hot" and host != "a" else False

result = events.withColumn("named", named("host", "note")).filter(F.col("named"))
""",
    "handled": """
@udtf(returnType="host string, peak bigint")
class Handler:
    def __init__(self):
        self.host = None
        self.peak = 0

    def eval(self, row):
        self.host = row["host"]
        if row["level"] > self.peak:
            self.peak = row["level"]

    def terminate(self):
        yield self.host, self.peak

result = Handler(events.asTable().partitionBy("host")).filter(F.col("peak") > 15)
""",
}


def programs() -> list[Unit]:
    """All of them."""
    schemas = (("events", SCHEMA),)
    made = [
        Unit(name, printed(_HEAD + text + _GROUPS.format(name=name, condition=condition)), schemas)
        for name, (condition, text) in _OF_GROUPS.items()
    ]
    return [*made, *(Unit(name, printed(_HEAD + text), schemas) for name, text in _OTHERS.items())]
