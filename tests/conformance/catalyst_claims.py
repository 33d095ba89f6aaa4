"""Rewrites that were tried on Spark 4.3 (facts, section C), as programs: what Headwater says of each.

A claim is *sound* (S) or was refuted by a counterexample (U). Of a sound one either a pre-filter is proved, or it is told
why not; a refuted one is never among what is proved: ``wrong`` is the pre-filter that it puts below.
"""

# A claim per line reads best unwrapped.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass

SCHEMAS = {
    "t": "id bigint, k int, k2 int, v int, x double, s string, d date, ts timestamp, lv bigint, arr array<int>",
    "r": "rk int, rv int", "r2": "k int, rv int", "f": "x double, fv int",
}  # fmt: skip
HEAD = """
import pandas as pd
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.table("t")
r = spark.table("r")
r2 = spark.table("r2")
f = spark.table("f")


def largest(key, pdf):
    return pd.DataFrame({"k": [key[0]], "n": [pdf["x"].max()]})


def counted(key, pdf):
    return pd.DataFrame({"k": [key[0]], "top": [pdf["v"].max()], "n": [len(pdf)]})


def paired(key, left, right):
    return pd.DataFrame({"k": [key[0]], "n": [len(left) + len(right)]})


def second(key, pdf):
    return pd.DataFrame({"k": [key[0]], "k2": [key[1]], "n": [pdf["x"].max()]})


def demeaned(pdf):
    return pdf.assign(x=pdf.x - pdf.x.mean())


def relabelled(pdf):
    return pdf.assign(k=pdf.k + 1)


def filled(pdf):
    return pdf.fillna(0)


def made(pdf):
    return pd.DataFrame({"k": [1], "x": [0.0]})


def ranked(pdf):
    return pdf.assign(x=pdf.x.rank())


def by_x(key, pdf):
    return pd.DataFrame({"x": [key[0]], "n": [len(pdf)]})


def by_s(key, pdf):
    return pd.DataFrame({"s": [key[0]], "n": [len(pdf)]})


def local(batches):
    for pdf in batches:
        yield pdf[["k", "v", "x"]].assign(y=pdf.x * 2)


def stateful(batches):
    seen = 0
    for pdf in batches:
        seen += len(pdf)
        yield pdf[["k", "v"]].assign(n=seen)


def shown(batches):
    for pdf in batches:
        yield pdf[["k", "v"]].assign(text=pdf.v.astype(str))


@F.pandas_udf("double")
def greatest(x: pd.Series) -> float:
    return x.max()


"""
W = 'Window.partitionBy("k")'


@dataclass(frozen=True)
class Claim:
    """``names``: those of the facts; ``program``: an expression over the names of ``HEAD``, empty where there is nothing
    to run; ``wrong``: the pre-filter of a refuted claim; ``why``: of a sound one that is not proved."""

    names: tuple[str, ...]
    sound: bool
    program: str = ""
    wrong: str = ""
    why: str = ""
    before: str = ""


def _s(names: str, program: str = "", why: str = "", before: str = "") -> Claim:
    return Claim(tuple(names.split("; ")), True, program, "", why, before)


def _u(names: str, program: str = "", wrong: str = "", why: str = "", before: str = "") -> Claim:
    return Claim(tuple(names.split("; ")), False, program, wrong, why, before)


AIP = 't.groupBy("k").applyInPandas(largest, "k int, n double")'
MAX = 't.groupBy("k").agg(F.max("v").alias("m"))'
MAXX = 't.groupBy("k").agg(F.max("x").alias("m"))'
PAIRS = "t.rdd.map(lambda r: (r.k, r.v))"
LEFT = 't.join(r, t.k == r.rk, "left")'
OTHER = "another operator takes the place of one; only filters move"
STORAGE = "Spark moves it as it is; another condition for the sake of the storage is not looked for"
SPARK = "Spark moves it by itself as far as the source, and there is no boundary below"
PROJECTED = "Spark moves it below the projection; a condition on the column that is computed of is not looked for"


