"""Variables, scopes, sharing: which filters reach which boundary, and which must not."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from headwater.pyspark.reading.module import read_module

from .render import HEAD, last, module, outcome, plan

AGG = 'a = df.groupBy("k").agg(F.max("x").alias("m"))\n'
P = "agg: (m' > 5)"

REACHES = {
    "keys of a variable that was rebound": 'c = "k"\nz = [c]\nc = "s"\ndf.groupBy(z).agg(F.max("x").alias("m")).filter(F.col("m") > 5)',
    "one chain": 'df.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > 5)',
    "a variable": AGG + 'a.filter(F.col("m") > 5).show()',
    "rebinding one variable": 'df = df.groupBy("k").agg(F.max("x").alias("m"))\ndf = df.filter(F.col("m") > 5)',
    "a chain in parentheses": '(df.groupBy("k")\n .agg(F.max("x").alias("m"))  # top\n .where(F.col("m") > 5)\n).show()',
    "continuation lines": 'df.groupBy("k") \\\n  .agg(F.max("x").alias("m")) \\\n  .filter(F.col("m") > 5)',
    "an argument": AGG + 'print(a.filter(F.col("m") > 5).count())',
    "a return": 'def f(df: DataFrame):\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    return a.filter(F.col("m") > 5)',
    "an unannotated parameter": 'def f(q):\n    return q.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > 5)',
    "an attribute": 'class A:\n    def f(self):\n        return self.q.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > 5)',
    "an alias": AGG + 'c = a\nc.filter(F.col("m") > 5)',
    "sorted": AGG + 'a.orderBy("k").filter(F.col("m") > 5)',
    "inside one branch": 'if q:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    a.filter(F.col("m") > 5).show()',
    "inside a loop": 'for i in range(3):\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    a.filter(F.col("m") > 5).show()',
    "metadata is no consumer": AGG + 'a.printSchema()\nprint(a.columns)\na.filter(F.col("m") > 5)',
    "a column of itself is no consumer": AGG + "a.filter(a.m > 5)",
    "a subscript of itself": AGG + 'a.filter(a["m"] > 5)',
    "a name bound in another function": 'def g():\n    a = 1\n' + AGG + 'a.filter(F.col("m") > 5)',
    "a constant": "LIMIT = 5\n" + AGG + 'a.filter(F.col("m") > LIMIT)',
    "a condition in a variable": AGG + 'c = F.col("m") > 5\na.filter(c)',
    "a literal that was rebound": "t = 4\n" + AGG + 't = 5\na.filter(F.col("m") > t)',
    "a literal first": AGG + 'a.filter(5 < F.col("m"))',
    "SQL": AGG + 'a.filter("m > 5")',
    "a SQL text in a variable": AGG + 'c = "m > 5"\na.filter(c)',
    "a source that is used twice": AGG + 'a.filter(F.col("m") > 5).show()\ndf.count()',
    "a grouped frame in a variable": 'g = df.groupBy("k")\na = g.agg(F.max("x").alias("m"))\na.filter(F.col("m") > 5)',
    "with, inside": 'with open("f") as h:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    a.filter(F.col("m") > 5)',
    "keys in a list": 'z = ["k"]\ndf.groupBy(z).agg(F.max("x").alias("m")).orderBy(z).filter(F.col("m") > 5)',
    "a comprehension over other rows": AGG + 'z = [a for a in range(3)]\na.filter(F.col("m") > 5)',
    "a star import above": 'from mine import *\nt = 5\nfrom pyspark.sql import functions as G\na = df.groupBy("k").agg(G.max("x").alias("m"))\na.filter(G.col("m") > t)',
    "a function used elsewhere": 'def f(a):\n    return a\n' + AGG + 'a.filter(F.col("m") > 5)',
}  # fmt: skip


@pytest.mark.parametrize("code", REACHES.values(), ids=REACHES.keys())
def test_a_filter_reaches_its_boundary(code: str) -> None:
    found = outcome(code)
    assert found in (P, "agg: (5 < m')")


STOPS = {
    "shown as well": (AGG + 'a.show()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "shown afterwards": (AGG + 'a.filter(F.col("m") > 5).show()\na.count()', "shared-subplan"),
    "returned as well": ('def f(df):\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    a.filter(F.col("m") > 5).show()\n    return a', "shared-subplan"),
    "passed to a call": (AGG + 'save(a)\na.filter(F.col("m") > 5)', "shared-subplan"),
    "put in a list": (AGG + 'z = [a]\na.filter(F.col("m") > 5)', "shared-subplan"),
    "in an f-string": (AGG + 'z = f"{a}"\na.filter(F.col("m") > 5)', "shared-subplan"),
    "in a keyword": (AGG + 'save(x=a)\na.filter(F.col("m") > 5)', "shared-subplan"),
    "in a comprehension": (AGG + '[a.filter(F.col("m") > i) for i in z]\na.filter(F.col("m") > 5)', "shared-subplan"),
    "captured by a function": (AGG + 'def g():\n    return a.count()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "captured by a lambda": (AGG + 'g = lambda: a\na.filter(F.col("m") > 5)', "shared-subplan"),
    "captured by a nested function": (AGG + 'def g():\n    def h(a2=1):\n        return a\na.filter(F.col("m") > 5)', "shared-subplan"),
    "captured by a method": (AGG + 'class G:\n    def h(self):\n        return a\na.filter(F.col("m") > 5)', "shared-subplan"),
    "filtered in a loop": (AGG + 'for i in z:\n    a.filter(F.col("m") > 5).show()', "shared-subplan"),
    "filtered in a while": (AGG + 'while z:\n    a.filter(F.col("m") > 5).show()', "shared-subplan"),
    "two filters": (AGG + 'a.filter(F.col("m") > 5).show()\na.filter(F.col("m") > 6)\na.show()', "shared-subplan"),
    "an attribute keeps it": (AGG + 'self.a = a\na.filter(F.col("m") > 5)', "shared-subplan"),
    "yielded": ('def f(df):\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    yield a\n    a.filter(F.col("m") > 5)', "shared-subplan"),
    "two names for one": ('a = c = df.groupBy("k").agg(F.max("x").alias("m"))\na.filter(F.col("m") > 5)', "opaque"),
    "aggregated twice": ('g = df.groupBy("k")\na = g.agg(F.max("x").alias("m"))\ng.count().show()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "assigned in a branch": (AGG + 'if q:\n    a = df.groupBy("k").agg(F.min("x").alias("m"))\na.filter(F.col("m") > 5)', "opaque"),
    "assigned in a loop": (AGG + 'for i in z:\n    a = a.filter(F.col("m") > i)\na.filter(F.col("m") > 5)', "opaque"),
    "assigned in a try": ('try:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\nexcept Exception:\n    a = None\na.filter(F.col("m") > 5)', "opaque"),
    "assigned in a with": ('with q:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\na.filter(F.col("m") > 5)', "opaque"),
    "assigned in a match": (AGG + 'match q:\n    case 1:\n        a = df\na.filter(F.col("m") > 5)', "opaque"),
    "a match that binds": (AGG + 'match q:\n    case {"a": a}:\n        pass\na.filter(F.col("m") > 5)', "opaque"),
    "global": (AGG + 'def g():\n    global a\n    a = df\na.filter(F.col("m") > 5)', "opaque"),
    "a walrus": ('print(a := df.groupBy("k").agg(F.max("x").alias("m")))\na.filter(F.col("m") > 5)', "opaque"),
    "read again by the next round of a loop": ('for i in z:\n    if i:\n        a.show()\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    a.filter(F.col("m") > 5).show()', "shared-subplan"),
    "read after the branch that made it": ('if q:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    b = a.filter(F.col("m") > 5)\na.show()', "shared-subplan"),
    "an attribute of a class": ('class G:\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    b = a.filter(F.col("m") > 5)', "shared-subplan"),
    "a stream": ('spark.readStream.parquet("p").groupBy("k").count().filter("count > 5")', "opaque"),
    "pivoted": ('df.groupBy("k").pivot("s").agg(F.max("x").alias("m")).filter(F.col("m") > 5)', "row-context"),
    "pivoted by values": ('df.groupBy("k").pivot("s", ["a"]).agg(F.count("x")).filter(F.col("a") > 5)', "no boundary"),
    "pivoted by values, a key": ('df.groupBy("k").pivot("s", ["a"]).agg(F.count("x")).filter(F.col("k") > "a")', "no boundary"),
    "na.fill of another type": (AGG + 'a.na.fill({"m": "none"}).filter(F.col("m") > 5)', "opaque"),
    "deleted": (AGG + 'del a\na.filter(F.col("m") > 5)', "opaque"),
    "an import": (AGG + 'from z import a\na.filter(F.col("m") > 5)', "opaque"),
    "a loop variable": (AGG + 'for a in z:\n    pass\na.filter(F.col("m") > 5)', "opaque"),
    "an unpacking": (AGG + 'a, c = z\na.filter(F.col("m") > 5)', "opaque"),
    "an exception's name": (AGG + 'try:\n    z()\nexcept E as a:\n    pass\na.filter(F.col("m") > 5)', "opaque"),
    "an augmented assignment": (AGG + 'a += 1\na.filter(F.col("m") > 5)', "opaque"),
    "nonlocal": ('def f(df):\n    a = df.groupBy("k").agg(F.max("x").alias("m"))\n    def g():\n        nonlocal a\n        a = df\n    g()\n    return a.filter(F.col("m") > 5)', "opaque"),
    "a variable rebound in between": ("t = z()\n" + AGG + 't = z()\na.filter(F.col("m") > t)', "volatile"),
    "a variable bound in between": (AGG + 't = int(input())\na.filter(F.col("m") > t)', "volatile"),
    "a loop's variable": (AGG + 'for t in z:\n    a.filter(F.col("m") > t).show()', "volatile"),
    "a variable of a branch": ("t = z()\n" + AGG + 'if q:\n    t = 6\na.filter(F.col("m") > t)', "opaque"),
    "a condition whose variable was rebound": ("t = z()\nc = F.col('m') > t\nt = z()\n" + AGG + "a.filter(c)", "volatile"),
    "a global variable that a function rebinds": ("t = z()\ndef g():\n    global t\n    t = 2\n" + AGG + 'g()\na.filter(F.col("m") > t)', "opaque"),
    "a column of another frame": (AGG + "a.filter(df.m > 5)", "attribute-capture"),
    "a column of the parent": (AGG + "a.filter(df.x > 5)", "attribute-capture"),
    "a method, not a column": ('a = df.groupBy("k").agg(F.max("x").alias("count"))\na.filter(a.count > 5)', "opaque"),
    "cached as a statement": (AGG + 'a.cache()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "limited": (AGG + 'a.limit(3).filter(F.col("m") > 5)', "cardinality-barrier"),
    "sorted and limited": (AGG + 'a.orderBy("m").limit(3).filter(F.col("m") > 5)', "cardinality-barrier"),
    "sampled": (AGG + 'a.sample(0.1).filter(F.col("m") > 5)', "cardinality-barrier"),
    "deduplicated": (AGG + 'a.dropDuplicates(["k"]).filter(F.col("m") > 5)', "representative-choice"),
    "deduplicated by what the filter does not read": (AGG + 'a.dropDuplicates(["k"]).filter(F.col("m") > 5)', "representative-choice"),
    "joined with itself": (AGG + 'a.join(a, "k").filter(F.col("m") > 5)', "opaque"),
    "random": (AGG + 'a.filter(F.col("m") > F.rand())', "volatile"),
    "random column": (AGG + 'a.withColumn("r", F.rand()).filter(F.col("r") > 5)', "volatile"),
    "read outside of a comprehension that shadows it": (AGG + 'z = [a for a in a.collect()]\na.filter(F.col("m") > 5)', "shared-subplan"),
    "read outside of a generator that shadows it": (AGG + 'z = sum(1 for a in a.collect())\na.filter(F.col("m") > 5)', "shared-subplan"),
    "captured beside a comprehension of that name": (AGG + 'def g():\n    z = [a for a in range(3)]\n    return a.count()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "the default of a lambda's parameter": (AGG + 'g = lambda a=a: a.count()\na.filter(F.col("m") > 5)', "shared-subplan"),
    "read by the guard of a case": (AGG + 'match q:\n    case 1 if a.count() > 1:\n        pass\na.filter(F.col("m") > 5)', "shared-subplan"),
    "a guard on a name that the case binds": (AGG + 'match q:\n    case a if a.filter(F.col("m") > 5).count():\n        pass', "opaque"),
    "observed below": ('df.observe(o, F.count("*")).groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > 5)', "none"),
    "read by eval": ('def g():\n    return eval("a.count()")\n' + AGG + 'a.filter(F.col("m") > 5)', "shared-subplan"),
    "read through globals()": ('def g():\n    return globals()["a"]\n' + AGG + 'a.filter(F.col("m") > 5)', "shared-subplan"),
    "bound by exec": ("t = 5\n" + AGG + 'exec(z)\na.filter(F.col("m") > 5)', "opaque"),
    "a constant that a star import may bind": ('t = 5\nfrom mine import *\nfrom pyspark.sql import functions as G\na = df.groupBy("k").agg(G.max("x").alias("m"))\na.filter(G.col("m") > t)', "opaque"),
    "a constant that a relative star import may bind": ('t = 5\nfrom .mine import *\nfrom pyspark.sql import functions as G\na = df.groupBy("k").agg(G.max("x").alias("m"))\na.filter(G.col("m") > t)', "opaque"),
    "a constant that PySpark's star import binds": ("count = 5\nfrom pyspark.sql.functions import *\n" + AGG + 'a.filter(F.col("m") > count)', "opaque"),
    "an import that a star import may shadow": ('from pyspark.sql.functions import max as largest\nfrom mine import *\na = df.groupBy("k").agg(largest("x").alias("m"))\na.filter(F.col("m") > 5)', "opaque"),
    "a constant that an exception handler binds": ('def g(df):\n    return df.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > T)\nT = 5\ntry:\n    z()\nexcept E as T:\n    g(df)', "opaque"),
    "a constant that a case binds": ('def g(df):\n    return df.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > T)\nT = 5\nmatch q:\n    case {"t": T}:\n        g(df)', "opaque"),
    "a list of a variable that was rebound": ("t = 5\nz = (t, 6)\nt = 7\n" + AGG + 'a.filter(F.col("m").isin(z))', "volatile"),
    "keys that a call may fill": ('z = []\ng(z)\ndf.groupBy(z).agg(F.max("x").alias("m")).filter(F.col("m") > 5)', "opaque"),
    "keys under a second name": ('z = []\nc = z\nc.append("k")\ndf.groupBy(z).agg(F.max("x").alias("m")).filter(F.col("m") > 5)', "opaque"),
    "a streaming source": ('q = spark.readStream.parquet("p")\nq.groupBy("k").count().join(q).filter("count > 5")', "opaque"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), STOPS.values(), ids=STOPS.keys())
def test_a_filter_stops(code: str, expected: str) -> None:
    assert outcome(code) == expected


def test_nothing_is_followed_into_a_comprehension() -> None:
    assert outcome('[df.groupBy("k").count().filter(F.col("count") > i) for i in range(3)]') == "none"


def test_an_unannotated_value_in_a_file_without_pyspark_is_no_frame() -> None:
    assert module('def f(q):\n    return q.groupBy("k").count().filter("count > 5")', head="").filters == ()


def test_a_pandas_parameter_is_no_frame() -> None:
    code = 'import pandas as pd\ndef f(q: pd.DataFrame):\n    return q.groupBy("k").count().filter("count > 5")'
    assert module(code).filters == ()


def test_filters_are_outermost_first() -> None:
    code = AGG + 'c = a.filter(F.col("m") > 5)\ne = c.filter(F.col("m") < 9)\ndf.filter(F.col("x") > 1).show()'
    texts = [f.condition.text(HEAD + code) for f in module(code).filters]
    assert texts == ['F.col("m") < 9', 'F.col("m") > 5', 'F.col("x") > 1']


def test_a_parameter_keeps_its_value_between_boundary_and_filter() -> None:
    code = 'def f(t):\n    q = spark.createDataFrame(z, "k string, x int")\n    a = q.groupBy("k").agg(F.max("x").alias("m"))\n    return a.filter(F.col("m") > t)'
    assert outcome(code) == "agg: (m' > :t)"


def test_plans_name_what_they_hold() -> None:
    code = AGG + 'a.withColumnRenamed("m", "n").drop("k").filter(F.col("n") > 5)'
    assert plan(last(code)) == "filter[(n > 5)] < project[-k] < project[n=m, -m] < agg < parquet"


def test_the_same_source_gives_the_same_module() -> None:
    code = AGG + 'a.filter((F.col("m") > 5) & F.col("k").isin("p", "q"))'
    assert module(code) == module(code)


def test_reads_are_counted_for_the_right_variable_after_a_refusal() -> None:
    # What the second pass refuses must not shift the identities that the first pass counted by.
    code = (
        'g = df.groupBy("k")\nc = g.agg(F.max("x").alias("m"))\ng.count().show()\n'
        'u = F.udf(lambda v: 1 if v is None else 2, "int")\n'
        'e = c.select("k", u("m").alias("z"))\n' + AGG + 'a.show()\na.filter(F.col("m") > 5)'
    )
    assert outcome(code) == "shared-subplan"


def test_an_attribute_that_a_loop_assigns_is_forgotten() -> None:
    """What is known of an attribute goes as a whole where a loop assigns it; the function is read to its end."""
    read = read_module(
        "class Table:\n"
        "    def tidy(self, names):\n"
        "        for name in names:\n"
        "            self._df = self._df.drop(name)\n"
        "        return self._df.count() > 0\n"
    )
    assert not read.hidden
