"""Probes of what Spark and pandas make of each other: columns as functions see them, and results as Spark stores them."""

from __future__ import annotations

from collections.abc import Iterator

from .probes import Probe, of_python

_HEAD = """
import datetime as dt
from decimal import Decimal
import pandas as pd
import numpy as np
from pyspark.sql import functions as F, types as T, Row, Window

t = spark.createDataFrame([(1, 1), (1, 2), (2, 3)], "k int, v int").coalesce(1)
e = t.filter("k > 5")
NULLS = {"int": "(1, null)", "bigint": "(1L, null)", "smallint": "(1S, null)", "double": "(1D, null)",
    "float": "(float(1), null)", "boolean": "(true, null)", "string": "('a', null)", "date": "(date'2020-01-01', null)",
    "timestamp": "(timestamp'2020-01-01 00:00:00', null)", "decimal": "(1.5BD, null)", "binary": "(x'61', null)",
    "array": "(array(1, null), null)", "struct": "(named_struct('a', 1), null)", "map": "(map('a', 1), null)",
    "timestamp_ntz": "(timestamp_ntz'2020-01-01 00:00:00', null)", "interval": "(interval '1' day, null)"}

def column(kind, null):
    first, second = NULLS[kind][1:-1].rsplit(", ", 1)
    rows = [first, second] if null else [first]
    return spark.sql("select * from values " + ", ".join(f"({r})" for r in rows) + " as t(c)").coalesce(1)

def shown(s):
    return str(s.dtype) + " " + " ".join(f"{type(v).__name__}:{v!r}" for v in s)

def grouped(kind, null):
    def f(p): return pd.DataFrame({"r": [shown(p["c"])]})
    return column(kind, null).withColumn("g", F.lit(1)).groupBy("g").applyInPandas(f, "r string")

def series(kind, null):
    @F.pandas_udf("string")
    def f(s: pd.Series) -> pd.Series: return pd.Series([shown(s)] * len(s))
    return column(kind, null).select(f("c"))

def collected(kind, null): return shown(column(kind, null).toPandas()["c"])

def returns(make, schema):
    return t.groupBy("k").applyInPandas(lambda p: make(p), schema)

def mapped(make, schema):
    return t.mapInPandas(lambda ps: (make(p) for p in ps), schema)

def of(values): return lambda p: pd.DataFrame({"r": values * len(p)})

@F.pandas_udf("double")
def mean(s: pd.Series) -> float: return float(s.mean())

@F.pandas_udf("bigint")
def many(s: pd.Series) -> int: return len(s)

floats = spark.createDataFrame([(0.0, 1), (-0.0, 2), (float("nan"), 3), (float("nan"), 4), (None, 5)], "k double, v int").coalesce(1)
"""
KINDS = "int bigint smallint double float boolean string date timestamp timestamp_ntz decimal binary array struct map interval".split()
RETURNED = {
    "float as int": ('of([1.0])', "r int"), "fraction as int": ('of([1.5])', "r int"),
    "NaN as int": ('of([float("nan")])', "r int"), "NaN as bigint": ('of([float("nan")])', "r bigint"),
    "None as int": ('of([None])', "r int"), "int as string": ('of([1])', "r string"),
    "text as int": ('of(["1"])', "r int"), "bool as int": ('of([True])', "r int"),
    "int as double": ('of([1])', "r double"), "int as boolean": ('of([1])', "r boolean"),
    "too large an int": ('of([2**40])', "r int"), "double as float": ('of([0.1])', "r float"),
    "NaN as double": ('of([float("nan")])', "r double"), "NaN as string": ('of([float("nan")])', "r string"),
    "None as string": ('of([None])', "r string"), "datetime as date": ('of([dt.datetime(2020, 1, 1, 5)])', "r date"),
    "text as date": ('of(["2020-01-01"])', "r date"), "date as timestamp": ('of([dt.date(2020, 1, 1)])', "r timestamp"),
    "Decimal as decimal": ('of([Decimal("1.555")])', "r decimal(10,2)"),
    "float as decimal": ('of([1.5])', "r decimal(10,2)"), "nullable Int64": (
        'lambda p: pd.DataFrame({"r": pd.array([1, None], dtype="Int64")})', "r int"),
    "by position": ('lambda p: pd.DataFrame([[1, 2]])', "a int, b int"),
    "by name": ('lambda p: pd.DataFrame({"b": [2], "a": [1]})', "a int, b int"),
    "a column more": ('lambda p: pd.DataFrame({"a": [1], "b": [2]})', "a int"),
    "a column less": ('lambda p: pd.DataFrame({"a": [1]})', "a int, b int"),
    "another name": ('lambda p: pd.DataFrame({"z": [1]})', "a int"),
    "no columns": ('lambda p: pd.DataFrame()', "a int"),
    "no rows": ('lambda p: p[p.v > 9]', "k int, v int"),
    "None": ('lambda p: None', "a int"),
}  # fmt: skip
QUESTIONS = {
    "UDAF of no rows": 'e.agg(mean("v"))',
    "UDAF counting no rows": 'e.agg(many("v"))',
    "grouped UDAF of no rows": 'e.groupBy("k").agg(many("v"))',
    "UDAF over a window": 't.select("k", many("v").over(Window.partitionBy("k")))',
    "UDAF beside a native aggregate": 't.groupBy("k").agg(many("v"), F.sum("v"))',
    "UDAF by NaN and -0.0": 'floats.groupBy("k").agg(many("v"))',
    "applyInPandas by NaN and -0.0": 'floats.groupBy("k").applyInPandas(lambda p: pd.DataFrame({"n": [len(p)]}), "n int")',
    "key of applyInPandas at NULL": 'floats.groupBy("k").applyInPandas(lambda k, p: pd.DataFrame({"n": [repr(k)]}), "n string")',
    "key type of applyInPandas": 't.groupBy("k").applyInPandas(lambda k, p: pd.DataFrame({"n": [type(k[0]).__name__]}), "n string")',
    "applyInPandas of no rows": 'e.groupBy("k").applyInPandas(lambda p: p, "k int, v int")',
    "applyInPandas without keys, of no rows": 'e.groupBy().applyInPandas(lambda p: pd.DataFrame({"n": [len(p)]}), "n int")',
    "index of a group": 't.groupBy("k").applyInPandas(lambda p: pd.DataFrame({"n": [str(list(p.index))]}), "n string")',
    "order of a group": 't.groupBy("k").applyInPandas(lambda p: pd.DataFrame({"n": [str(list(p.v))]}), "n string")',
    "cogroup with a side of no rows": 't.groupBy("k").cogroup(e.groupBy("k")).applyInPandas(lambda a, b: pd.DataFrame({"n": [str((len(a), len(b), str(b.dtypes.iloc[0])))]}), "n string")',
    "mapInPandas of no rows": 'e.mapInPandas(lambda ps: (p for p in ps), "k int, v int")',
    "mapInPandas calls for no rows": 'e.mapInPandas(lambda ps: [pd.DataFrame({"n": [len(list(ps))]})], "n int")',
    "mapInArrow": 't.mapInArrow(lambda bs: bs, "k int, v int")',
    "mapInArrow, another type": 't.mapInArrow(lambda bs: bs, "k bigint, v int")',
    "applyInArrow": 't.groupBy("k").applyInArrow(lambda a: a, "k int, v int")',
    "applyInArrow, columns swapped": 't.groupBy("k").applyInArrow(lambda a: a.select(["v", "k"]), "k int, v int")',
    "applyInArrow, another type": 't.groupBy("k").applyInArrow(lambda a: a, "k bigint, v int")',
    "text column of no NULL is None or NaN": 'str([x is None for x in spark.sql("select * from values (\'a\'), (null) t(c)").coalesce(1).toPandas()["c"]])',
    "createDataFrame from pandas with NaN": 'spark.createDataFrame(pd.DataFrame({"a": [1.0, float("nan")]})).filter("a is null")',
    "createDataFrame from pandas with None in texts": 'spark.createDataFrame(pd.DataFrame({"a": ["x", None]})).filter("a is null")',
    "createDataFrame verifies types": 'spark.createDataFrame([("x",)], "a int")',
    "createDataFrame of float as int": 'spark.createDataFrame([(1.0,)], "a int")',
    "createDataFrame of int as double": 'spark.createDataFrame([(1,)], "a double")',
    "toDF of an RDD, int and float": 'spark.sparkContext.parallelize([(1,), (1.5,)], 1).toDF(["a"])',
    "toDF of an RDD, inferred from the first row": 'spark.sparkContext.parallelize([(1,), ("x",)], 1).toDF(["a"])',
    "toDF of dicts": 'spark.sparkContext.parallelize([{"b": 1, "a": 2}], 1).toDF()',
    "fields of Row by name": 'str(Row(b=1, a=2))',
    "row of df.rdd": 't.rdd.map(lambda r: (type(r).__name__, r.k)).first()',
    "timestamp in df.rdd": 'spark.sql("select timestamp\'2020-01-01 05:00:00\' as t").rdd.map(lambda r: repr(r.t)).first()',
    "float column in df.rdd": 'spark.sql("select float(0.1) as t").rdd.map(lambda r: repr(r.t)).first()',
    "cached NaN": 'floats.cache().filter("k > 1")',
    "isEmpty": 'e.isEmpty()',
    "dropDuplicates by -0.0": 'str(floats.dropDuplicates(["k"]).count())',
    "replace": 't.replace(1, 9)',
    "fillna of a text in an int column": 't.fillna("x")',
    "na.drop of NaN": 'floats.na.drop()',
    "withColumn that exists": 't.withColumn("K", F.lit(9))',
    "filter by a text with ANSI": 't.filter(F.col("v") == "x")',
    "isin of texts": 't.filter(F.col("v").isin("1", "x"))',
    "eqNullSafe of a text": 't.filter(F.col("v").eqNullSafe("1"))',
    "random split": 'str(len(t.randomSplit([0.5, 0.5], 1)))',
    "count_if": 't.groupBy("k").agg(F.count_if(F.col("v") > 1))',
    "any_value": 't.groupBy("k").agg(F.any_value("v"))',
    "size of NULL": 'spark.sql("select cast(null as array<int>) a").select(F.size("a"))',
    "array item beyond the end": 'spark.sql("select array(1) a from range(1)").select(F.col("a")[5])',
    "getItem of a missing key": 'spark.sql("select map(1, 2) a from range(1)").select(F.col("a")[5])',
    "element_at beyond the end": 'spark.sql("select array(1) a from range(1)").select(F.element_at("a", 5))',
    "get beyond the end": 'spark.sql("select array(1) a from range(1)").select(F.get("a", F.lit(5)))',
    "sum that overflows": 'spark.sql("select * from values (9223372036854775807L), (1L) t(a)").agg(F.sum("a"))',
    "division by zero": 't.select(F.col("v") / 0)',
    "round of a column": 't.select(F.round(F.col("v") / 2))',
    "isnan of NULL": 'floats.select(F.isnan("k"))',
    "a UDF registered under a native name": '(spark.udf.register("upper", lambda s: "mine", "string"), spark.sql("select upper(\'a\') from range(1)"))[1]',
}  # fmt: skip
UDTF = """
from pyspark.sql import functions as F, Row
from pyspark.sql.functions import udtf
@udtf(returnType="a int, b string")
class Shown:
    def eval(self, v): yield 1, f"{type(v).__name__} {v!r}"
@udtf(returnType="n int")
class Counting:
    def __init__(self): self.n = 0
    def eval(self, row): self.n += 1
    def terminate(self): yield self.n,
@udtf(returnType="n int")
class Wrong:
    def eval(self, v): yield 1.5,
@udtf(returnType="n int")
class NoTuple:
    def eval(self, v): yield 1
@udtf(returnType="n int")
class Text:
    def eval(self, v): yield "1",
@udtf(returnType="n int")
class Nothing:
    def eval(self, v): return None
@udtf(returnType="n string")
class Keys:
    def eval(self, row): yield f"{type(row).__name__} {row['k']} {row[0]} {row.k}",
for name, c in (("shown", Shown), ("counting", Counting), ("wrong", Wrong), ("no_tuple", NoTuple), ("texts", Text),
                ("nothing", Nothing), ("keys", Keys)):
    spark.udtf.register(name, c)
spark.sql("select * from values (1, 1), (1, 2), (2, 3) t(k, v)").coalesce(1).createOrReplaceTempView("udtf_t")
"""
UDTFS = {
    "constant argument": 'spark.sql("select * from shown(1)")',
    "NULL argument": 'spark.sql("select * from shown(cast(null as int))")',
    "lateral": 'spark.sql("select * from udtf_t, lateral shown(v)")',
    "decimal argument": 'spark.sql("select * from shown(1.5)")',
    "array argument": 'spark.sql("select * from shown(array(1))")',
    "timestamp argument": 'spark.sql("select * from shown(timestamp\'2020-01-01 00:00:00\')")',
    "called on a frame": 'Shown(F.lit(1))',
    "fraction as int": 'spark.sql("select * from wrong(1)")',
    "no tuple": 'spark.sql("select * from no_tuple(1)")',
    "text as int": 'spark.sql("select * from texts(1)")',
    "eval gives None": 'spark.sql("select * from nothing(1)")',
    "table argument": 'spark.sql("select * from counting(table(udtf_t))")',
    "table argument by partition": 'spark.sql("select * from counting(table(udtf_t) partition by k)")',
    "table in one partition": 'spark.sql("select * from counting(table(udtf_t) with single partition)")',
    "terminate of no rows": 'spark.sql("select * from counting(table(select * from udtf_t where k > 5) with single partition)")',
    "the row that eval is given": 'spark.sql("select * from keys(table(udtf_t))")',
    "asTable": 'Counting(spark.table("udtf_t").asTable().partitionBy("k"))',
    "UDTF with Arrow": '(spark.conf.set("spark.sql.execution.pythonUDTF.arrow.enabled", "true"), spark.sql("select * from wrong(1)"))[1]',
    "lateralJoin": 'spark.table("udtf_t").lateralJoin(spark.tvf.range(1))',
}  # fmt: skip


def probes() -> Iterator[Probe]:
    for way, name in (("grouped", "applyInPandas"), ("collected", "toPandas")):
        asked = {
            f"{k}{' and NULL' if null else ''} in {name}": f"{way}({k!r}, {null})" for k in KINDS for null in (0, 1)
        }
        yield from of_python("pandas column", asked, _HEAD)
    results = {name: f"returns({make}, {schema!r})" for name, (make, schema) in RETURNED.items()}
    yield from of_python("applyInPandas result", results, _HEAD)
    yield from of_python("DataFrame", QUESTIONS, _HEAD)
    yield from of_python("UDTF", UDTFS, UDTF)