def _key(names: str, condition: str) -> Claim:
    return _s(names, f"{AIP}.filter({condition})")


GROUPED = (
    _key("aip-key k==1", 'F.col("k") == 1'), _key("aip-key k>1", 'F.col("k") > 1'), _key("aip-key k!=1", '"k != 1"'),
    _key("aip-key k isnull", '"k IS NULL"'), _key("aip-key k isin", '"k IN (1, 3)"'),
    _key("aip-key k<=>2", 'F.col("k").eqNullSafe(2)'),
    _s("aip-demean", 't.select("k", "x").groupBy("k").applyInPandas(demeaned, "k int, x double").filter("k = 1")'),
    _u("aip-keychg", 't.select("k", "x").groupBy("k").applyInPandas(relabelled, "k int, x double").filter("k = 2")',
       "k = 2"),
    _s("aip-nonkey-rowlocal",
       't.select("k", "v").groupBy("k").applyInPandas(lambda pdf: pdf, "k int, v int").filter("v > 2")'),
    _u("aip-nonkey-rank", 't.select("k", "x").groupBy("k").applyInPandas(ranked, "k int, x double").filter("x > 2")',
       "x > 2"),
    _s("aip-floatkey", 't.groupBy("x").applyInPandas(by_x, "x double, n long").filter("x > 1")'),
    _u("aip-floatkey-nofilterabove", why="the filter stays where NaN comes back as NULL: aip-floatkey"),
    _u("aip-floatkey-isnull", 't.groupBy("x").applyInPandas(by_x, "x double, n long").filter("x IS NULL")', "x IS NULL"),
    _s("aip-strkey", 't.groupBy("s").applyInPandas(by_s, "s string, n long").filter(F.col("s").startswith("a"))'),
    _s("aip-strkey-null", 't.groupBy("s").applyInPandas(by_s, "s string, n long").filter("s IS NULL")'),
    _s("aip-key-tuple", f'{AIP}.filter("k > 0")'),
    _u("aip-fillna", 't.select("k", "x").groupBy("k").applyInPandas(filled, "k int, x double").filter("k = 0")', "k = 0"),
    _u("aip-newrows", 't.select("k", "x").groupBy("k").applyInPandas(made, "k int, x double").filter("k = 1")', "k = 1"),
    _u("aip-dropna-groups", 't.groupBy("k").applyInPandas(counted, "k int, top double, n long").filter("top > 2")',
       "v > 2"),
    _s("aip-sub-key", 't.groupBy("k", "k2").applyInPandas(second, "k int, k2 int, n double").filter("k = 1")'),
    _s("aia-key", 't.select("k", "x").groupBy("k").applyInArrow(lambda table: table, "k int, x double").filter("k = 1")'),
    _s("cog-both; cog-left-retain", 't.groupBy("k").cogroup(r2.groupBy("k")).applyInPandas(paired, "k int, n long").filter("k = 1")'),
    _u("cog-left-drop", why="a filter goes to both sides: cog-both"),
    _s("mip-rowlocal", 't.mapInPandas(local, "k int, v int, x double, y double").filter("v > 2")'),
    _u("mip-stateful", 't.mapInPandas(stateful, "k int, v int, n long").filter("v > 2")', "v > 2"),
    _u("mip-dtype", 't.mapInPandas(shown, "k int, v int, text string").filter("v > 2")', "v > 2"),
    _s("gagg-having; gagg-having-nonan", 't.groupBy("k").agg(greatest("x").alias("m")).filter("m > 2")'),
    _u("gagg-native; gagg-sum", why=OTHER), _s("gagg-native-nan; gagg-sum-fix", why=OTHER),
    _s("gagg-key", 't.groupBy("k").agg(greatest("x").alias("m")).filter("k = 1")', SPARK),
)  # fmt: skip
AGGREGATES = (
    _s("max>c v; max>c v nohav", f'{MAX}.filter("m > 3")'), _s("max==c v", f'{MAX}.filter("m = 3")'),
    _u("max==c bad v", f'{MAX}.filter("m = 3")', "v = 3"), _u("max<c bad v", f'{MAX}.filter("m < 3")', "v < 3"),
    _s("min<c v", 't.groupBy("k").agg(F.min("v").alias("m")).filter("m < 3")'),
    _s("max not null v", f'{MAX}.filter("m IS NOT NULL")', "a pre-filter that only drops NULL saves nothing"),
    _s("max>c x; max>c x nohav; max>c x eq-nan", f'{MAXX}.filter("m > 3")'), _s("max==c x", f'{MAXX}.filter("m = 3")'),
    _u("max==c bad x", f'{MAXX}.filter("m = 3")', "x = 3"), _u("max<c bad x", f'{MAXX}.filter("m < 3")', "x < 3"),
    _s("min<c x", 't.groupBy("k").agg(F.min("x").alias("m")).filter("m < 3")'),
    _s("max not null x", f'{MAXX}.filter("m IS NOT NULL")', "a pre-filter that only drops NULL saves nothing"),
    _u("max+count", 't.groupBy("k").agg(F.max("v").alias("m"), F.count("*").alias("n")).filter("m > 3")', "v > 3"),
    _u("max+max2", 't.groupBy("k").agg(F.max("v").alias("m"), F.max("k2").alias("n")).filter("m > 3")', "v > 3"),
    _u("max+min same col", 't.groupBy("k").agg(F.max("v").alias("m"), F.min("v").alias("n")).filter("m > 3")', "v > 3"),
    _s("max+count-semi", why=OTHER), _u("max+count-semi-bad", why=OTHER),
    _s("having-proj",
       't.groupBy("k").agg(F.max("v").alias("m"), F.count("*").alias("n")).filter("m > 3").select("k")'),
    _s("count(x)>0", 't.groupBy("k").agg(F.count("x").alias("n")).filter("n > 0")',
       "a pre-filter that only drops NULL saves nothing"),
    _s("count(*)>0", 't.groupBy("k").agg(F.count("*").alias("n")).filter("n > 0")',
       "there is nothing to drop before the aggregation"),
    _u("count(*)>0 global", 't.agg(F.count("*").alias("n")).filter("n > 0")', "TRUE"),
    _s("bool_or", 't.groupBy("k").agg(F.bool_or(F.col("v") > 3).alias("b")).filter("b")'),
    _s("global max>c", 't.agg(F.max("v").alias("m")).filter("m > 3")'),
    _u("global max>c nohav", why="the filter stays: global max>c"),
    _u("sum>c", 't.groupBy("k").agg(F.sum("v").alias("m")).filter("m > 3")', "v > 0"),
    _u("avg>c", 't.groupBy("k").agg(F.avg("v").alias("m")).filter("m > 3")', "v > 3"),
    _s("cd>0", 't.groupBy("k").agg(F.collect_set("x").alias("c")).filter(F.size("c") > 0)',
       "a pre-filter that only drops NULL saves nothing"),
    _u("array_contains(collect_set)",
       't.groupBy("k").agg(F.collect_set("v").alias("c")).filter(F.array_contains("c", 5))', "v = 5"),
    _s("agg-disj", f'{MAX}.filter("(k = 1 AND m > 2) OR (k = 3 AND m > 0)")'),
    _s("rollup k==c", 't.rollup("k", "k2").agg(F.sum("x")).filter("k = 1")'),
    _s("rollup k2==c", 't.rollup("k", "k2").agg(F.count("v")).filter("k2 = 1")'),
    _s("cube", 't.cube("k", "k2").agg(F.max("v")).filter("k = 1")'),
    _u("rollup k==c nofilter; rollup isnull", 't.rollup("k", "k2").agg(F.sum("v")).filter("k IS NULL")', "k IS NULL"),
    _u("pivot-novalues", f'{AIP}.groupBy("k").pivot("n").agg(F.max("n")).filter("k = 1")', "k = 1"),
    _u("agg-key-negzero", 't.groupBy("x").count().filter("cast(x as string) = \'-0.0\'")', "cast(x as string) = '-0.0'"),
)  # fmt: skip


