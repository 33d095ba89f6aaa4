"""Spark's functions, all of them, as keys, arguments and neighbours of what is aggregated and filtered."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

from .program import Draw, Program
from .signatures import arguments, parameters

DDL = "k string, v int, d double, ts timestamp, day date, xs array<int>, s string"
_COLUMN = ('"k"', '"v"', '"d"', '"ts"', '"day"', '"xs"', '"s"', 'F.col("v")', 'F.col("s")', 'F.col("ts")')
DOMAINS: dict[str, tuple[str, ...]] = {
    "col": _COLUMN, "col1": _COLUMN, "col2": _COLUMN, "e": _COLUMN, "colName": _COLUMN, "str": ('"s"', '"k"', 'F.col("s")'), "string": ('"s"',), "src": ('"s"',),
    "left": _COLUMN, "right": _COLUMN, "x": _COLUMN, "y": _COLUMN, "a": _COLUMN, "b": _COLUMN, "timeColumn": ('"ts"', 'F.col("ts")'), "windowDuration": ('"1 hour"', '"2 hours"', '"1 day"'),
    "slideDuration": ('"30 minutes"', "None", '"1 hour"'), "startTime": ("None", '"15 minutes"'), "gapDuration": ('"2 hours"', '"30 minutes"', 'F.lit("2 hours")'),
    "windowColumn": ('F.window("ts", "1 hour")',), "timestamp": ('"ts"',), "date": ('"day"', '"ts"'), "date1": ('"day"',), "date2": ('"day"', '"ts"'), "start": ('"day"', '"v"', "F.lit(1)"),
    "stop": ('"day"', "F.lit(3)"), "end": ('"day"',), "step": ("None",), "days": ("1", '"v"'), "months": ("1", '"v"'), "dayOfWeek": ('"Mon"',), "format": ('"yyyy-MM"', '"month"', '"day"'),
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
    't.withColumn("z", {f}).groupBy("k").agg({a}).filter({c})', 't.withColumn("m", F.max("v").over(Window.partitionBy({f}))).filter("k = \'a\'")', 't.withColumn("z", {f}).withColumn("m", F.max("v").over(Window.partitionBy("k", "z"))).filter("k = \'a\'")',
    't.groupBy("k").agg({a}).withColumn("z", F.lit(1)).filter({c})', 't.join(u, t["k"] == {f}).groupBy(t["k"]).agg({a}).filter({c})', 't.withColumn("z", {f}).dropDuplicates(["k", "z"]).groupBy("k").agg({a}).filter({c})', 't.withColumn("z", {f}).rdd.map(lambda r: (r.k, r.z)).filter(lambda p: p[0] == "a")',
    't.select("k", "v", {f}.alias("z")).rdd.map(lambda r: (r.k, str(r.z))).filter(lambda p: p[0] == "a")', 't.select("*", {f}.alias("z")).groupBy("k").applyInPandas(lambda pdf: pdf[["k", "v"]], "k string, v int").filter("k = \'a\'")',
    't.withColumn("z", {f}).filter("z IS NOT NULL").groupBy("k").agg({a}).filter({c})', 't.repartition({f}).groupBy("k").agg({a}).filter({c})', 't.orderBy({f}).groupBy("k").agg({a}).filter({c})', 't.groupBy("k", "s").agg({a}).withColumn("z", {f2}).filter({c})',
    't.withColumn("z", {f}).mapInPandas(ident, "k string, z string").filter("k = \'a\'")', 't.withColumn("z", {f}).groupBy("k", "z").applyInPandas(lambda pdf: pdf[["k", "v"]], "k string, v int").filter("k = \'a\'")', 't.withColumn("z", {f}).distinct().groupBy("k").agg({a}).filter({c})',
    't.withColumn("z", {f}).filter("v > 1").groupBy("k", "z").agg({a}).filter({c})', 't.withColumn("z", {f}).unpivot(["k", "z"], ["v"], "n", "x").groupBy("k", "z").agg(F.max("x").alias("m")).filter("m > 1")', 't.agg(F.max({f}).alias("z"), {a}).filter({c})',
)  # fmt: skip
_AGGREGATES = (
    'F.max("v").alias("m")',
    'F.count_if(F.col("v") > 1).alias("m")',
    'F.min("v").alias("m")',
    'F.max(F.when(F.col("s") == "a", F.col("v"))).alias("m")',
    'F.max_by("v", "v").alias("m")',
)
_FILTERS = (
    'F.col("m") > 1',
    '"m > 1"',
    'F.col("m") >= 2',
    '"m IS NOT NULL"',
    "\"m > 1 AND k = 'a'\"",
    'F.col("m") > 0',
)
ROWS: list[tuple[Any, ...]] = [
    ("a", 1, 1.0, dt.datetime(2024, 5, 1, 10), dt.date(2024, 5, 1), [1, 2], "a"), ("a", 2, 2.0, dt.datetime(2024, 5, 1, 11, 30), dt.date(2024, 5, 1), [], "b"),
    ("a", 1, 2.0, dt.datetime(2024, 5, 1, 13), dt.date(2024, 5, 2), [2], "a"), ("b", 3, 0.0, dt.datetime(2024, 5, 1, 10, 10), None, None, "a b"),
    ("b", None, None, dt.datetime(2024, 5, 2, 23, 50), dt.date(2024, 5, 2), [None, 1], None), (None, 2, 1.0, None, dt.date(2023, 12, 31), [3], "1"), ("a", 3, 3.5, dt.datetime(2024, 5, 1, 14, 20), None, [1], ""),
]  # fmt: skip


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
    """A function and the text of a call of it."""
    names = functions()
    while True:
        name = draw.one([n for n in TIME_AND_CHANCE if n in names]) if draw.chance(0.35) else draw.one(sorted(names))
        given = arguments(draw, names[name], DOMAINS, {})
        if given is None:
            given = draw.one(_COLUMN)
        if any(p.kind == p.VAR_POSITIONAL for p in parameters(names[name])):
            given = ", ".join(x for x in (given, *(draw.one(_COLUMN) for _ in range(draw.one((0, 1, 1, 2))))) if x)
        if "=" in given.split(", ")[0] and given.count(", ") and not all("=" in g for g in given.split(", ")):
            continue
        return name, f"F.{name}({given})"


def write(draw: Draw) -> Program:
    """One function in one place."""
    name, text = call(draw)
    position = draw.one(_POSITIONS)
    over = name in (
        "row_number",
        "lag",
        "lead",
        "rank",
        "ntile",
        "dense_rank",
        "percent_rank",
        "cume_dist",
        "nth_value",
    )
    if over:
        text = f'{text}.over(Window.partitionBy("k").orderBy("v"))'
    chain = (
        position.replace("{f2}", text.replace('"v"', '"m"'))
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
    volatile = False
    return Program("columns", source, tables, (name, str(_POSITIONS.index(position))), volatile, schemas, (rows,))
