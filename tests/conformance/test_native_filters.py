"""Python functions of a filter beside the native condition that HW105 puts in their place (issue 6).

Each function is run by CPython on adversarial values; where it has a result, the native condition is TRUE of the same
values, by the interpreter of the IR and on Spark. What has no native condition says so here.
"""

from __future__ import annotations

import datetime as dt
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.rewrite.spell_sql import sql_text
from headwater.semantics.interpreter import Env, EvaluationError, compile_expr
from headwater_ir.expr import Expr
from headwater_ir.native import FUNCTIONS, native_column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INT_MIN, INT_MAX, LONG_MIN, LONG_MAX = -(2**31), 2**31 - 1, -(2**63), 2**63 - 1
SMALL = (None, *range(-13, 14))
VALUES: dict[str, tuple[Any, ...]] = {
    "int": (*SMALL, 29, 30, 31, INT_MIN, INT_MIN + 1, INT_MAX, INT_MAX - 1),
    "bigint": (*SMALL, LONG_MIN, LONG_MIN + 1, LONG_MAX, LONG_MAX - 1, 2**53, 2**53 + 1, -(2**53) - 1),
    "double": (
        None,
        math.nan,
        math.inf,
        -math.inf,
        -0.0,
        0.0,
        1.0,
        2.5,
        3.0,
        3.5,
        -2.5,
        5.0,
        5e-324,
        1e308,
        2.0**53,
        0.5,
        1.5,
        math.nextafter(1.5, 0),
        math.nextafter(2.5, 3),
        -0.5,
        -1.0,
        -1.5,
        -2.0,
        -3.0,
        2.0,
        2.999,
        4.0,
    ),
    "string": (
        None,
        "",
        "a",
        "b",
        "A",
        "ab",
        "abc",
        "ba",
        "cab",
        " a",
        "é",
        "\U0001f600",
        "a\U0001f600",
        "\uffff",
        "AB",
        "aB",
        "Ab ",
        "\u00df",
        "\u212a",
        "\u0130",
        "\ufb01",
        "b\t",
        "None",
        "abab",
        "ab-x",
        "a\u3000",
    ),
    "date": (
        None,
        *(dt.date(y, m, d) for y in (1, 1969, 2023, 2024, 2025, 9999) for m, d in ((1, 1), (2, 28), (12, 31))),
    ),
    "boolean": (None, True, False),
}
WHOLE = {
    "v > 3": "v > 3",
    "v is not None and v > 3": "v > 3",
    "v is None or v > 3": "v IS NULL OR v > 3",
    "not v > 3": "NOT (v > 3)",
    "0 < v < 7": "v > 0 AND v < 7",
    "v == 5": "v = 5",
    "v != 5": "v != 5 OR v IS NULL",
    "v in (1, 5)": "v IN (1, 5)",
    "v not in (1, 5)": "v NOT IN (1, 5) OR v IS NULL",
    "v in (1, None)": "v IN (1) OR v IS NULL",
    "v not in (1, None)": "v NOT IN (1)",
    "v is None": "v IS NULL",
    "v == None": "v IS NULL",
    "v % 2 == 0": "v % 2 = 0",
    "v % 3 == 1": "v % 3 IN (1, -2)",
    "v % 3 != 1": "v % 3 NOT IN (1, -2)",
    "v % 3 == -1": "HW302",
    "v % 10 in (1, 2)": "v % 10 IN (1, -9, 2, -8)",
    "v % 10 not in (1, 2)": "v % 10 NOT IN (1, -9, 2, -8)",
    "v % -3 == -1": None,
    "v // 2 == -2": "v >= -4 AND v < -2",
    "v // 10 >= 3": "v >= 30",
    "v // 10 != 0": "v < 0 OR v >= 10",
    "v // -2 == 1": None,
    "v + 1 > 3": "v > 2",
    "v - 7 == 3": "v = 10",
    "5 - v < 3": "v > 2",
    "v * 2 > 5": "v > 2",
    "v * 2 >= 5": "v >= 3",
    "v * 2 == 5": "HW302",
    "v * -2 > 5": "v < -2",
    "2 * v - 7 <= 9": "v <= 8",
    "2 * v + 1 < 9.5": "v <= 4",
    "(v + 1) * 3 // 2 > 4": "v >= 3",
    "-v < 3": "v > -3",
    "abs(v) > 3": "v < -3 OR v > 3",
    "bool(v)": "v != 0",
    "True if v else False": "v != 0",
    "not v": "v = 0 OR v IS NULL",
    "(v or 7) > 3": "v > 3 OR v = 0 OR v IS NULL",
    "(v if v is not None else 0) >= 3": "v >= 3",
    "max(v, 3) > 4": "v > 4",
    "v / 2 > 3": None,
    "v * v > 4": None,
    "v ** 2 > 9": None,
    "round(v) == 2": "v = 2",
    "math.floor(v) > 2": "v > 2",
    "f'{v}' == '5'": "v = 5",
    "f'{v}' == '05'": "HW302",
    "f'n{v}' in ('n5', 'n-3')": "v = 5 OR v = -3",
    "f'{v}' != 'None'": "v IS NOT NULL",
    "str(v) == '5'": "v = 5",
    "isinstance(v, int)": "v IS NOT NULL",
    "isinstance(v, str)": "HW302",
    "not isinstance(v, (int, float)) or v > 3": "v IS NULL OR v > 3",
    "v in {1, 5}": "v IN (1, 5)",
}
FRACTIONS = {
    "v > 3": "v > 3 AND NOT isnan(v)",
    "v < 3": "v < 3",
    "not v > 3": "NOT (v > 3) OR isnan(v)",
    "v == v": "NOT isnan(v)",
    "v != v": "isnan(v)",
    "v != 5": "v != 5 OR isnan(v) OR v IS NULL",
    "v in (1.0, 5.0)": "v IN (1.0, 5.0)",
    "v not in (1.0, 5.0)": "v NOT IN (1.0, 5.0) OR v IS NULL OR isnan(v)",
    "bool(v)": "v != 0 OR isnan(v)",
    "not v": "v = 0 OR v IS NULL",
    "0 < v < 3.5": "v > 0 AND v < 3.5",
    "v * 2 > 5": "v * 2 > 5 AND NOT isnan(v * 2)",
    "v % 3 == 1": None,
    "v // 2 == 1": None,
    "round(v) == 2": "v >= 1.5 AND v <= 2.5",
    "round(v) == 3": "v > 2.5 AND v < 3.5",
    "round(v) != 2": "NOT isnan(v) AND v != double('Infinity') AND v != double('-Infinity') AND (v < 1.5 OR v > 2.5)",
    "round(v) <= -2": "v != double('-Infinity') AND v <= -1.5",
    "2 < round(v)": "NOT isnan(v) AND v != double('Infinity') AND v > 2.5",
    "round(v) in (0, 1)": "(v >= -0.5 AND v <= 0.5) OR (v > 0.5 AND v < 1.5)",
    "math.floor(v) == 2": "v >= 2.0 AND v < 3.0",
    "math.ceil(v) == 3": "v > 2.0 AND v <= 3.0",
    "int(v) == 0": "v > -1.0 AND v < 1.0",
    "int(v) == -2": "v > -3.0 AND v <= -2.0",
    "math.trunc(v) >= 3": "NOT isnan(v) AND v != double('Infinity') AND v >= 3.0",
    "math.isfinite(v) and v > 2": "NOT (isnan(v) OR v = double('Infinity') OR v = double('-Infinity')) AND v > 2",
    "math.isinf(v)": "v = double('Infinity') OR v = double('-Infinity')",
    "round(v, 1) == 2.5": None,
    "isinstance(v, float)": "v IS NOT NULL",
    "f'{v}' == '2.5'": None,
}
TEXTS = {
    "v == 'a'": "v = 'a'",
    "v != 'a'": "v != 'a' OR v IS NULL",
    "v > 'ab'": "v > 'ab'",
    "v in ('a', 'b')": "v IN ('a', 'b')",
    "v not in ('a', 'b')": "v NOT IN ('a', 'b') OR v IS NULL",
    "v.startswith('a')": "startswith(v, 'a')",
    "v is not None and v.endswith('b')": "endswith(v, 'b')",
    "'b' in v": "contains(v, 'b')",
    "'b' not in v": "NOT contains(v, 'b')",
    "bool(v)": "v != ''",
    "not v": "v = '' OR v IS NULL",
    "len(v) == 0": "v = ''",
    "len(v) > 0": "NOT (v = '')",
    "v[:2] == 'ab'": "startswith(v, 'ab')",
    "v[:2] != 'ab'": "NOT startswith(v, 'ab')",
    "v[:3] == 'ab'": "v = 'ab'",
    "v[-2:] == 'ab'": "endswith(v, 'ab')",
    "v[0] == 'a'": "v != '' AND startswith(v, 'a')",
    "v[-1] != 'b'": "v != '' AND NOT endswith(v, 'b')",
    "v[:1] in ('a', 'b')": "startswith(v, 'a') OR startswith(v, 'b')",
    "v[:1] == 'ab'": "HW302",
    "v[1:] == 'b'": None,
    "len(v) > 3": "length(v) > 3",
    "v is None or len(v) in (1, 2)": "v IS NULL OR length(v) IN (1, 2)",
    "v is not None and 2 <= len(v) < 4": "length(v) >= 2 AND length(v) < 4",
    "len(v) != 1": "length(v) != 1",
    "len(v) % 2 == 1": "length(v) % 2 IN (1, -1)",
    "v.lower() == 'a'": "lower(v) = 'a'",
    "v.lower() != 'a'": "lower(v) != 'a'",
    "v.upper() in ('A', 'AB')": "upper(v) IN ('A', 'AB')",
    "v is not None and v.lower().startswith('ab')": "startswith(lower(v), 'ab')",
    "'SS' in v.upper()": "contains(upper(v), 'SS')",
    "v.lower() == 'é'": None,
    "v.lower() == v": None,
    "'b' in v.strip()": "contains(v, 'b')",
    "v.strip() != ' a'": "v IS NOT NULL",
    "f'{v}-x' == 'ab-x'": "v = 'ab'",
    "f'{v}{v}' == 'abab'": "v = 'ab'",
    "f'{v}' == 'None'": "v = 'None' OR v IS NULL",
    "str(v) == 'a'": "v = 'a'",
    "isinstance(v, str) and v == 'a'": "v = 'a'",
    "v in {'a', 'b'}": "v IN ('a', 'b')",
    "v.strip(' ') == 'a'": None,
    "v.isdigit()": None,
}
DATES = {
    "v > datetime.date(2024, 1, 1)": "v > DATE '2024-01-01'",
    "v != datetime.date(2024, 1, 1)": "v != DATE '2024-01-01' OR v IS NULL",
    "v.year == 2024": "v >= DATE '2024-01-01' AND v < DATE '2025-01-01'",
    "v.year != 2024": "v < DATE '2024-01-01' OR v >= DATE '2025-01-01'",
    "v is not None and v.year >= 2024": "v >= DATE '2024-01-01'",
    "2020 <= v.year <= 2024": "v >= DATE '2020-01-01' AND v < DATE '2025-01-01'",
    "v.year in (1969, 2024)": "(v >= DATE '1969-01-01' AND v < DATE '1970-01-01') OR "
    "(v >= DATE '2024-01-01' AND v < DATE '2025-01-01')",
    "v.month == 12": "month(v) = 12",
    "v is not None and v.month in (1, 2) and v.day > 5": "month(v) IN (1, 2) AND dayofmonth(v) > 5",
    "v.month != 1": "month(v) != 1",
    "v.weekday() >= 5": "weekday(v) >= 5",
    "v.isoweekday() == 7": "weekday(v) = 6",
    "isinstance(v, datetime.date)": "v IS NOT NULL",
}
FLAGS: dict[str, str | None] = {
    "isinstance(v, int)": "v IS NOT NULL",
    "f'{v}' == 'True'": "v = true",
    "v": "v",
    "not v": "NOT v OR v IS NULL",
    "v is True": None,
    "v == True": "v = true",
    "not not v": "v",
}
PAIRS: dict[str, dict[str, str | None]] = {
    "int": WHOLE, "bigint": WHOLE, "double": FRACTIONS, "string": TEXTS, "date": DATES, "boolean": FLAGS,
}  # fmt: skip
CASES = [(t, body) for t, pairs in PAIRS.items() for body in pairs]
NAMES = {"datetime": dt, "math": math}
HEAD = "import datetime\nimport math\nfrom pyspark.sql import functions as F\n"