def _ranked(order: str, condition: str, function: str = "F.row_number()") -> str:
    return f't.withColumn("n", {function}.over({W}.orderBy({order}))).filter({condition!r})'


WINDOWS = (
    _s("win-expr", f'{AIP}.withColumn("m", F.max("n").over(Window.partitionBy(F.col("k") % 2))).filter("k % 2 = 1")'),
    _u("win-order-prefix-null", _ranked('"v"', "v <= 3"), "v <= 3"),
    _s("win-order-prefix", _ranked('"v"', "v <= 3")), _s("win-order-desc", _ranked('F.desc("x")', "x >= 3")),
    _s("win-order-prefix-nullslast", _ranked('F.asc_nulls_last("v")', "v <= 3")),
    _s("win-runsum-prefix", _ranked('F.asc_nulls_last("v")', "v <= 3", 'F.sum("v")')),
    _u("win-lead", _ranked('F.asc_nulls_last("v")', "v <= 3", 'F.lead("v")'), "v <= 3"),
    _s("win-lag", _ranked('F.asc_nulls_last("v")', "v <= 3", 'F.lag("v")')),
    _u("win-other", _ranked('"v"', "k2 = 1"), "k2 = 1"),
    _u("win-2keys", f'{AIP}.withColumn("a", F.count("*").over({W}))'
       '.withColumn("b", F.count("*").over(Window.partitionBy("n"))).filter("k = 1")', "k = 1"),
    _s("win-2keys-reorder", why="windows would change places; only filters move"),
    _u("win-max>c", f't.withColumn("m", F.max("v").over({W})).filter("m > 3")', "v > 3"),
    _s("win-v==max&max>c", f't.withColumn("m", F.max("v").over({W})).filter("m > 3 AND v = m")',
       "`max` over a partition is no fold of its rows here, as each row sees it: `v = m` beside it is what makes `v > 3` sound"),
    _s("win-disj", f'{AIP}.withColumn("p", F.rank().over({W}.orderBy("n")))'
       '.filter("(k = 1 AND p < 3) OR (k = 3 AND p < 2)")'),
)  # fmt: skip
ROWS = (
    _s("topn-desc", 't.orderBy(F.desc("v"), "id").limit(5).filter("v >= 3")'),
    _u("topn-asc-null", f'{AIP}.orderBy("n", "k").limit(5).filter("n <= 3")', "x <= 3"),
    _u("topn-other", f'{AIP}.orderBy(F.desc("n")).limit(5).filter("k = 1")', "k = 1"),
    _u("limit", f'{AIP}.limit(5).filter("k = 1")', "k = 1"),
    _u("sample", f'{AIP}.sample(0.5, 3).filter("k = 1")', "k = 1"),
    _u("dd-other", f'{AIP}.dropDuplicates(["k"]).filter("n = 1")', "x = 1"),
    _s("intersect", f'{AIP}.intersect({AIP}).filter("k = 1")'),
    _s("except; except-right-only", f'{AIP}.subtract({AIP}).filter("k = 1")'),
    _s("union-dist", f'{AIP}.union({AIP}).distinct().filter("k = 1")'),
    _u("mono", f'{AIP}.withColumn("i", F.monotonically_increasing_id()).filter("k = 1")', "k = 1"),
    _s("mono-unused", f'{AIP}.withColumn("i", F.monotonically_increasing_id()).filter("k = 1").drop("i")',
       "a column of numbers that are given out stops what comes past it, also where it is dropped later"),
    _u("rand-seed", f'{AIP}.withColumn("i", F.rand(3)).filter("k = 1")', "k = 1"),
    _s("nd-udf", 't.withColumn("y", F.udf(lambda v: v + 1, "int").asNondeterministic()("v")).filter("k = 1")',
       "who says that a function is volatile is believed"),
    _s("nafill>; nafill<; nafill int; nafill int !=; nareplace", why=STORAGE), _u("nafill> bad", why=STORAGE),
    _s("nadrop", why=STORAGE), _u("nadrop-bad", why=STORAGE),
    _s("explode-e", 't.select("k", F.explode("arr").alias("e")).filter("e > 5")'),
    _s("explode_outer null-rej", 't.select("k", F.explode_outer("arr").alias("e")).filter("e > 5")'),
    _s("unpivot-val", 't.unpivot(["k"], ["v", "k2"], "name", "val").filter("val > 5")'),
    _s("unpivot-var", 't.unpivot(["k"], ["v", "k2"], "name", "val").filter("name = \'v\'")',
       "no row goes: fewer columns would be unpivoted, and only filters move"),
    _s("stack-val", 't.select("k", F.expr("stack(2, \'v\', v, \'k2\', k2) AS (name, val)")).filter("val > 5")'),
)  # fmt: skip
_TOPS = (
    't.groupBy("k2").applyInPandas(lambda key, pdf: pd.DataFrame({"rk": [key[0]], "n": [len(pdf)]}), "rk int, n long")'
)


