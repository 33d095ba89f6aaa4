"""Spark's functions, all of them, as keys, arguments and neighbours of what is aggregated and filtered."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import ast
import datetime as dt
from decimal import Decimal
from functools import cache
from typing import Any

from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from tests.tables.spark_calls import CALLS

from .program import Draw, Program
from .signatures import arguments, parameters

_TYPES = {
    "k": "string", "v": "int", "id": "bigint", "i": "int", "l": "bigint", "d": "double", "f": "float", "n": "decimal(10,2)", "b": "boolean", "s": "string", "js": "string", "dt": "date", "ts": "timestamp",
    "x": "binary", "ai": "array<int>", "sa": "array<string>", "aa": "array<array<int>>", "m": "map<string,int>", "st": "struct<a:int,b:string>", "ast": "array<struct<k:string,v:int>>", "af": "array<float>",
}  # fmt: skip
DDL = ", ".join(f"{name} {kind}" for name, kind in _TYPES.items())
_ELSEWHERE = frozenset({"iv", "ym", "tm", "tn", "v"})
"""Columns of the measured table that this one does not have, or has of another type."""
_COLUMN = (*(f'"{name}"' for name in ("k", "v", "d", "ts", "dt", "ai", "s")), 'F.col("v")', 'F.col("s")', 'F.col("ts")')
DOMAINS: dict[str, tuple[str, ...]] = {
    "col": _COLUMN, "col1": _COLUMN, "col2": _COLUMN, "e": _COLUMN, "colName": _COLUMN, "str": ('"s"', '"k"', 'F.col("s")'), "string": ('"s"',), "src": ('"s"',),
    "left": _COLUMN, "right": _COLUMN, "x": _COLUMN, "y": _COLUMN, "a": _COLUMN, "b": _COLUMN, "timeColumn": ('"ts"', 'F.col("ts")'), "windowDuration": ('"1 hour"', '"2 hours"', '"1 day"'),
    "slideDuration": ('"30 minutes"', "None", '"1 hour"'), "startTime": ("None", '"15 minutes"'), "gapDuration": ('"2 hours"', '"30 minutes"', 'F.lit("2 hours")'),
    "windowColumn": ('F.window("ts", "1 hour")',), "timestamp": ('"ts"',), "date": ('"dt"', '"ts"'), "date1": ('"dt"',), "date2": ('"dt"', '"ts"'), "start": ('"dt"', '"v"', "F.lit(1)"),
    "stop": ('"dt"', "F.lit(3)"), "end": ('"dt"',), "step": ("None",), "days": ("1", '"v"'), "months": ("1", '"v"'), "dayOfWeek": ('"Mon"',), "format": ('"yyyy-MM"', '"month"', '"day"'),
    "unit": ('"DAY"', '"HOUR"'), "field": ('F.lit("hour")', 'F.lit("year")'), "source": ('"ts"',), "tz": ('"UTC"', '"America/New_York"'), "pattern": ('"a"', '"(a)"'), "replacement": ('"b"',), "idx": ("0", "1"),
    "pos": ("1", "F.lit(1)"), "len": ("1", "2", "F.lit(2)"), "pad": ('"x"',), "n": ("1", "2"), "seed": ("None", "3"), "numBits": ("256",), "numBuckets": ("4",), "scale": ("0", "1"), "index": ("0", "1"), "extraction": ("0", "1", "2"),
    "delim": ('" "', '","'), "count": ("1",), "value": ("1", '"a"', '"v"'), "ignorenulls": ("True", "False"), "ignoreNulls": ("True", "False"), "offset": ("1", "-1"), "default": ("None", "0"), "asc": ("True", "False"),
    "rsd": ("None", "0.1"), "percentage": ("0.5",), "accuracy": ("100",), "frequency": ("1",), "replace": ("True", "False"), "matching": ('"a"',), "length": ("2", "F.lit(2)"), "charset": ('"utf-8"',), "mode": ("None",), "padding": ("None",),
    "condition": ('F.col("v") > 1', 'F.col("s") == "a"'), "delimiter": ('","',), "null_replacement": ("None", '"-"'), "size": ("2",), "f": ("lambda x: x", "lambda x: x > 1"), "initialValue": ("F.lit(0)",), "merge": ("lambda a, x: a + x",), "finish": ("None",),
    "comparator": ("None",), "key": ('F.lit("k")',), "path": ('"$.a"',), "limit": ("-1", "2"), "base": ("2.0", '"v"'), "fromBase": ("10",), "toBase": ("2",), "nullsLast": ("True",), "regexp": ('F.lit("a")',), "substr": ('F.lit("a")',), "substring": ('F.lit("a")',),
    "expr": ('F.lit("a")',), "expr1": _COLUMN, "expr2": _COLUMN, "days_": ("1",), "min": ("F.lit(0)",), "max": ("F.lit(9)",), "numBucket": ("F.lit(3)",), "year": ("F.lit(2024)",), "month": ("F.lit(5)",), "day": ("F.lit(3)",), "hour": ("F.lit(1)",), "minute": ("F.lit(1)",), "second": ("F.lit(1)",), "sourceTz": ('F.lit("UTC")',), "targetTz": ('F.lit("Asia/Tokyo")',), "sourceTs": ('"ts"',), "quarters": ("1",), "jsonType": ("None",), "errMsg": ('"no"', "None"), "ascending": ("True",), "min_": ("0",), "variable": ('"a"',), "partToExtract": ('F.lit("HOST")',), "url": ('"s"',), "text": ('"s"',), "search": ('"a"',), "extra": ("None",),
}  # fmt: skip
COLUMN_LISTS = frozenset({"cols", "exprs", "columns"})
TIME_AND_CHANCE = (
    "session_window window window_time rand randn uuid randstr uniform shuffle monotonically_increasing_id spark_partition_id input_file_name current_timestamp now localtimestamp"
    " current_date curdate unix_timestamp current_user user session_user current_timezone current_catalog current_database current_schema version row_number explode posexplode"
    " explode_outer posexplode_outer inline stack lag lead rank ntile json_tuple input_file_block_start grouping grouping_id last first collect_list"
).split()
"""What most deserves a try: windows, generators, chance, time and what depends on the session."""
_POSITIONS: tuple[str, ...] = (
    't.withColumn("z", {f}).groupBy("k", "z").agg({a}).filter({c})', 't.select("k", "v", {f}.alias("z")).groupBy("k", "z").agg({a}).filter({c})', 't.groupBy({f}.alias("z")).agg({a}).filter({c})',
    't.groupBy("k", {f}).agg({a}).filter({c})', 't.withColumn("z", {f}).groupBy("z").agg({a}).filter({c})', 't.groupBy("k").agg(F.max({f}).alias("z"), {a}).filter({c})', 't.withColumn("z", {f}).groupBy("k").agg(F.max("z").alias("y"), {a}).filter({c})',
    't.withColumn("z", {f}).groupBy("k").agg({a}).filter({c})', 't.withColumn("w", F.max("v").over(Window.partitionBy({f}))).filter("k = \'a\'")', 't.withColumn("z", {f}).withColumn("w", F.max("v").over(Window.partitionBy("k", "z"))).filter("k = \'a\'")',
    't.groupBy("k").agg({a}).withColumn("z", F.lit(1)).filter({c})', 't.join(u, t["k"] == {f}).groupBy(t["k"]).agg({a}).filter({c})', 't.withColumn("z", {f}).dropDuplicates(["k", "z"]).groupBy("k").agg({a}).filter({c})', 't.withColumn("z", {f}).rdd.map(lambda r: (r.k, r.z)).filter(lambda p: p[0] == "a")',
    't.select("k", "v", {f}.alias("z")).rdd.map(lambda r: (r.k, str(r.z))).filter(lambda p: p[0] == "a")', 't.select("*", {f}.alias("z")).groupBy("k").applyInPandas(lambda pdf: pdf[["k", "v"]], "k string, v int").filter("k = \'a\'")',
    't.withColumn("z", {f}).filter("z IS NOT NULL").groupBy("k").agg({a}).filter({c})', 't.repartition({f}).groupBy("k").agg({a}).filter({c})', 't.orderBy({f}).groupBy("k").agg({a}).filter({c})', 't.groupBy("k", "s").agg({a}).withColumn("z", {f2}).filter({c})',
    't.withColumn("z", {f}).mapInPandas(ident, "k string, z string").filter("k = \'a\'")', 't.withColumn("z", {f}).groupBy("k", "z").applyInPandas(lambda pdf: pdf[["k", "v"]], "k string, v int").filter("k = \'a\'")', 't.withColumn("z", {f}).distinct().groupBy("k").agg({a}).filter({c})',
    't.withColumn("z", {f}).filter("v > 1").groupBy("k", "z").agg({a}).filter({c})', 't.withColumn("z", {f}).unpivot(["k", "z"], ["v"], "n", "x").groupBy("k", "z").agg(F.max("x").alias("top")).filter("top > 1")', 't.agg(F.max({f}).alias("z"), {a}).filter({c})',
)  # fmt: skip
_AGGREGATES = (
    'F.max("v").alias("top")',
    'F.count_if(F.col("v") > 1).alias("top")',
    'F.min("v").alias("top")',
    'F.max(F.when(F.col("s") == "a", F.col("v"))).alias("top")',
    'F.max_by("v", "v").alias("top")',
)
_FILTERS = (
    'F.col("top") > 1',
    '"top > 1"',
    'F.col("top") >= 2',
    '"top IS NOT NULL"',
    "\"top > 1 AND k = 'a'\"",
    'F.col("top") > 0',
)
_AGGREGATED: tuple[str, ...] = (
    't.groupBy("k").agg({f}.alias("z"), {a}).filter({c})', 't.groupBy("k").agg({f}.alias("z")).filter("k = \'a\'")', 't.groupBy("k").agg({f}.alias("top")).filter("top IS NOT NULL")', 't.groupBy("k", "b").agg({f}.alias("z")).filter("k = \'a\' AND b")',
    't.withColumn("z", {f}.over(Window.partitionBy("k"))).filter("k = \'a\'")', 't.withColumn("z", {f}.over(Window.partitionBy("k").orderBy("id"))).filter("k = \'a\' OR k IS NULL")', 't.agg({f}.alias("z"), {a}).filter({c})', 't.rollup("k").agg({f}.alias("z")).filter("k = \'a\'")',
    't.groupBy("k").agg({f}.alias("top")).filter("top > 1")', 't.groupBy("k").pivot("b", [True, False]).agg({f}.alias("z")).filter("k = \'a\'")', 't.groupBy("k").agg({f}.alias("z")).withColumn("y", F.lit(1)).filter("k = \'b\'")',
)  # fmt: skip
_GENERATED: tuple[str, ...] = (
    't.select("k", "v", {f}).filter("k = \'a\'")', 't.select("k", {f}).groupBy("k").count().filter("k = \'a\'")', 't.select("k", "v", {f}).groupBy("k").agg({a}).filter({c})', 't.groupBy("k").agg({a}).select("k", {g}).filter("k = \'a\'")', 't.select("k", "v", {f}).filter("v > 1 AND k IS NOT NULL")',
)  # fmt: skip
_OVER: tuple[str, ...] = (
    't.withColumn("z", {f}.over(Window.partitionBy("k").orderBy("id"))).filter("k = \'a\'")', 't.withColumn("z", {f}.over(Window.partitionBy("k", "b").orderBy("id"))).filter("k = \'a\' AND v > 1")', 't.withColumn("z", {f}.over(Window.orderBy("id"))).filter("k = \'a\'")',
    't.withColumn("z", {f}.over(Window.partitionBy("k").orderBy("id"))).groupBy("k").agg({a}).filter({c})', 't.withColumn("z", {f}.over(Window.partitionBy("v").orderBy("id"))).filter("v > 1")', 't.withColumn("z", {f}.over(Window.partitionBy("k").orderBy("id"))).groupBy("k", "z").agg({a}).filter({c})',
)  # fmt: skip
_VOLATILE = frozenset("rand randn uuid randstr uniform shuffle".split())
"""What they give differs from run to run."""


def _row(id: int, k: str | None, v: int | None, i: int, s: str, js: str, day: int, hour: int) -> tuple[Any, ...]:
    moment = dt.datetime(2024, 5, day, hour, 30)
    return (
        k, v, id, i, i, float(i), float(i), Decimal(i), i > 2, s, js, moment.date(), moment, s.encode(), [i, 3, i], [s, "b", "a"],
        [[i], [2]], {s: i, "k": 2}, (i, s), [(s, i)], [float(i), 2.0],
    )  # fmt: skip


ROWS: list[tuple[Any, ...]] = [
    _row(1, "a", 1, 1, "a", '{"a": 1}', 1, 10), _row(2, "a", 2, 2, "b", '{"a": 2}', 1, 11), _row(3, "a", 3, 3, "c", '{"b": 2}', 1, 13), _row(4, "b", 3, 1, "a", '{"a": 1}', 2, 10),
    _row(5, "b", None, 2, "a b", "{}", 2, 23), _row(6, None, 2, 3, "d", '{"a": 3}', 1, 10), _row(7, "a", 2, 3, "a", '{"a": 1}', 1, 14), _row(8, "b", 4, 4, "b", '{"a": 1}', 1, 1),
]  # fmt: skip


@cache
def measured_calls() -> dict[str, tuple[str, ...]]:
    """Calls that Spark accepts, of functions over the columns of this table."""
    return {
        name: those
        for name, calls in CALLS.items()
        if name in functions() and (those := tuple(c for c in calls if not _ELSEWHERE & _texts(c)))
    }


def _texts(call: str) -> set[Any]:
    return {n.value for n in ast.walk(ast.parse(call)) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


@cache
def functions() -> dict[str, Any]:
    """Every public function of ``pyspark.sql.functions`` that gives a column."""
    from pyspark.sql import functions as F

    skipped = {
        "udf",
        "pandas_udf",
        "udtf",
        "arrow_udf",
        "arrow_udtf",
        "broadcast",
        "call_udf",
        "call_function",
        "expr",
        "col",
        "column",
        "when",
        "lit",
    }
    return {
        n: f
        for n, f in vars(F).items()
        if not n.startswith("_")
        and callable(f)
        and getattr(f, "__module__", "").startswith("pyspark.sql.functions")
        and n not in skipped
        and not isinstance(f, type)
    }


def call(draw: Draw) -> tuple[str, str]:
    """A function and the text of a call of it: mostly one that Spark accepts."""
    names, measured = functions(), measured_calls()
    while True:
        name = draw.one([n for n in TIME_AND_CHANCE if n in names]) if draw.chance(0.25) else draw.one(sorted(names))
        if name in measured and draw.chance(0.85):
            return name, _varied(draw, draw.one(measured[name]))
        given = arguments(draw, names[name], DOMAINS, {})
        if given is None:
            given = draw.one(_COLUMN)
        if any(p.kind == p.VAR_POSITIONAL for p in parameters(names[name])):
            given = ", ".join(x for x in (given, *(draw.one(_COLUMN) for _ in range(draw.one((0, 1, 1, 2))))) if x)
        if "=" in given.split(", ")[0] and given.count(", ") and not all("=" in g for g in given.split(", ")):
            continue
        return name, f"F.{name}({given})"


def _varied(draw: Draw, text: str) -> str:
    """The call with another column of the same type now and then."""
    for name, other in (("i", "v"), ("s", "k"), ("d", "f"), ("i", "id")):
        if draw.chance(0.2):
            text = text.replace(f"'{name}'", f"'{other}'")
    return text


def _positions(name: str) -> tuple[str, ...]:
    kind = FUNCTIONS[name].kind if name in FUNCTIONS else "row"
    return {"aggregate": _AGGREGATED, "generator": _GENERATED, "window": _OVER}.get(kind, _POSITIONS)


def write(draw: Draw) -> Program:
    """One function in one place."""
    name, text = call(draw)
    position = draw.one(_POSITIONS if draw.chance(0.05) else _positions(name))
    chain = (
        position.replace("{f2}", text.replace('"v"', '"top"').replace("'i'", "'top'"))
        .replace("{g}", text.replace("'ai'", "F.array('top')"))
        .replace("{f}", text)
        .replace("{a}", draw.one(_AGGREGATES))
        .replace("{c}", draw.one(_FILTERS))
    )
    source = "from pyspark.sql import Window\nfrom pyspark.sql import functions as F\n\n"
    if "ident" in chain:
        source += '\ndef ident(frames):\n    for pdf in frames:\n        pdf["z"] = pdf["z"].astype(str)\n        yield pdf[["k", "z"]]\n\n\n'
    source += 't = spark.table("t")\n' + ('u = spark.table("u")\n' if "join(u" in chain else "") + f"result = {chain}\n"
    tables = {"t": DDL, **({"u": "c string"} if "join(u" in chain else {})}
    schemas = tables if draw.chance(0.7) else {}
    rows: dict[str, list[tuple[Any, ...]]] = {"t": ROWS, **({"u": [("a",), ("b",)]} if "u" in tables else {})}
    return Program(
        "columns",
        source,
        tables,
        (name, position[:60]),
        name in _VOLATILE,
        schemas,
        (rows,),
        {"c": "string"} | ({"x": "int"} if "unpivot" in chain else {}),
    )
