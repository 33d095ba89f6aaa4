"""A copy of a frame's expression is made only where every statement around it is understood.

Each program puts one form of statement between the definition and the filter, or below the filter. Of the forms that
are not listed in ``headwater.rewrite.branch.forms`` none lets a copy pass. What the forms do on Spark:
``tests/mdtest/traps/traps_own_branch_columns.md`` and ``traps_own_branch_settings.md``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from textwrap import indent

import pytest

from headwater.engine.analysis.analyse import Options
from headwater.engine.analysis.reading import read
from headwater.rewrite.branch.making import NoBranch, branches
from headwater.syntax.names.module_scope import Context

PRELUDE = """from pyspark.sql import SparkSession, functions as F
from pyspark.sql.window import Window
import helpers, logging, operator, os, shutil, threading
from functools import partial, reduce

kept, names, box, bonus = {}, [], [], 1
logger = logging.getLogger("a")


class Box:
    pass


def put(store, value):
    store["m"] = value


def report(frame, title):
    print(title)
    frame.show()


def use_tokyo(session=None):
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")


df = spark.table("t")
dim = spark.table("dim")
"""
MADE = 'best = df.groupBy("k").agg(F.max("x").alias("m"))\n'
FILTERED = 'top = best.filter(F.col("m") > 100)\n'

COLUMNS = {
    "item of a dictionary": 'kept["m"] = best.m',
    "item through an alias": 'alias = kept\nalias["m"] = best.m',
    "frame in a dictionary": 'kept["g"] = best',
    "dictionary display": 'kept = {"g": best}',
    "list display": "both = [best, 1]",
    "tuple that is kept": 'pair = (best, "best")',
    "list of columns that is kept": "cols = [best.k, best.m]",
    "append": "box.append(best)",
    "append under another name": "add = box.append\nadd(best)",
    "extend": "box.extend([best.m])",
    "insert": "box.insert(0, best.m)",
    "plus-equals on a list": "box += [best.m]",
    "setdefault": 'kept.setdefault("m", best.m)',
    "update": "kept.update(m=best.m)",
    "function that fills an argument": "put(kept, best.m)",
    "function under another name": "store = put\nstore(kept, best.m)",
    "partial": "partial(put, kept)(best.m)",
    "map over columns": "list(map(box.append, [best.m]))",
    "operator.setitem": 'operator.setitem(kept, "m", best.m)',
    "method of a dictionary": 'kept.__setitem__("m", best.m)',
    "attribute of an object": "holder = Box()\nholder.m = best.m",
    "attribute of a class": "Box.m = best.m",
    "attribute of a module": "helpers.m = best.m",
    "setattr": 'setattr(Box, "m", best.m)',
    "getattr": 'column = getattr(best, "m")',
    "class body": "class Late:\n    m = best.m",
    "method that reads it": "class Late:\n    def m(self):\n        return best.m",
    "function that reads it": "def original():\n    return best",
    "lambda that reads it": "original = lambda: best",
    "default of a parameter": "def original(frame=best):\n    return frame",
    "decorator": "@partial(put, best)\ndef late():\n    return 1",
    "annotation": "late: best.m = 1",
    "temporary view": 'best.createOrReplaceTempView("gv")',
    "global temporary view": 'best.createOrReplaceGlobalTempView("gv")',
    "view of a derived frame": 'best.select("k", "m").createTempView("gv")',
    "registered table": 'best.registerTempTable("gv")',
    "view through a bound method": 'register = best.createOrReplaceTempView\nregister("gv")',
    "query with a frame": 'spark.sql("SELECT * FROM {b}", b=best).show()',
    "unknown function": "helpers.keep(best)",
    "unknown function, star": "helpers.keep(*[best])",
    "unknown function, keyword": "helpers.keep(frame=best)",
    "unknown function of a column": "helpers.keep(best.m)",
    "method called like a frame's": "helpers.union(best)",
    "unknown function of a list": "helpers.keep([best])",
    "display": "display(best)",
    "logging": 'logger.info("%s", best)',
    "pipe": "best.transform(helpers.keep)",
    "reduce": "union = reduce(lambda a, b: a, [best, best])",
    "thread": "threading.Thread(target=helpers.keep, args=(best,)).start()",
    "with": "with helpers.keep(best) as other:\n    pass",
    "generator": "rows = (b for b in [best])",
    "comprehension": "all_of_them = {n: best[n] for n in best.columns}",
    "walrus": "print((other := best).count())",
    "starred target": "first, *rest = [best, best]",
    "item target": 'kept["m"], other = best.m, 1',
    "loop target": 'for kept["m"] in [best.m]:\n    pass',
    "deletion of an item": "del kept[best]",
    "star arguments": "best.select(*[best.m]).show()",
    "keywords of a dictionary": 'best.fillna(**{"value": best}).show()',
    "action on rows by code": "best.foreach(helpers.keep)",
    "batches of a stream": "best.writeStream.foreachBatch(helpers.keep).start()",
    "cached": "best.cache()",
    "observed": 'best.observe("o", F.count("*")).show()',
    "match": "match best:\n    case other:\n        pass",
    "string of its name": 'best_again = eval("best")',
    "yielded by an iterator": "it = iter([best])",
    "unknown method": "best.unknown_method().show()",
    "tuple in a conditional": "pair = (best, 1) if bonus else 1",
    "assertion that holds it": "assert bonus, best",
    "assertion of an unknown function": "assert helpers.check(best)",
    "error that holds it": "try:\n    raise ValueError(best)\nexcept ValueError as error:\n    pass",
    "async": "async def late():\n    return best",
    "raise with a cause": "try:\n    pass\nexcept ValueError:\n    raise helpers.Error(best) from None",
}
"""Ways in which a column of the original, or the frame itself, may get somewhere where it is not followed."""

SETTINGS = {
    "conf.set": 'spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")',
    "conf.unset": 'spark.conf.unset("spark.sql.session.timeZone")',
    "conf under another name": 'c = spark.conf\nc.set("a", "b")',
    "bound method": 'change = spark.conf.set\nchange("a", "b")',
    "builder": 'SparkSession.builder.config("a", "b").getOrCreate()',
    "builder, bound to the session": 'spark = SparkSession.builder.config("a", "b").getOrCreate()',
    "builder without settings": "SparkSession.builder.getOrCreate()",
    "active session": 'SparkSession.getActiveSession().conf.set("a", "b")',
    "session of a frame": 'best.sparkSession.conf.set("a", "b")',
    "session under another name": 's = spark\ns.conf.set("a", "b")',
    "SET": 'spark.sql("SET a = b")',
    "SET in lower case, with blanks": 'spark.sql("  set   a = b")',
    "SET VAR": 'spark.sql("SET VAR x = 1")',
    "SET behind a comment": 'spark.sql("-- SELECT\\nSET a = b")',
    "sql under another name": 'run = spark.sql\nrun("SET a = b")',
    "CREATE VIEW": 'spark.sql("CREATE OR REPLACE TEMP VIEW v AS SELECT 1")',
    "INSERT": 'spark.sql("INSERT INTO t SELECT 1")',
    "WITH and INSERT": 'spark.sql("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a")',
    "FROM and INSERT": 'spark.sql("FROM t INSERT INTO u SELECT *")',
    "USE": 'spark.sql("USE other")',
    "two statements": 'spark.sql("SELECT 1; SET a = b")',
    "text that is not known": "spark.sql(helpers.text)",
    "formatted text": 'spark.sql(f"{bonus}")',
    "Java": "spark.sql(\"SELECT reflect('java.lang.System', 'setProperty', 'a', 'b')\").show()",
    "Java in a column": 'df.select(F.java_method(F.lit("java.lang.System"), F.lit("gc"))).show()',
    "catalog": 'spark.catalog.setCurrentDatabase("other")',
    "refresh": 'spark.catalog.refreshTable("t")',
    "registered function": 'spark.udf.register("f", lambda x: x)',
    "configuration of Hadoop": 'spark.sparkContext.setLocalProperty("a", "b")',
    "stop": "spark.stop()",
    "new session": "spark = spark.newSession()",
    "Java session": 'spark._jsparkSession.conf().set("a", "b")',
    "function of the file": "use_tokyo()",
    "function of the file under another name": "change = use_tokyo\nchange()",
    "function of the file in an expression": "print(1, use_tokyo())",
    "partial of a setter": 'partial(spark.conf.set, "a")("b")',
    "map of a setter": 'list(map(spark.conf.unset, ["a"]))',
    "key of a sort": "sorted([1, 2], key=use_tokyo)",
    "lambda that is called": '(lambda: spark.conf.set("a", "b"))()',
    "code of another module": "helpers.prepare()",
    "code of another module with the session": "helpers.prepare(spark)",
    "object of another class": "Box().run()",
    "property": "helpers.settings.tokyo",
    "subscript of another object": 'helpers.settings["tokyo"]',
    "operator of another object": "helpers.settings + 1",
    "test of another object": "if helpers.settings:\n    pass",
    "comparison of another object": "print(helpers.settings > 1)",
    "iteration over another object": "for line in helpers.settings:\n    pass",
    "text of another object": 'print(f"{helpers.settings}")',
    "printed object": "print(helpers.settings)",
    "with": "with helpers.settings:\n    pass",
    "import": "import prepare",
    "import of a package's module": "from pyspark import pandas",
    "star import": "from prepare import *",
    "class with a body": 'class Late:\n    spark.conf.set("a", "b")',
    "class without one": "class Late:\n    pass",
    "decorator": "@helpers.run\ndef late():\n    return 1",
    "default of a parameter": 'def late(x=spark.conf.set("a", "b")):\n    return 1',
    "annotation": 'late: spark.conf.set("a", "b") = 1',
    "match": "match helpers.settings:\n    case [1, *_]:\n        pass",
    "deletion": "del logger",
    "object that is dropped": "logger = 1",
    "list that is changed": "names.append(1)",
    "list that is added to": "names += [1]",
    "environment": 'os.environ["TZ"] = "Asia/Tokyo"',
    "file that is written": 'open("in.csv", "w").write("1")',
    "file that is removed": 'shutil.rmtree("in")',
    "frame that is written": 'dim.write.mode("overwrite").parquet("in")',
    "frame that is saved": 'dim.write.saveAsTable("t")',
    "frame that is appended": 'dim.writeTo("t").append()',
    "view of another frame": 'dim.createOrReplaceTempView("t")',
    "cached frame": "dim.cache()",
    "rows by code": "dim.foreach(print)",
    "frame piped through code": "dim.transform(helpers.keep).show()",
    "logging": 'logger.info("shown")',
    "thread": "threading.Thread(target=use_tokyo).start()",
    "exec": "exec(helpers.text)",
    "global": "global bonus\nbonus = 2",
    "magic": "# %%\n%sql SET a = b",
    "magic of a cell": "# %%\n%%sql\nSET a = b\n# %%",
    "timed statement": '# %%\n%time spark.conf.set("a", "b")',
    "configuration of a cell": '# %%\n%%configure -f\n{"conf": {}}\n# %%',
    "Scala": '# %%\n%%scala\nspark.conf.set("a", "b")\n# %%',
    "shell": "# %%\n!rm -rf in",
    "magic that is assigned": "# %%\nfiles = %sql SET a = b",
    "environment magic": "# %%\n%env TZ=Asia/Tokyo",
    "installation": "# %%\n%pip install other",
    "other notebook": "# %%\n%run ./other",
    "broken cell": "# %%\nspark.conf.set(\n# %%",
    "magic in a comment": "# %sql SET a = b",
    "shell in a comment": "# !rm -rf in",
    "magic of a cell in a comment": "# %%\n# %%sql\n# SET a = b\n# %%",
    "cell of another language": '# %% language="sql"\n# SET a = b\n# %%',
    "light cell of another language": '# + language="sql"\n# SET a = b\n# -',
    "cell of Databricks": "# COMMAND ----------\n# MAGIC %sql SET a = b\n# COMMAND ----------",
    "Scala of Databricks": "# COMMAND ----------\n# MAGIC %scala\n# MAGIC set(1)\n# COMMAND ----------",
    "shell of Databricks": "# COMMAND ----------\n# MAGIC %sh rm -rf in\n# COMMAND ----------",
    "text of Databricks": "# COMMAND ----------\n# MAGIC %md\n# MAGIC ## SET\n# COMMAND ----------",
    "current IPython": 'get_ipython().run_line_magic("sql", "SET a = b")',
    "utilities of Databricks": 'dbutils.notebook.run("other", 60)',
}
"""What may change something that a second evaluation of the expression reads, or of which nobody knows."""

MEETING = {
    "column": 'result = top.select(best["m"])',
    "column as attribute": "result = top.select(best.m)",
    "column in a function": "result = top.withColumn('y', F.upper(best.k))",
    "column in a variable": "m = best.m\nresult = top.select(m)",
    "column of a derived frame": "other = best.withColumn('y', F.lit(1))\nresult = top.select(other.m)",
    "join": 'result = best.join(top, "k")',
    "join, the other way": 'result = top.join(best, "k")',
    "union": "result = top.union(best)",
    "condition of a join": "result = df.join(top, df.x == best.m)",
    "join with a view of the copy": 'top.createOrReplaceTempView("v")\nbest.join(spark.table("v"), "k").show()',
    "join with a query": 'other = spark.sql("SELECT * FROM v")\nresult = best.join(other, "k")',
    "join with a frame of unknown code": 'other = helpers.load()\nresult = best.join(other, "k")',
    "column of a list": "names.append(top.m)\nbest.select(names).show()",
    "window": 'w = Window.partitionBy(best.k)\nresult = top.withColumn("n", F.count("*").over(w))',
    "column of counted groups": 'counted = best.groupBy("k").count()\nresult = top.select(counted.k)',
    "function of the file": "def m_of(frame):\n    return frame.m\n\n\nm = m_of(best)\nresult = top.select(m)",
    "one of two frames": "either = best if bonus else top\nresult = top.select(either.m)",
    "hidden code": "# %%\n%time result = top.select(best.m)",
    "history of the notebook": 'best.select("m")\nresult = top.select(_.m)',
    "history by number": 'result = top.select(_3["m"])',
    "values of cells": 'result = top.select(Out[3]["m"])',
    "variables by name": 'result = top.select(globals()["best"].m)',
    "variables by name, under another name": 'own = globals\nresult = top.select(own()["best"].m)',
    "variables by name, through the module": 'import builtins\nresult = top.select(builtins.eval("best").m)',
    "main module": 'import sys\nresult = top.select(sys.modules["__main__"].best.m)',
    "loop over both": "for frame in (best, top):\n    other = frame.m\nresult = top.select(other)",
}
"""What stands below the filter and asks the copy for a column of the original, or may."""

UNDERSTOOD = {
    "action": "best.show()",
    "count": "print(best.count())",
    "number": "n = best.count()",
    "rows": "for row in best.collect():\n    print(row.k, row['m'])",
    "rows in a comprehension": "ks = [row.k for row in best.collect()]",
    "schema": "best.printSchema()\nprint(best.columns, best.schema)",
    "text": 'print(f"{best.count():,} of {df.count()}")',
    "derived frame": 'other = best.select("k", (F.col("m") * 2).alias("y"))\nother.show()',
    "its own columns": 'best.select(best.k, best["m"] + 1).where(best.m.isNotNull()).show()',
    "groups": 'best.groupBy("k").count().show()',
    "sorted": 'best.orderBy(F.desc("m")).limit(10).show(truncate=False)',
    "helper": 'report(best, "all")',
    "branch": "if best.count() > 100:\n    best.show()\nelse:\n    print('few')",
    "loop over columns": "for name in best.columns:\n    best.select(name).show()",
    "loop over names": 'for name in ["k", "m"]:\n    best.select(name).show()',
    "loop over frames": "for frame in (df, best):\n    frame.show()",
    "try": "try:\n    best.show()\nexcept Exception:\n    print('no')",
    "error": "if best.count() == 0:\n    raise ValueError('empty')",
    "assertion": "assert best.count() > 0, 'empty'",
    "pandas": "print(best.toPandas().head())",
    "join with a frame from above": 'best.join(dim, "k").show()',
    "window": 'best.withColumn("n", F.row_number().over(Window.orderBy("m"))).show()',
    "comment": "# 100 % of the rows\nbest.show()",
    "cell": "# %% shown\nbest.show()\n# %% [markdown]\n# text\n# %%",
    "function": "def late(x):\n    return x + 1",
    "pass": "pass",
}
"""What is understood, wherever it stands."""
BETWEEN_ONLY = {
    "query": 'spark.sql("SELECT k FROM t WHERE x > 1").show()',
    "other table": 'other = spark.table("u")\nbest.join(other, "k").show()',
    "files": 'other = spark.read.option("header", True).csv("in")\nother.show()',
    "import": "import json\nfrom pyspark.sql import types as T",
    "clock": "import time\nstarted = time.time()\nprint(time.time() - started)",
}
BELOW_ONLY = {
    "written": 'best.write.mode("overwrite").partitionBy("k").parquet("out")',
    "saved": 'best.write.saveAsTable("out")',
    "written to a table": 'best.writeTo("out").createOrReplace()',
    "settings": 'spark.conf.set("a", "b")',
    "view of another frame": 'df.createOrReplaceTempView("v")',
    "unknown code": "helpers.prepare(spark, df, top)",
    "copy in a container": 'kept["top"] = top\nbox.append(top.m)',
    "copy in a view": 'top.createOrReplaceTempView("v")',
    "query of a view": 'spark.sql("SELECT * FROM v").show()',
    "files": 'shutil.rmtree("in")',
    "shell": "# %%\n!ls",
    "logging": 'logger.info("%d", best.count())',
    "number in the copy": 'result = top.withColumn("of", F.lit(best.count()))',
    "both in one line": "print(best.count(), top.count())",
}


def between(form: str) -> str:
    return PRELUDE + MADE + "best.show()\n" + form + "\n" + FILTERED + "result = top\n"


def below(form: str) -> str:
    return PRELUDE + MADE + "best.show()\n" + FILTERED + form + "\n"


def in_a_function(form: str) -> str:
    body = MADE + "best.show()\n" + form + "\n" + FILTERED + "return top\n"
    return PRELUDE + "\n\ndef strong(df, dim):\n" + indent(body, "    ") + "\n\nresult = strong(df, dim)\n"


def in_a_loop(form: str) -> str:
    """The form stands below the filter, which a loop comes back to."""
    return (
        PRELUDE
        + MADE
        + "best.show()\nfor turn in range(2):\n"
        + indent(FILTERED + "top.show()\n" + form + "\n", "    ")
    )


def copies(source: str) -> int:
    """How many copies of the frame's expression may be made for the first filter of ``source``."""
    module = read(source, Options())
    filter_ = next(f for f in module.filters if '"m") > 100' in f.call.text(source))
    try:
        return len([*itertools.islice(branches(Context.of(source), module.spelling, filter_), 1)])
    except NoBranch:
        return 0