def _on(on: str, how: str, condition: str) -> str:
    return f't.join(tops, {on}, "{how}").filter("{condition}")'


_DEFINED = f"tops = {_TOPS}"
_FULL = 't.groupBy("k").applyInPandas(largest, "k int, n double").join(r2, "k", "full")'
JOINS = (
    _s("fullusing k==1; fullusing left only kept", f'{_FULL}.filter("k = 1")'),
    _s("fullusing k>1", f'{_FULL}.filter("k > 1")'), _s("fullusing k!=1", f'{_FULL}.filter("k != 1")'),
    _s("fullusing k isnull", f'{_FULL}.filter("k IS NULL")'), _s("fullusing k isin", f'{_FULL}.filter("k IN (1, 3)")'),
    _s("fullusing k<=>2", f'{_FULL}.filter("k <=> 2")'),
    _s("fullusing-x", 't.groupBy("x").applyInPandas(by_x, "x double, n long").join(f, "x", "full").filter("x > 1")'),
    _u("fullusing one side", why="a filter goes to both sides, and stays: fullusing k==1"),
    _s("left-disj", f'{AIP}.join(r, F.col("k") == F.col("rk"), "left")'
       '.filter("(k > 2 AND rv > 3) OR (k < 0 AND rv IS NULL)")'),
    _u("left-disj-right", 'r.join(tops, F.col("rv") == F.col("rk2"), "left")'
       '.filter("(rv > 2 AND rk2 > 3) OR (rv < 0 AND rk2 IS NULL)")', "k2 > 3 OR k2 IS NULL",
       before='tops = t.groupBy("k2").applyInPandas('
       'lambda key, pdf: pd.DataFrame({"rk2": [key[0]], "n": [len(pdf)]}), "rk2 int, n long")'),
    _s("left-disj-inner", _on("t.k == tops.rk", "left", "(v > 2 AND rk > 3) OR (v < 0 AND rk > 5)"), before=_DEFINED),
    _s("left-udf-inner", f'{LEFT}.filter(F.udf(lambda v: v is not None and v > 3, "boolean")("rv"))'),
    _u("left-udf-inner-bad", f'{LEFT}.filter(F.udf(lambda v: v is None or v > 3, "boolean")("rv"))', "rv > 3"),
    _s("left-anti", why=OTHER), _u("left-anti-bad", why=OTHER),
    _u("left-on-leftpred", 'tops.join(r, (tops.rk == r.rv) & (tops.rk > 1), "left").filter(r.rv > 0)', "k2 > 1",
       before=_DEFINED),
    _s("nullsafe", _on("t.k.eqNullSafe(tops.rk)", "inner", "k > 1"), before=_DEFINED),
    _s("nullsafe-left", _on("t.k.eqNullSafe(tops.rk)", "left", "k > 1"), before=_DEFINED),
    _s("exprkey", _on("t.k + 1 == tops.rk", "inner", "v > 1"), "equal columns carry a filter over, sums do not: they may raise",
       before=_DEFINED),
    _s("noneq; noneq-left", _on("t.k < tops.rk", "inner", "k > 1"), before=_DEFINED),
    _s("between", _on("t.k.between(tops.n, tops.rk)", "inner", "k > 3"), before=_DEFINED),
    _s("in-sub; in-sub-rev; notexists", why="subqueries are not read"), _u("notin-sub", why="subqueries are not read"),
)  # fmt: skip
PAIR_CLAIMS = (
    _s("rdd-rbk-key", f"{PAIRS}.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] == 1)"),
    _u("rdd-rbk-key!=", f"{PAIRS}.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] != 1)", "k != 1"),
    _s("rdd-rbk-key!= fix", f"{PAIRS}.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] != 1)"),
    _s("rdd-abk-max", f"{PAIRS}.aggregateByKey(None, lambda a, v: v if a is None or v > a else a, "
       "lambda a, b: a if b is None else b if a is None else max(a, b)).filter(lambda kv: kv[1] is not None and kv[1] > 3)"),
    _u("rdd-abk-max zero", f"{PAIRS}.aggregateByKey(10, max, max).filter(lambda kv: kv[1] > 3)", "v > 3"),
    _s("rdd-abk->df", why=OTHER), _u("rdd-nankey", why=OTHER),
    _s("rdd-gbk", f"{PAIRS}.groupByKey().mapValues(len).filter(lambda kv: kv[0] == 1)"),
    _s("rdd-filter", "t.rdd.filter(lambda r: r.v is not None and r.v > 3)"),
)  # fmt: skip


