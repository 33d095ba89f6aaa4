"""Hostile files, made when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Make = Callable[[], bytes]

HEAD = "from pyspark.sql import functions as F\ndf = spark.table('t').filter('x > 1')\n"
"""Makes the front end look at all of the file: without a filter it only has to parse."""

PEAKS = """\
from pyspark.sql import functions as F

payments = spark.read.schema("account long, amount long").parquet("payments")
peaks = payments.groupBy("account").agg(F.max("amount").alias("peak"))
peaks.filter(F.col("peak") >= 950_000).write.parquet("peaks")
"""
"""One finding, HW101, on line 5."""


def text(body: str) -> Make:
    return lambda: (HEAD + body).encode()


def _nested(before: str, inside: str, after: str, depth: int = 200_000) -> Make:
    return lambda: (HEAD + "x = " + before * depth + inside + after * depth + "\n").encode()


def _indented(line: str, depth: int) -> Make:
    return lambda: (HEAD + "".join(" " * i + line for i in range(depth)) + " " * depth + "pass\n").encode()


BOMBS: Mapping[str, Make] = {
    "parentheses": _nested("(", "1", ")"),
    "lists": _nested("[", "1", "]"),
    "dicts": _nested("{1:", "1", "}"),
    "calls": _nested("f(", "1", ")"),
    "subscripts": _nested("a[", "1", "]"),
    "lambdas": _nested("lambda: ", "1", ""),
    "minus": _nested("-", "1", ""),
    "nots": _nested("not ", "1", ""),
    "awaits": lambda: (HEAD + "async def f():\n    " + "await " * 200_000 + "x\n").encode(),
    "ternaries": _nested("1 if x else ", "1", ""),
    "powers": _nested("1**", "1", ""),
    "sums": _nested("1+", "1", ""),
    "comparisons": _nested("(1<", "1", ")"),
    "attributes": lambda: (HEAD + "a" + ".b" * 200_000 + "\n").encode(),
    "chain": lambda: (HEAD + "df" + ".filter('x > 1')" * 100_000 + "\n").encode(),
    "walrus": _nested("(y:=", "1", ")"),
    "fstrings": lambda: (HEAD + 'x = f"' + "{f'" * 5000 + "'}" * 5000 + '"\n').encode(),
    "format_specs": lambda: (HEAD + "x = f'" + "{a:" * 5000 + "}" * 5000 + "'\n").encode(),
    "elifs": lambda: (HEAD + "if x: pass\n" + "elif x: pass\n" * 50_000).encode(),
    "ifs": _indented("if x:\n", 2000),
    "functions": _indented("def f():\n", 99),
    "patterns": lambda: (HEAD + "match x:\n case " + "[" * 100_000 + "]" * 100_000 + ": pass\n").encode(),
    "alternatives": lambda: (HEAD + "match x:\n case " + "1|" * 20_000 + "1: pass\n").encode(),
    "decorators": lambda: (HEAD + "@f\n" * 20_000 + "def g(): pass\n").encode(),
    "comprehension": lambda: (HEAD + "x = [1" + " for a in b" * 10_000 + "]\n").encode(),
    "concatenation": lambda: (HEAD + "x = " + "'a' " * 100_000 + "\n").encode(),
    "string_sums": lambda: (HEAD + "x = " + "'a' + " * 100_000 + "'a'\n").encode(),
    "dict_literal": lambda: (HEAD + "x = {\n" + "".join(f"  {i}: 1,\n" for i in range(20_000)) + "}\n").encode(),
    "ones": lambda: (HEAD + "x = [" + "1," * 20_000 + "]\n").encode(),
    "long_line": lambda: (HEAD + "x = '" + "a" * 4_500_000 + "'\n").encode(),
    "names": lambda: (HEAD + "".join(f"a{i} = df.filter(F.col('x') > {i})\n" for i in range(500))).encode(),
    "joined": lambda: (HEAD + "df = df.filter('x > 1')\n" * 100).encode(),
    "ignore_comments": lambda: (HEAD + "# " + "# headwater: ignore[" * 100_000 + "\n").encode(),
    "ignore_spaces": lambda: (HEAD + "#" + " " * 500_000 + "headwater:" + " " * 500_000 + "ignor\n").encode(),
    "magics": lambda: (HEAD + "# %%\n" + "!ls\n" * 20_000).encode(),
    "cells": lambda: (HEAD + "# %%\nprint 1\n" * 20_000).encode(),
    "sql": lambda: (HEAD + "df.filter('" + "(" * 20_000 + "x" + ")" * 20_000 + "')\n").encode(),
    "sql_sums": lambda: (HEAD + "df.filter('x > " + "1+" * 20_000 + "1')\n").encode(),
    "sql_ands": lambda: (HEAD + "df.filter('" + "x > 1 and " * 2_000 + "x > 1')\n").encode(),
    "huge_integer": lambda: (HEAD + "df.filter(F.col('x') > " + "9" * 4_000 + ")\n").encode(),
    "huge_power": lambda: (HEAD + "df.filter(F.col('x') > 9**9**9**9)\n").encode(),
    "huge_repeat": lambda: (HEAD + "df.filter(F.col('x') > 'a' * 10**12)\n").encode(),
    "huge_float": lambda: (HEAD + "df.filter(F.col('x') > 1e400)\n").encode(),
    "column_ands": lambda: (HEAD + "df.filter(" + "(F.col('x') > 1) & " * 3_000 + "(F.col('x') > 1))\n").encode(),
}
"""They may be analysed or given up, but in bounded time and memory."""

LARGE: Mapping[str, Make] = {
    "fifty_megabytes": lambda: (HEAD + "x = 1\n" * 8_000_000).encode(),
    "dict_of_a_million_lines": lambda: (HEAD + "x = {\n" + "1:1,\n" * 990_000 + "}\n").encode(),
    "two_million_ones": lambda: (HEAD + "x = [" + "1," * 2_400_000 + "]\n").encode(),
    "a_million_calls": lambda: (HEAD + "f(x)\n" * 990_000).encode(),
    "many_decorators": lambda: (HEAD + "@f\n" * 200_000 + "def g(): pass\n").encode(),
    "long_comprehension": lambda: (HEAD + "x = [1" + " for a in b" * 100_000 + "]\n").encode(),
    "many_filters": lambda: (HEAD + "df = df.filter('x > 1')\n" * 6_000).encode(),
    "many_frames": lambda: (HEAD + "".join(f"a{i} = df.filter('x > {i}')\n" for i in range(30_000))).encode(),
    "many_peaks": lambda: (PEAKS * 2_000).encode(),
    "many_runs": lambda: (HEAD + "# MAGIC %run x\n" * 100_000).encode(),
    "many_functions": lambda: (HEAD + "def f(a): return a + 1\n" * 100_000).encode(),
    "ten_megabyte_line": lambda: (HEAD + "x = '" + "a" * 10_000_000 + "'\n").encode(),
    "much_sql": lambda: (HEAD + "df.filter('" + "x > 1 and " * 200_000 + "x > 1')\n").encode(),
}
"""For ``python -m tests.hostile.large``: they take long, and end."""


def fold(start: str, step: str, filter_: str, types: str = "x long not null, y long not null") -> str:
    """A pandas function that keeps ``a`` and ``b`` over the rows, and a filter on them."""
    return f"""\