@cache
def found(t: str, body: str) -> tuple[str | None, Expr | None]:
    """What the analysis puts in the place of the function: as SQL, and as an expression."""
    source = f"{HEAD}f = F.udf(lambda v: {body}, 'boolean')\nspark.table('t').filter(f('v')).show()\n"
    report = analyse(source, Options(timeout_seconds=30.0, schemas={"t": f"v {t}"}))
    assert report.error is None
    if not report.opportunities:
        return None, None
    (o,) = report.opportunities
    assert o.certificate is not None
    if o.code == "HW302":
        return "HW302", o.certificate.solution.pre_filter
    assert (o.code, o.kind, o.status, o.assumptions) == ("HW105", "exact", "verified", ())
    condition = o.certificate.solution.pre_filter
    return sql_text(condition), condition


def in_python(body: str, value: Any) -> bool | None:
    """Whether the filter keeps the value; None where the function raises."""
    try:
        return eval(f"lambda v: {body}", NAMES)(value) is True
    except (TypeError, AttributeError, IndexError, ArithmeticError, ValueError):
        return None


def natives(value: Any) -> dict[str, Any]:
    """What CPython says of the native columns of ``v``."""
    if isinstance(value, str):
        found: dict[str, Any] = {"length": len(value), "lower": value.lower(), "upper": value.upper()}
    elif isinstance(value, dt.date):
        found = {"month": value.month, "dayofmonth": value.day, "weekday": value.weekday()}
    else:
        found = dict.fromkeys(FUNCTIONS)
    return {native_column(function, "v"): part for function, part in found.items()}