def _python(function: str, column: str = "v") -> str:
    return f't.filter(F.udf({function}, "boolean")("{column}"))'


def _py(names: str, function: str, column: str = "v", why: str = "", wrong: str | None = None) -> Claim:
    both = "; ".join(f"{p} {n}" for n in names.split("; ") for p in ("pyA", "pyP"))
    program = _python(function, column)
    return _s(both, program, why) if wrong is None else _u(both, program, wrong)


_TABLES = "Java's tables of letters and digits are not Python's"
PYTHON = (
    _py("guard>", "lambda v: v is not None and v > 3"),
    _py("guard> double", "lambda x: x is not None and x > 2", "x", wrong="x > 2"),
    _py("guard> double fix", "lambda x: x is not None and x > 2", "x"),
    _py("guard< double", "lambda x: x is not None and x < 2", "x"),
    _py("!=", "lambda v: v != 5", wrong="v != 5"), _py("!= fix", "lambda v: v != 5"), _py("==", "lambda v: v == 5"),
    _py("== nan", "lambda x: x is not None and x == x", "x", wrong="x = x"), _py("in", "lambda v: v in (1, 5)"),
    _py("not in", "lambda v: v not in (1, 5)", wrong="v NOT IN (1, 5)"), _py("not in fix", "lambda v: v not in (1, 5)"),
    _py("%", "lambda v: v is not None and v % 3 == 1", wrong="v % 3 = 1"),
    _py("% fix", "lambda v: v is not None and v % 3 == 1"), _py("//", "lambda v: v is not None and v // 2 == -2"),
    _py("// bad", "lambda v: v is not None and v // 2 == -2", wrong="cast(v / 2 AS int) = -2"),
    _py("round", "lambda x: x is not None and round(x) == 2", "x", wrong="round(x) = 2"),
    _py("round fix", "lambda x: x is not None and round(x) == 2", "x"),
    _py("truthy", "lambda v: bool(v)"), _py("truthy x", "lambda x: bool(x)", "x"),
    _py("chain", "lambda v: v is not None and 0 < v < 7"), _py("not>", "lambda v: v is not None and not v > 3"),
    _py("not> nan", "lambda x: x is not None and not x > 3", "x", wrong="NOT x > 3"),
    _py("or None", "lambda v: v is None or v > 3"),
    _py("startswith", 'lambda s: s is not None and s.startswith("ab")', "s"),
    _py("contains", 'lambda s: s is not None and "b" in s', "s"),
    _py("strip", 'lambda s: s is not None and s.strip() == "a"', "s"),
    _py("len", "lambda s: s is not None and len(s) == 1", "s"),
    _py("upper", 'lambda s: s is not None and s.upper() == "SS"', "s"),
    _py("isdigit", "lambda s: s is not None and s.isdigit()", "s", _TABLES),
    _py("slice", 'lambda s: s is not None and s[:2] == "ab"', "s"),
    _py("re.match$", 'lambda s: s is not None and re.match("ab.c$", s) is not None', "s",
        "regular expressions of Python and of Java differ"),
    _py("year", "lambda d: d is not None and d.year == 2024", "d"),
    _py("weekday", "lambda d: d is not None and d.weekday() == 0", "d"),
    _py("tshour", "lambda ts: ts is not None and ts.hour == 5", "ts", "a function sees timestamps in its worker's time zone"),
    _py("strcmp", 'lambda s: s is not None and s > "ab"', "s"),
    _py("None-return", "lambda v: None if v is None or v < 0 else v > 3"),
    _py("bigmul", "lambda v: v is not None and v * 1000000000000 > 5000000000000"),
    _s("pyA int-as-bool", _python("lambda v: v"), "what is stored of an int depends on Arrow, which the file does not say"),
    _u("pyP int-as-bool", _python("lambda v: v"), "v != 0"),
    _u("py-ts-tz arrow=True; py-ts-tz arrow=False", _python("lambda ts: ts.hour == 5", "ts"), "hour(ts) = 5"),
    _s("mixed-or-udf", 't.filter(((F.col("v") > 1) & odd("s")) | ((F.col("v") < -5) & odd("s")))',
       before='import unicodedata\n\n\n@F.udf("boolean")\ndef odd(s):\n'
              "    return s is not None and unicodedata.numeric(s[0], 0) % 2 == 1\n\n"),
    _u("guard-raise", _python("lambda v: v > 3"), why="the original raises; a rewrite may remove an error"),
)  # fmt: skip