import pandas as pd
from pyspark.sql import functions as F

def mix(key, rows: pd.DataFrame) -> pd.DataFrame:
    a, b = {start}
    for row in rows.itertuples():
        {step}
    return pd.DataFrame([{{"k": key[0], "a": a, "b": b}}])

df = spark.read.schema("k string, {types}").parquet("t")
df.groupBy("k").applyInPandas(mix, "k string, a {types.split()[1]}, b {types.split()[1]}").filter({filter_}).show()
"""


ROOT = '(F.col("a") * F.col("b") > 1000003) & (F.col("a") % 7919 == F.col("b") % 104729)'
FLOATS = "x double not null, y double not null"
FOLDS: Mapping[str, str] = {
    "squares": fold("2, 3", "a = a * a + row.x; b = b * b * a", ROOT),
    "products": fold("1, 2", "a, b = a * a * row.x + b * row.y, b * a * row.y + a * row.x * row.x", ROOT),
    "powers": fold("2, 3", "a = a ** 3; b = b ** row.x", ROOT),
    "towers": fold("2, 3", "a = a ** a; b = b ** a", ROOT),
    "doubled_texts": fold(
        "'x', 'y'", "a = a + a; b = b + a + row.x", '(F.col("a") > "z") & (F.col("b") > "a")', "x string"
    ),
    "rational": fold(
        "0.0, 1.0", "a = a * a * row.x - b * b / (a + 1.5); b = b * row.y", 'F.col("a") * F.col("a") > 42.5', FLOATS
    ),
    "remainders": fold("0, 1", "a = (a * 31 + row.x) % 1000003; b = (b * a) % 65537", 'F.col("a") == F.col("b")'),
}
"""Their runs or their proofs grow without bound."""