def differs(body: str, condition: Expr, values: tuple[Any, ...]) -> list[Any]:
    """The values on which the condition is not what the function says."""
    holds = compile_expr(condition)
    wanted = [(v, in_python(body, v)) for v in values]
    return [v for v, keeps in wanted if keeps is not None and (holds(Env(row={"v": v, **natives(v)})) is True) != keeps]


@pytest.mark.parametrize(("t", "body"), CASES)
def test_the_native_condition_is_this_one(t: str, body: str) -> None:
    assert found(t, body)[0] == PAIRS[t][body]


@pytest.mark.parametrize(("t", "body"), CASES)
def test_it_says_what_the_function_says(t: str, body: str) -> None:
    condition = found(t, body)[1]
    if condition is not None:
        try:
            assert differs(body, condition, VALUES[t]) == []
        except EvaluationError as error:
            pytest.fail(f"the native condition raises: {error}")


def test_a_wrong_condition_is_seen() -> None:
    """The plain words, which differ on NULL, on NaN and on negative numbers."""
    plain = {("int", "v != 5"): "v == 5", ("double", "v > 3"): "not v > 3", ("int", "v % 3 == 1"): "v % 2 == 0"}
    for (t, body), other in plain.items():
        condition = found(t, other)[1]
        assert condition is not None
        assert differs(body, condition, VALUES[t])