def is_python(form: str) -> bool:
    try:
        compile(form, "form", "exec")
    except SyntaxError:
        return False
    return not any(mark in form for mark in ("# %", "# +", "# !", "COMMAND"))


@pytest.mark.parametrize("form", [*COLUMNS.values(), *SETTINGS.values()], ids=[*COLUMNS, *SETTINGS])
def test_no_copy_below_what_is_not_understood(form: str) -> None:
    assert not copies(between(form))


@pytest.mark.parametrize("form", [*COLUMNS.values(), *MEETING.values()], ids=[*COLUMNS, *MEETING])
def test_no_copy_where_columns_of_the_original_are_not_followed(form: str) -> None:
    assert not copies(below(form))


FORMS = {k: v for k, v in {**COLUMNS, **SETTINGS}.items() if is_python(v)}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("program", [in_a_function, in_a_loop])
def test_no_copy_in_functions_and_loops(program: Callable[[str], str], form: str) -> None:
    if program is in_a_function and form == SETTINGS["object that is dropped"]:
        pytest.skip("a variable of the function held nothing before")
    assert not copies(program(form))


@pytest.mark.parametrize("form", [f for f in UNDERSTOOD.values() if is_python(f)])
@pytest.mark.parametrize("program", [in_a_function, in_a_loop])
def test_a_copy_in_functions_and_loops(program: Callable[[str], str], form: str) -> None:
    assert copies(program(form))


@pytest.mark.parametrize("form", [*UNDERSTOOD.values(), *BETWEEN_ONLY.values()], ids=[*UNDERSTOOD, *BETWEEN_ONLY])
def test_a_copy_where_all_in_between_is_understood(form: str) -> None:
    assert copies(between(form))


@pytest.mark.parametrize("form", [*UNDERSTOOD.values(), *BELOW_ONLY.values()], ids=[*UNDERSTOOD, *BELOW_ONLY])
def test_a_copy_where_all_uses_of_the_original_are_understood(form: str) -> None:
    assert copies(below(form))


@pytest.mark.parametrize("pair", [*itertools.pairwise(UNDERSTOOD)], ids=lambda p: " and ".join(p))
def test_understood_forms_together(pair: tuple[str, str]) -> None:
    form = "\n".join(UNDERSTOOD[name] for name in pair)
    assert copies(between(form))
    assert copies(below(form))
