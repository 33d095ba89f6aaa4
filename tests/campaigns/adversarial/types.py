"""Columns of which the analysis knows no type, compared with quoted and plain literals, on data of every type."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

from .program import Draw, Program

DATA: dict[str, tuple[Any, ...]] = {
    "int": (5, 6, -74, 0, 2**31 - 1, None), "bigint": (2**53 + 1, 2**53, 5, -74, None), "double": (-74.0, -73.9, 5.0, math.nan, math.inf, -0.0, None), "string": ("5", "a", "", "-74.0", "2024-05-01", "10", "9", "true", None),
    "date": (dt.date(2024, 5, 1), dt.date(2023, 1, 1), None), "timestamp": (dt.datetime(2024, 5, 1, 0, 0), dt.datetime(2024, 5, 1, 12), None), "boolean": (True, False, None), "decimal(10,2)": (Decimal("5.00"), Decimal("-73.90"), Decimal("-74.05"), None),
}  # fmt: skip
_LITERALS = (
    "'-74.09'",
    "'-73.72'",
    "'5'",
    "'9'",
    "'10'",
    "5",
    "10",
    "9.0",
    "'a'",
    "'2024-05-01'",
    "''",
    "true",
    "'true'",
    "0",
    "-74",
    "1.5",
    "'1e1'",
    "' 5'",
    "'5.0'",
    "9007199254740993",
    "5L",
    "'NaN'",
    "null",
)
_OPS = (">=", "<=", ">", "<", "=", "<>", "!=")
_MADE = (
    "t",
    't.select("x", "k")',
    't.groupBy("k").agg(F.max("x").alias("x"))',
    't.groupBy("k").agg(F.min("x").alias("x"))',
    't.groupBy("x").agg(F.count("*").alias("k"))',
    't.withColumn("y", F.col("x"))',
    't.groupBy("k").agg(F.max("x").alias("x"), F.min("x").alias("y"))',
)
_PYTHON = (
    "t.rdd.map(lambda r: (r.k, r.x)).filter(lambda p: {c})",
    't.rdd.map(lambda r: (r.k, r.x)).filter(lambda p: {c} and p[0] == "a")',
    "t.rdd.filter(lambda p: {c})",
    "t.rdd.map(lambda r: (r.k, r.x)).reduceByKey(lambda a, b: a if a > b else b).filter(lambda p: {c})",
    "t.rdd.map(lambda r: (r.k, r.x)).reduceByKey(max).filter(lambda p: {c})",
    't.groupBy("k").applyInPandas(f, "k string, x {t}").filter("x {o} {l}")',
    't.groupBy("k").agg(u("x").alias("x")).filter("x {o} {l}")',
    't.withColumn("z", w("x")).filter("z > 0")',
    't.filter(b("x"))',
    't.mapInPandas(m, "k string, x {t}").filter("x {o} {l}")',
)
_PYTHON_SHARE = 0.6
_PLAIN = ("5", "'5'", "0", "1.5", "''", "'a'", "True", "None", "2**53", "-74.05", "'2024-05-01'")


def write(draw: Draw) -> Program:
    """A filter of ``x``, whose type the data alone know."""
    kind = draw.one(tuple(DATA))
    rows = [(draw.one(("a", "b", None)), v) for v in DATA[kind]] + [("a", DATA[kind][0])]
    table = "u" if draw.chance(0.5) else "t"
    lines = [
        "import pandas as pd",
        "from pyspark.sql import functions as F",
        "from pyspark.sql.functions import pandas_udf, udf",
        "",
    ]
    python = draw.chance(_PYTHON_SHARE)
    if python:
        lines += _python(draw, kind, table)
    else:
        lines += [
            f'{table} = spark.table("t")',
            f"result = {draw.one(_MADE).replace('t.', table + '.', 1) if table != 't' else draw.one(_MADE)}",
        ]
        lines[-1] = lines[-1].replace("= t", f"= {table}") if lines[-1].endswith("= t") else lines[-1]
        lines[-1] += "".join(f".filter({c})" for c in _conditions(draw))
    schemas = {"t": f"k string, x {kind}"} if draw.chance(0.15) else {}
    return Program(
        "types",
        "\n".join(lines) + "\n",
        {"t": f"k string, x {kind}"},
        (kind, "python" if python else "native"),
        False,
        schemas,
        ({"t": rows}, {"t": rows[:1]}, {"t": rows[-2:]}),
    )


def _conditions(draw: Draw) -> list[str]:
    first = _condition(draw)
    return (
        [first]
        if draw.chance(0.4)
        else [first, _condition(draw)]
        if draw.chance(0.5)
        else [f"({first}) & ({_condition(draw)})"]
    )


def _condition(draw: Draw) -> str:
    literal, op = draw.one(_LITERALS).rstrip("L"), draw.one(_OPS).replace("<>", "!=")
    plain = {"true": "True", "null": "F.lit(None)"}.get(literal, literal)
    return draw.one(
        (
            f'F.col("x") {op.replace("=", "==") if op == "=" else op} {plain}',
            f'F.expr("x {op} {literal}")',
            f'F.col("x").between({plain}, {draw.one(("5", "10", plain))})',
            f'F.col("x").isin({plain}, 5)',
            f'F.expr("x {op} {literal} OR x IS NULL")',
            f'~(F.col("x") {"==" if op == "=" else op} {plain})',
            'F.expr("x IS NULL")',
            'F.col("x").isNotNull()',
        )
    )


def _python(draw: Draw, kind: str, table: str) -> list[str]:
    op, plain = draw.one(("==", "!=", ">", "<", ">=", "<=")), draw.one(_PLAIN)
    chain = draw.one(_PYTHON)
    x = "p.x" if chain.startswith("t.rdd.filter") else "p[1]"
    test = draw.one(
        (
            f"{x} {op} {plain}",
            f"{x} is not None and {x} {op} {plain}",
            f"{x} in ({plain}, 5)",
            f"not {x} {op} {plain}",
            f"{x} != {plain}",
            f"str({x}) {draw.one(('==', '!='))} '5'",
            f"{x}",
            f"bool({x})",
            f"{x} is None or {x} {op} {plain}",
        )
    )
    lines: list[str] = []
    if "(f," in chain:
        lines += [
            "def f(pdf):",
            draw.one(
                (
                    '    return pd.DataFrame({"k": [pdf.k.iloc[0]], "x": [pdf.x.max()]})',
                    '    best = None\n    for r in pdf.itertuples():\n        if best is None or r.x > best:\n            best = r.x\n    return pd.DataFrame({"k": [pdf.k.iloc[0]], "x": [best]})',
                    "    return pdf.head(1)",
                    "    return pdf[pdf.x > 1]",
                )
            ),
            "",
            "",
        ]
    if "u(" in chain:
        lines += [
            f'@pandas_udf("{kind}")',
            "def u(v: pd.Series) -> float:",
            f"    return v.{draw.one(('max()', 'min()', 'iloc[0]', 'max(skipna=False)'))}",
            "",
            "",
        ]
    if "w(" in chain or "b(" in chain:
        lines += [
            '@udf("int")' if "w(" in chain else '@udf("boolean")',
            f"def {'w' if 'w(' in chain else 'b'}(x):",
            draw.one(
                (
                    f"    return 1 if x {op} {plain} else 0",
                    f"    return int(x is not None and x {op} {plain})",
                    f"    return 1 if x and x {op} {plain} else 0",
                )
            )
            .replace("1 if", "1 if" if "w(" in chain else "True if")
            .replace("else 0", "else 0" if "w(" in chain else "else False")
            .replace("int(", "int(" if "w(" in chain else "bool("),
            "",
            "",
        ]
    if "(m," in chain:
        lines += [
            "def m(frames):",
            "    for pdf in frames:",
            f"        yield pdf[pdf.x {op} {plain}]" if draw.chance(0.5) else '        yield pdf[["k", "x"]]',
            "",
            "",
        ]
    sql = draw.one([one for one in _LITERALS if one != "null"]).rstrip("L")
    filled = chain.replace("{c}", test).replace("{t}", kind).replace("{o}", draw.one(_OPS)).replace("{l}", sql)
    return [*lines, f'{table} = spark.table("t")', "result = " + filled.replace("t.", f"{table}.", 1)]