@pytest.mark.spark
@pytest.mark.parametrize("t", PAIRS)
def test_spark_agrees(spark: SparkSession, t: str) -> None:
    """Both run by Spark, on one table."""
    from pyspark.sql import functions as F

    rows = [(i, v) for i, v in enumerate(VALUES[t])]
    spark.createDataFrame(rows, f"i int, v {t}").createOrReplaceTempView("native_filters")
    pairs = {body: sql for body in PAIRS[t] if (sql := found(t, body)[0]) not in (None, "HW302")}
    code = {name: f"lambda v: {body}" for name, body in enumerate(pairs)}

    def said(v: Any) -> str:
        def one(text: str) -> str:
            try:
                return "TF"[eval(text, NAMES)(v) is not True]
            except Exception:
                return "?"

        return "".join(one(text) for text in code.values())

    native = [F.expr(f"coalesce({sql}, false) as n{i}") for i, sql in enumerate(pairs.values())]
    for row in spark.table("native_filters").select("v", F.udf(said, "string")("v").alias("said"), *native).collect():
        for i, (body, sql) in enumerate(pairs.items()):
            assert row.said[i] == "?" or (row.said[i] == "T") == row[f"n{i}"], (body, sql, row.v)


@pytest.mark.spark
def test_spark_calls_every_function_of_a_filter_on_every_row(spark: SparkSession) -> None:
    """An error of one function is an error of the query, whatever the others say of the row: the law of
    ``pyspark/api/user_functions/python_in_filter.py``. Only a native conjunct goes first."""
    from pyspark.sql import functions as F

    @F.udf("boolean")
    def small(v: int) -> bool:
        return v < 100

    @F.udf("boolean")
    def raising(v: int) -> bool:
        if v >= 100:
            raise ValueError("called")
        return True

    frame, native = spark.createDataFrame([(1,), (200,)], "v int"), F.col("v") < 100
    for condition in (
        small("v") & raising("v"),
        (native & small("v")) | raising("v"),
        F.when(small("v"), raising("v")).otherwise(False),
    ):
        with pytest.raises(Exception, match="called"):
            frame.filter(condition).collect()
    assert [row.v for row in frame.filter(native & raising("v")).collect()] == [1]