def _pandas(name: str, body: str, column: str = "v", wrong: str | None = None) -> Claim:
    before = f'@F.pandas_udf("boolean")\ndef test(c: pd.Series) -> pd.Series:\n    return {body}\n\n'
    program = f't.filter(test("{column}"))'
    return _s(name, program, before=before) if wrong is None else _u(name, program, wrong, before=before)


SERIES = (
    _pandas("pd >", "c > 3"), _pandas("pd > dbl", "c > 3", "x", "x > 3"), _pandas("pd !=", "c != 5", wrong="v != 5"),
    _pandas("pd != fix", "c != 5"), _pandas("pd ~", "~(c > 3)", wrong="NOT (v > 3)"), _pandas("pd ~ fix", "~(c > 3)"),
)  # fmt: skip
NATIVE = (
    _s("year; yeard; year>; datefmt; caststr; v+1; v*2; v/3; abs; substr; substr-short-eq; rlike; rlike$; like_; coalesce>;"
       " case; case-lo2; whenTF; longfloat; isin-dates; implied-or; not-null; nullif; concat; upper; upper-mixed; year-tz",
       why=STORAGE),
    _u("caststr0; substr-short; coalesce<; case-lo; notwhenTF; longfloat-big; longfloat-eq-big; eqNone; upper-ss; todate-str",
       why=STORAGE),
)  # fmt: skip
CLAIMS = (*GROUPED, *AGGREGATES, *WINDOWS, *ROWS, *JOINS, *PAIR_CLAIMS, *PYTHON, *SERIES, *NATIVE)
