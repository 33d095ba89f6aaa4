"""Findings of many kinds in surroundings that an edit tells more of, or less: no edit is another one than was proved.

An edit shows things that the text before it did not: that a parameter is a frame, or what type its columns have. Or it
hides some: an array that is filtered is made by another function. The text after it is read anew, so that either shows.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_text

IMPORTS = "from pyspark.sql import functions as F, Window"
CHAINS = (
    "", ".limit(3)", ".limit(3).distinct()", ".cache().limit(3)", ".distinct()", '.alias("x")', ".cache()",
    ".repartition(3)", ".union(u)", ".sample(0.5)", ".fillna(0)", ".na.drop()", '.toDF("a", "b")', '.where("b > 1")',
    '.drop("z")', '.join(u, "k")', ".transform(g)", '.withColumn("z", F.explode(F.array(v, "a")))',
)  # fmt: skip
"""What stands between a variable and what is asked of it."""
CONSUMERS = {
    "loop": """for row in FRAME.collect():
    if row["a"] == 1:
        out.append(row.b)""",
    "iterator": """for row in FRAME.toLocalIterator():
    if row["a"] == 1:
        out.append(row)""",
    "mask": """p = FRAME.toPandas()
p = p[p["a"] == 1]
out.append(p["b"].tolist())""",
    "count": "out.append(FRAME.count() == 0)",
    "empty": "out.append(FRAME.rdd.isEmpty())",
    "first": "out.append(FRAME.collect()[0])",
    "column": 'out.append([row["a"] for row in FRAME.collect()])',
    "jobs": """x = FRAME
out.append(x.count())
out.append(x.filter(F.col("a") > 1).count())""",
    "jobs in text": """x = FRAME
out.append(x.count())
out.append(x.filter("a > 1").count())""",
    "function": """big = F.udf(lambda a: a > 3, "boolean")
found = FRAME.filter(big("a")).select("a")""",
    "cache": """x = FRAME.cache()
out.append(x.select("a").count())""",
    "groups": 'found = FRAME.groupBy("k").count().filter("k = 1")',
    "match": """found = FRAME.join(v.withColumn("one", F.lit(1)), "k", "left").where("one is null").drop("one")""",
    "window": """w = Window.partitionBy("k").orderBy("a")
found = FRAME.withColumn("n", F.row_number().over(w)).filter("k = 1")""",
    "elements": 'found = FRAME.select("k", F.explode("a").alias("e")).filter("e > 1").filter(F.col("k").isin(u))',
    "days": """found = FRAME.withColumn("e", F.explode(F.sequence(F.to_date(u), F.to_date(v))))
found = found.filter(F.dayofweek("e") != 1).filter(F.col("e").isin(g)).filter("a > 1").distinct()""",
    "date": 'found = FRAME.filter(F.year("a") == 2020)',
    "greatest": """m = FRAME.groupBy("k").agg(F.max("a").alias("a"))
found = FRAME.join(m, ["k", "a"])""",
    "text": """FRAME.createOrReplaceTempView("v")
found = spark.sql("select k, explode(a) e from v").where("e > 1 and k = 1")""",
}
NOTEBOOK = """# Databricks notebook source
# MAGIC %run "./settings"

# COMMAND ----------

HEAD
t = spark.table("t")
out = []

# COMMAND ----------

BODY

# COMMAND ----------

# MAGIC %run "./report"
"""


def _in(kind: str, body: str) -> str:
    if kind.startswith("notebook"):
        head = IMPORTS if kind == "notebook" else ""
        return NOTEBOOK.replace("HEAD", head).replace("BODY", body)
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{IMPORTS}\n\n\ndef report(t, u, v, g, out):\n{lines}    return out\n"


@pytest.mark.parametrize("kind", ["function", "notebook", "notebook without imports"])
def test_each_edit_is_what_was_proved(kind: str) -> None:
    random, found = Random(kind), Counter[str]()
    for name, consumer in CONSUMERS.items():
        for chain in random.sample(CHAINS, 3):
            body = consumer.replace("FRAME", f"t{chain}")
            if kind == "notebook without imports" and "F." in body:
                continue
            report = analyse_text(_in(kind, body), Options(show_all=True))
            assert report.error is None
            broken = [s.reason for s in report.skipped if s.reason.startswith("internal error")]
            assert not broken, (name, chain, broken)
            found.update(o.code for o in report.opportunities)
    assert len(found) >= (3 if kind == "notebook without imports" else 7), found
