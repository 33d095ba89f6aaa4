"""A frame that is evaluated again after a setting, a view, a variable or a file has changed."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import datetime as dt
from typing import Any

from .program import Draw, Program

DDL = "k string, v int, ts timestamp"
ROWS: list[tuple[Any, ...]] = [
    ("a", 1, dt.datetime(2024, 5, 1, 1)), ("a", 9, dt.datetime(2024, 5, 1, 23)), ("b", 5, dt.datetime(2024, 4, 30, 23, 30)), (None, 3, dt.datetime(2024, 5, 1, 12)), ("c", None, None), ("c", 7, dt.datetime(2024, 5, 2)),
]  # fmt: skip
ZONE = "spark.sql.session.timeZone"
_SET = f"'{ZONE}', 'Asia/Tokyo'"
CHANGES: tuple[str, ...] = (
    f"spark.conf.set({_SET})", f"c = spark.conf\nc.set({_SET})", f"put = spark.conf.set\nput({_SET})", f"getattr(spark, 'conf').set({_SET})", f"getattr(spark.conf, 'set')({_SET})", f"spark.sql('SET {ZONE}=Asia/Tokyo')", f"run = spark.sql\nrun('SET {ZONE}=Asia/Tokyo')",
    f"q = 'SET {ZONE}=Asia/Tokyo'\nspark.sql(q)", "spark.sql(\"SET TIME ZONE 'Asia/Tokyo'\")", "spark.sql(\"/* x */ SET TIME ZONE 'Asia/Tokyo'\")", "spark.sql(' set time zone \"Asia/Tokyo\"')", f"from pyspark.sql import SparkSession\nSparkSession.builder.config({_SET}).getOrCreate()", f"from pyspark.sql import SparkSession\nb = SparkSession.builder\nb.config({_SET})\nb.getOrCreate()",
    f"from pyspark.sql import SparkSession\nSparkSession.builder.config(map={{'{ZONE}': 'Asia/Tokyo'}}).getOrCreate()", f"spark.builder.config({_SET}).getOrCreate()", f"from functools import partial\npartial(spark.conf.set, '{ZONE}')('Asia/Tokyo')", f"list(map(lambda z: spark.conf.set('{ZONE}', z), ['Asia/Tokyo']))", f"def use():\n    spark.conf.set({_SET})\n\n\nuse()",
    f"def use(s):\n    s.conf.set({_SET})\n\n\nuse(spark)", f"def use(s):\n    s.set({_SET})\n\n\nuse(spark.conf)", f"class Z:\n    def __init__(self):\n        spark.conf.set({_SET})\n\n\nZ()", f"class Z:\n    def __enter__(self):\n        spark.conf.set({_SET})\n\n    def __exit__(self, *a):\n        pass\n\n\nwith Z():\n    pass",
    f"exec(\"spark.conf.set({_SET})\")", f"eval(\"spark.conf.set({_SET})\")", f"s = spark\ns.conf.set({_SET})", f"s = t.sparkSession\ns.conf.set({_SET})", f"g.sparkSession.conf.set({_SET})", f"import operator\noperator.methodcaller('set', {_SET})(spark.conf)", f"operator = __import__('operator')\noperator.attrgetter('conf')(spark).set({_SET})",
    f"import threading\nth = threading.Thread(target=spark.conf.set, args=({_SET}))\nth.start()\nth.join()", f"d = {{'f': spark.conf.set}}\nd['f']({_SET})", f"from pyspark.sql import SparkSession\nSparkSession.getActiveSession().conf.set({_SET})", f"from pyspark.sql import SparkSession\nSparkSession.active().conf.set({_SET})", f"spark.conf._jconf.set({_SET})", f"spark._jsparkSession.conf().set({_SET})",
    f"@property\ndef p(self):\n    spark.conf.set({_SET})\n\n\nclass Q:\n    z = p\n\n\nQ().z", f"x = [spark.conf.set({_SET}) for _ in (1,)]", f"assert spark.conf.set({_SET}) is None", f"y = (lambda: spark.conf.set({_SET}))()", f"def deco(f):\n    spark.conf.set({_SET})\n    return f\n\n\n@deco\ndef nothing():\n    pass", f"def d(x=spark.conf.set({_SET})):\n    pass",
    f"for set_ in (spark.conf.set,):\n    set_({_SET})", f"import importlib\nimportlib.import_module('os').environ['TZ'] = 'Asia/Tokyo'\nspark.conf.set({_SET})", f"from types import SimpleNamespace\nbox = SimpleNamespace(c=spark.conf)\nbox.c.set({_SET})", f"if spark.conf.set({_SET}) is None:\n    pass", f"while spark.conf.set({_SET}) is not None:\n    pass", f"from contextlib import ExitStack\nwith ExitStack() as st:\n    st.callback(lambda: None)\n    spark.conf.set({_SET})",
    "t2.createOrReplaceTempView('tv')", "view = t2.createOrReplaceTempView\nview('tv')", "spark.sql(\"create or replace temp view tv as select 'z' as k, 100 as v, current_timestamp() as ts\")", "spark.catalog.dropTempView('tv')\nt2.createTempView('tv')", "run = spark.sql\nrun(\"create or replace temporary view tv as select 'z' as k, 100 as v, timestamp'2020-01-01' as ts\")", "getattr(t2, 'createOrReplaceTempView')('tv')",
    "def again(f):\n    f.createOrReplaceTempView('tv')\n\n\nagain(t2)", "spark.sql(\"set var bound = 100\")", "run = spark.sql\nrun('SET VAR bound = 100')", "spark.sql('SET VARIABLE bound = 100')", "spark.sql(\"DECLARE OR REPLACE VARIABLE bound INT DEFAULT 100\")", "bound = 100", "keys.append('v')", "keys.reverse()", "def more(l):\n    l.append('v')\n\n\nmore(keys)", "k2 = keys\nk2.append('v')",
    "spark.udf.register('fn', lambda x: -5, 'int')", "reg = spark.udf.register\nreg('fn', lambda x: -5, 'int')", "spark.sql('create or replace temporary function fn as \"x\"') if False else spark.udf.register('fn', lambda x: -5, 'int')", "spark.conf.set('spark.sql.caseSensitive', 'true')", "spark.conf.set('spark.sql.ansi.enabled', 'false')",
    f"# COMMAND ----------\n\n# MAGIC %sql\n# MAGIC SET {ZONE}=Asia/Tokyo\n\n# COMMAND ----------\n", f"# COMMAND ----------\n\n# MAGIC %sql SET {ZONE}=Asia/Tokyo\n\n# COMMAND ----------\n", "# COMMAND ----------\n\n# MAGIC %sql\n# MAGIC SET TIME ZONE 'Asia/Tokyo'\n\n# COMMAND ----------\n",
    "# COMMAND ----------\n\n# MAGIC %sql\n# MAGIC create or replace temp view tv as select 'z' as k, 100 as v, timestamp'2020-01-01' as ts\n\n# COMMAND ----------\n", "# COMMAND ----------\n\n# MAGIC %sql\n# MAGIC SET VAR bound = 100\n\n# COMMAND ----------\n", "# COMMAND ----------\n\n# MAGIC %md\n# MAGIC nothing\n\n# COMMAND ----------\n",
    "pass", "x = 1", "print('done')", "g.show()", "spark.sql('select 1').show()", "spark.conf.get('spark.sql.session.timeZone')", "rows_seen = g.count()",
)  # fmt: skip
"""Statements between two uses of one frame; the last ones change nothing."""
_MADE = (
    't.groupBy("k").agg(F.max(F.hour("ts")).alias("m"))', 't.groupBy("k").agg(F.max(F.to_date("ts")).alias("m"))', 't.withColumn("h", F.hour("ts")).groupBy("k").agg(F.max("h").alias("m"))', 't.groupBy(F.to_date("ts").alias("k")).agg(F.max("v").alias("m"))', 't.withColumn("day", F.to_date("ts")).groupBy("day").agg(F.max("v").alias("m"))',
    't.groupBy("k").agg(F.max(F.date_trunc("day", "ts").cast("date")).alias("m"))', 'spark.table("tv").groupBy("k").agg(F.max("v").alias("m"))', 'spark.sql("select k, max(v) as m from tv group by k")', 't.withColumn("w", F.expr("fn(v)")).groupBy("k").agg(F.max("w").alias("m"))', 't.filter(F.expr("v < bound")).groupBy("k").agg(F.max("v").alias("m"))',
    't.filter(F.col("v") < bound).groupBy("k").agg(F.max("v").alias("m"))', 't.groupBy(keys).agg(F.max("v").alias("m"))', 't.withColumn("h", F.col("ts").cast("string").substr(12, 2).cast("int")).groupBy("k").agg(F.max("h").alias("m"))', 't.groupBy("k").agg(F.max("v").alias("m"))',
)  # fmt: skip
_FILTERS = ('F.col("m") > 4', '"m > 4"')
_DATES = ('F.col("m") > F.lit("2024-05-01").cast("date")', "\"m > DATE'2024-04-30'\"", 'F.col("m") >= "2024-05-02"')
_FIRST = ("g.show()", "g.count()", "print(g.count())", "g.printSchema()", "other = g.select('m')\nother.show()")


def write(draw: Draw) -> Program:
    """Made, used, a change, filtered."""
    made = draw.one(_MADE)
    change = draw.one(CHANGES[-7:] if draw.chance(0.12) else CHANGES)
    dated = "date" in made and '.alias("k")' not in made and "day" not in made.split("groupBy")[1].split("agg")[0]
    lines = ["# Databricks notebook source"] if "# MAGIC" in change else []
    lines += ["from pyspark.sql import functions as F", "", 't = spark.table("t")']
    lines += ['t2 = t.withColumn("v", F.col("v") + 100)'] if "t2" in change else []
    lines += ['t.createOrReplaceTempView("tv")'] if "tv" in made or "tv" in change else []
    lines += ["bound = 8"] if "bound)" in made else []
    lines += (
        ["spark.sql('DECLARE OR REPLACE VARIABLE bound INT DEFAULT 8')"]
        if '< bound"' in made or ("bound" in change and "spark" in change)
        else []
    )
    lines += ['keys = ["k"]'] if "keys" in made or "keys" in change else []
    lines += ["spark.udf.register('fn', lambda x: x, 'int')"] if "fn(" in made else []
    lines += [f"g = {made}", draw.one(_FIRST), change, f"result = g.filter({draw.one(_DATES if dated else _FILTERS)})"]
    return Program(
        "settings",
        "\n".join(lines) + "\n",
        {"t": DDL},
        ((change.split("\n")[0] if "MAGIC" not in change else "magic: " + change.split("\n")[2])[:30],),
        False,
        {"t": DDL} if draw.chance(0.8) else {},
        ({"t": ROWS},),
        {"h": "int", "w": "int", "m": "date" if dated else "int"},
    )
