"""Results of Python functions, asked for outside of them: functions whose result Spark converts, and what stands
between a function and the condition."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import re

from .program import Draw, Program
from .small_table import DATA, DDL

_WHOLE, _TEXT = ("int", "bigint", "int"), ("string", "string", "string", "int")
_BODIES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("day", "day.year", _WHOLE), ("day", "day.month", _WHOLE), ("day", "day.day", _WHOLE), ("day", "day.weekday()", _WHOLE), ("day", "day.isoweekday()", _WHOLE), ("day", "day.year if day else None", _WHOLE), ("day", "day.year if day else 0", _WHOLE),
    ("day", "str(day)", ("string",)), ("day", "f'{day}'", ("string",)), ("day", "day.isoformat()", ("string",)), ("day", "str(day)[:4]", ("string",)), ("day", "day", ("date", "string")), ("day", "day.year", ("string", "double", "boolean")), ("day", "day is None", ("boolean",)),
    ("s", "s[:2]", _TEXT), ("s", "s[0]", _TEXT), ("s", "s[-1]", _TEXT), ("s", "s[-2:]", _TEXT), ("s", "s[1:]", _TEXT), ("s", "s[:0]", _TEXT), ("s", "s.lower()", _TEXT), ("s", "s.upper()", _TEXT), ("s", "s.strip()", _TEXT), ("s", "s.rstrip()", _TEXT), ("s", "s.lstrip()", _TEXT), ("s", "s.title()", _TEXT),
    ("s", "s.split('b')[0]", _TEXT), ("s", "s.split('b')[-1]", _TEXT), ("s", "s.split(' ')[1]", _TEXT), ("s", "s.replace('a', 'b')", _TEXT), ("s", "s + 'b'", _TEXT), ("s", "'a' + s", _TEXT), ("s", "s or 'ab'", _TEXT), ("s", "s and 'ab'", _TEXT), ("s", "f'{s}b'", _TEXT), ("s", "'%sb' % s", _TEXT), ("s", "s", _TEXT),
    ("s", "s if s in ('ab', 'a') else None", _TEXT), ("s", "s[:2] if s else None", _TEXT), ("s", "None if s == '' else s.lower()", _TEXT), ("s", "'?' if s is None else s[:1]", _TEXT), ("s", "s[:2].lower()", _TEXT), ("s", "s.strip().lower()", _TEXT), ("s", "max(s, 'ab')", _TEXT),
    ("s", "len(s)", _WHOLE), ("s", "s.find('b')", _WHOLE), ("s", "s.count('a')", _WHOLE), ("s", "len(s) if s else 0", ("int", "bigint", "double", "string")), ("s", "len(s) > 1", ("boolean", "int", "string")), ("s", "s.startswith('a')", ("boolean", "string")), ("s", "s == 'ab'", ("boolean", "int")), ("s", "s.isdigit()", ("boolean",)),
    ("n", "n + 1", ("int", "bigint", "string")), ("n", "n % 3", ("int", "bigint", "double")), ("n", "n // 10", ("int", "bigint")), ("n", "-n", ("int", "bigint")), ("n", "abs(n)", ("int", "bigint")), ("n", "n * 2", ("int", "bigint")), ("n", "n / 2", ("double", "int")), ("n", "str(n)", ("string", "int")), ("n", "f'{n:03d}'", ("string",)), ("n", "n > 1", ("boolean", "int", "string")),
    ("n", "bool(n)", ("boolean", "int")), ("n", "n", ("int", "double", "string", "bigint", "boolean")), ("n", "float(n)", ("double", "int")), ("n", "n or 5", ("int",)), ("n", "n if n else None", ("int",)), ("n", "min(n, 90)", ("int",)), ("n", "n ** 2", ("bigint", "int")), ("n", "0 if n is None else n", ("int",)), ("n", "n and n > 1", ("boolean", "int")),
    ("x", "int(x)", ("int", "bigint")), ("x", "round(x)", ("int", "bigint")), ("x", "round(x, 1)", ("double",)), ("x", "str(x)", ("string",)), ("x", "f'{x}'", ("string",)), ("x", "-x", ("double",)), ("x", "abs(x)", ("double",)), ("x", "x", ("double", "int", "string")), ("x", "x if x == x else None", ("double",)), ("x", "x > 1", ("boolean",)), ("x", "x or -1.0", ("double",)), ("x", "x * 0", ("double",)), ("x", "max(x, 0.0)", ("double",)),
    ("b", "not b", ("boolean", "int")), ("b", "int(b)", ("int", "bigint")), ("b", "str(b)", ("string",)), ("b", "b", ("boolean", "int", "string")), ("b", "f'{b}'", ("string",)), ("b", "b or None", ("boolean",)), ("b", "1 if b else 0", _WHOLE), ("b", "'yes' if b else None", ("string",)), ("b", "b is True", ("boolean",)),
)  # fmt: skip
"""Of which column, what is returned, and declared types: mostly those that it has."""
_PANDAS: tuple[tuple[str, str, str], ...] = (
    ("s", "v.str[:2]", "string"), ("s", "v.str.lower()", "string"), ("s", "v.str.strip()", "string"), ("s", "v.str.len()", "int"), ("s", "v.fillna('ab')", "string"), ("s", "v == 'ab'", "boolean"), ("s", "v.isin(['a', 'ab'])", "boolean"), ("s", "v.str.startswith('a')", "boolean"), ("s", "v + 'b'", "string"),
    ("n", "v + 1", "int"), ("n", "v.abs()", "int"), ("n", "v > 1", "boolean"), ("n", "v.clip(0, 90)", "int"), ("n", "v.astype(str)", "string"), ("n", "v % 3", "int"), ("x", "v.round()", "double"), ("x", "v.abs()", "double"), ("x", "-v", "double"), ("x", "v.fillna(1.0)", "double"), ("x", "v > 1", "boolean"), ("b", "~v", "boolean"), ("n", "v.fillna(0)", "int"), ("s", "v.map({'a': 'ab'})", "string"),
)  # fmt: skip
_CONDITIONS: dict[str, tuple[str, ...]] = {
    "int": ("{y} == 2024", "{y} == 1", "{y} != 1", "{y} >= 2024", "{y} < 2", "{y}.isin(1, 2, 2024)", "~{y}.isin(1, None)", "{y}.between(1, 2024)", "{y}.eqNullSafe(2)", "~{y}.eqNullSafe(1)", "{y}.isNull()", "{y}.isNotNull()", "1 <= {y}", "~({y} == 1)", "{y} == '1'", "{y} > 1.5", "{y} == True", "{y} == 0", "{y} == -1", "F.when({y} == 1, True)", "F.coalesce({y}, F.lit(1)) == 1", "{y}.cast('string') == '1'", "{y}.cast('bigint') == 2024", "({y} == 1) | {y}.isNull()", "({y} > 0) & ({y} < 3)", "{y} == F.col('n')"),
    "string": ("{y} == 'ab'", "{y} == 'a'", "{y} != 'ab'", "{y} == ''", "{y} != ''", "{y}.isin('a', 'ab')", "~{y}.isin('a', 'b')", "{y}.startswith('a')", "{y}.contains('b')", "{y}.endswith('b')", "{y} >= 'b'", "{y} < 'b'", "{y}.between('a', 'b')", "{y}.isNull()", "{y}.isNotNull()", "{y}.eqNullSafe('ab')", "~{y}.eqNullSafe('ab')", "~({y} == 'ab')", "({y} == 'b') | {y}.isNull()", "F.lower({y}) == 'ab'", "F.length({y}) == 2", "{y} == '1'", "{y} == '2024-01-01'", "{y} == 'True'", "{y} == 'true'", "{y} == '1.0'", "{y} == '0.0'", "{y} == 'nan'", "{y} == '2024'", "{y} == '001'", "{y} == 'None'", "F.coalesce({y}, F.lit('ab')) == 'ab'", "{y}.like('a%')"),
    "double": ("{y} >= 1", "{y} == 0.0", "{y} == 0", "{y} > 2.5", "~({y} > 2.5)", "{y} != 1.0", "F.isnan({y})", "{y}.isNull()", "{y}.isin(1.0, 90.0)", "{y} <= -1", "{y}.between(0, 90)", "{y}.eqNullSafe(0.0)", "{y} == '1.0'"),
    "boolean": ("{y}", "~{y}", "{y} == True", "{y} == False", "{y}.isNull()", "{y}.isNotNull()", "~{y}.eqNullSafe(True)", "{y} | {y}.isNull()", "{y} & (F.col('k') == 'a')", "{y} != True"),
    "date": ("{y} >= '2024-01-01'", "{y} == F.lit('2024-01-01').cast('date')", "F.year({y}) == 2024", "{y}.isNull()", "{y} < '2025'"),
}  # fmt: skip
_CONDITIONS["bigint"] = _CONDITIONS["int"]
_SQL: dict[str, tuple[str, ...]] = {
    "int": ("y = 1", "y IN (1, 2)", "y <> 1", "y BETWEEN 1 AND 2024", "NOT y = 1", "y <=> 1", "y IS NULL", "y NOT IN (1, NULL)", "y = 2024 OR y IS NULL", "y = '1'"),
    "string": ("y = 'ab'", "y <> 'ab'", "y IN ('a', 'ab')", "y LIKE 'a%'", "NOT y = 'ab'", "y <=> 'ab'", "y IS NULL OR y = 'a'", "y = ''", "y NOT IN ('ab', NULL)"), "double": ("y >= 1", "NOT y > 2.5", "y = 0"), "boolean": ("y", "NOT y", "y IS NULL", "y = false"), "date": ("y >= '2024-01-01'",),
}  # fmt: skip
_SQL["bigint"] = _SQL["int"]
_WAYS = (
    't.withColumn("y", {f}).filter({c})', 't.withColumn("y", {f}).filter({c})', 't.select("*", {f}.alias("y")).filter({c})', 't.select("k", "n", {f}.alias("y")).where({c})', 't.withColumn("z", {f}).withColumnRenamed("z", "y").filter({c})', 't.withColumn("y", {f}).filter({c}).filter({d})', 't.withColumn("y", {f}).filter(({c}) & ({d}))', 't.withColumn("y", {f}).filter(({c}) | ({d}))',
    't.withColumn("y", {f}).withColumn("z", F.lit(1)).filter({c})', 't.withColumn("y", {f}).withColumn("{a}", F.lit(None).cast("{t}")).filter({c})', 't.withColumns({{"y": {f}, "{a}": F.lit(None).cast("{t}")}}).filter({c})', 't.withColumn("y", {f}).withColumn("z", {f}).filter({c})', 't.withColumn("y", {f}).groupBy("y").agg(F.max("n").alias("n")).filter({c})', 't.withColumn("y", {f}).dropDuplicates().filter({c})',
    't.withColumn("{a}", F.coalesce("{a}", "{a}")).withColumn("y", {f}).filter({c})', 't.filter(F.col("{a}").isNotNull()).withColumn("y", {f}).filter({c})', 't.dropna().withColumn("y", {f}).filter({c})', 't.withColumn("y", {f}).filter({c}).select("k", "y")', 't.withColumn("y", F.when(F.col("n") > 1, {f})).filter({c})', 't.withColumn("y", {f}).mapInPandas(lambda frames: frames, "{all}").filter({c})', 't.withColumn("y", {f}).unionByName(t.withColumn("y", {f})).filter({c})', 't.withColumn("y", F.coalesce({f}, {f})).filter({c})',
)  # fmt: skip
_DIRECT = (
    "t.filter({cf})",
    "t.where({cf})",
    't.withColumn("ok", {cf}).filter("ok")',
    't.groupBy("k").agg(F.max(F.when({cf}, F.col("n"))).alias("top")).filter("top > 1")',
)
_GUARDED = (
    "{r}",
    "{r}",
    "{r}",
    "None if {v} is None else {r}",
    "None if {v} is None else {r}",
    "({r}) if {v} is not None else {o}",
)
_OTHER = {"int": "0", "bigint": "2024", "string": "'ab'", "double": "1.0", "boolean": "False", "date": "None"}
_HOSTILE = (
    "size = 2\n{def}size = 1", "{def}\ndef inner(v):\n    return {o}\n", "f = {def_lambda}\nf = F.udf(lambda v: {o}, '{t2}')", "def swap():\n    global inner\n    inner = lambda v: {o}\n\n\n{def}swap()",
    "{def}inner.__code__ = (lambda v: {o}).__code__", "{def}if t0:\n    f = F.udf(lambda v: {o}, '{t2}')", "{def}globals()['f'] = F.udf(lambda v: {o}, '{t2}')", "import builtins\nbuiltins.str, builtins.len = repr, len\n{def}", "def str(v):\n    return 'ab'\n\n\n{def}", "def len(v):\n    return 1\n\n\n{def}",
    "str, round = repr, abs\n{def}", "{def}for f in (F.udf(lambda v: {o}, '{t2}'),):\n    pass",
)  # fmt: skip


def write(draw: Draw) -> Program:
    """A function of one column, and a condition on what it returns."""
    lines = [
        "import pandas as pd",
        "from pyspark.sql import functions as F",
        "from pyspark.sql.functions import pandas_udf",
        "",
        "t0 = True",
        "",
    ]
    a, kind, text, call = _pandas(draw) if draw.chance(0.15) else _plain(draw)
    condition = "F.col('y')" if draw.chance(0.96) else 'F.col("Y")'
    c, d = (
        f'"{draw.one(_SQL[kind])}"' if draw.chance(0.3) else draw.one(_CONDITIONS[kind]).replace("{y}", condition)
        for _ in "cd"
    )
    way = draw.one(_WAYS)
    if way.count("{d}"):
        c, d = (draw.one(_CONDITIONS[kind]).replace("{y}", condition) for _ in "cd")
    if draw.chance(0.12):
        way = draw.one(_DIRECT)
    types = dict(column.split() for column in DDL.split(", "))
    marks = {
        "{cf}": draw.one(_CONDITIONS[kind]).replace("{y}", call),
        "{c}": c,
        "{d}": d,
        "{f}": call,
        "{a}": a,
        "{t}": types[a],
        "{all}": f"{DDL}, y {kind}",
        "{{": "{",
        "}}": "}",
    }
    for mark, value in marks.items():
        way = way.replace(mark, value)
    source = "\n".join([*lines, text, 't = spark.table("t")', f"result = {way}"]) + "\n"
    return Program(
        "results",
        source,
        {"t": DDL},
        (kind, way.split(".")[1][:20]),
        False,
        {"t": DDL} if draw.chance(0.85) else {},
        DATA,
    )


def _plain(draw: Draw) -> tuple[str, str, str, str]:
    """The column, the declared type, the definition and a call of a function row by row."""
    a, result, kinds = draw.one(_BODIES)
    kind = kinds[0] if draw.chance(0.6) else draw.one(kinds)
    v = draw.one((a, a, "v", "value", "t"))
    guard = draw.one(_GUARDED) if "is None" not in result and " if " not in result else "{r}"
    spelled = _with(result, a, v)
    result = guard.replace("{r}", spelled).replace("{v}", v).replace("{o}", _OTHER[kind])
    default = draw.one((", more=1", ", *, size=2")) if draw.chance(0.07) else ""
    body = f"def inner({v}{default}):\n    return {result}\n\n\n"
    if guard.startswith("None if") and draw.chance(0.5):
        body = f"def inner({v}{default}):\n    if {v} is None:\n        return None\n    return {spelled}\n\n\n"
    if draw.chance(0.1):
        body = f"def inner({v}{default}):\n    try:\n        return {result}\n    except (TypeError, ValueError, AttributeError, IndexError):\n        return {_OTHER[kind]}\n\n\n"
    declared = draw.one((f'"{kind}"', f'"{kind}"', f'returnType="{kind}"'))
    f = draw.one((
        f"{body}f = F.udf(inner, {declared})\n", f"f = F.udf(lambda {v}: {result}, {declared})\n", body.replace("def inner", f"@F.udf({declared})\ndef f"),
        f"{body}f = F.udf(lambda {v}: inner({v}), {declared})\n",
    ))  # fmt: skip
    if draw.chance(0.12):
        hostile = draw.one(_HOSTILE)
        for mark, value in (
            ("{def_lambda}", f"F.udf(lambda {v}: {result}, '{kind}')"),
            ("{def}", f"{body}f = F.udf(inner, '{kind}')\n"),
            ("{o}", _OTHER[kind]),
            ("{t2}", kind),
        ):
            hostile = hostile.replace(mark, value)
        f = hostile + "\n"
    given = draw.one((f'"{a}"', f'F.col("{a}")')) if draw.chance(0.92) else f'F.coalesce("{a}", "{a}")'
    return a, kind, f, f"f({given})"


def _with(result: str, a: str, v: str) -> str:
    return result if a == v else "".join(v if token == a else token for token in _tokens(result))


def _tokens(text: str) -> list[str]:
    return re.findall(r"'[^'{]*'|\w+|\W", text)


def _pandas(draw: Draw) -> tuple[str, str, str, str]:
    a, result, kind = draw.one(_PANDAS)
    text = f'@pandas_udf("{kind}")\ndef f(v: pd.Series) -> pd.Series:\n    return {result}\n\n\n'
    return a, kind, text, f'f("{a}")'
