"""Arithmetic, and functions of numbers, beside Spark: what it makes of each value lies where the model says, of the
value alone and of all between it and the next one."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from headwater.proof.ranges.meaning import column, ends_of, truths, value
from headwater.proof.ranges.numbers import NAN_KEY, key, of_key
from headwater.proof.ranges.range import NoRange
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater_ir.expr import Call, Col, Compare, Expr
from headwater_ir.types import FLOAT, FLOAT32, INT8, INT32, INT64, TIMESTAMP, Type
from tests.replay import setting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WHOLE = (0, 1, -1, 2, 3, -3, 7, 49, 50, 51, 77, 99, 100, -100, 127, -128)
_INT = (
    *_WHOLE,
    2**30 - 1,
    2**30,
    2**30 + 1,
    -(2**30),
    -(2**30) - 1,
    2**31 - 1,
    -(2**31),
    -(2**31) + 1,
    214748364,
    214748365,
)
_LONG = (
    *_INT,
    2**31,
    -(2**31) - 1,
    2**53,
    2**53 + 1,
    2**62,
    2**62 - 1,
    -(2**62) - 1,
    2**63 - 1,
    -(2**63),
    253402300800,
)
_DOUBLES = (
    0.0,
    0.5,
    0.49999999999999994,
    -0.5,
    1.5,
    2.5,
    -2.5,
    76.5,
    77.0,
    77.49999999999999,
    77.5,
    0.05,
    0.15,
    2.675,
    1.005,
    1e-300,
    5e-324,
    1e300,
    1.7976931348623157e308,
    -1e300,
    2.0**31,
    2.0**31 - 0.5,
    -(2.0**31) - 1,
    2.0**53,
    2.0**63,
    -(2.0**63),
    0.1,
    0.3,
    100 / 3,
    math.inf,
    -math.inf,
    4503599627370497.5,
)
COLUMNS: dict[str, tuple[str, Type, tuple[int | float, ...]]] = {
    "b": ("tinyint", INT8, _WHOLE),
    "i": ("int", INT32, _INT),
    "l": ("bigint", INT64, _LONG),
    "x": ("double", FLOAT, _DOUBLES),
    "f": ("float", FLOAT32, (0.0, 0.5, -0.5, 1.5, 77.5, 2.0**31, 2.0**63, -(2.0**40), math.inf)),
}
_OF_ALL = ("-{c}", "abs({c})", "-abs({c})")
_OF_WHOLE = (
    "{c} + 1",
    "{c} - 7",
    "7 - {c}",
    "{c} * 2",
    "{c} * -1",
    "{c} * 10",
    "3 * {c} + 1",
    "({c} + 5) * 2",
    "abs({c} - 77)",
    "{c} / 2",
    "{c} / 100",
    "{c} / -3",
    "floor({c} / 100)",
    "{c} * 100 + 1",
    "{c} + 9223372036854775807",
    "{c} / 3 * 3",
    "{c} div 10",
    "{c} div 86400",
    "({c} + 1) div 7",
    "round({c}, -1)",
    "round({c}, -2)",
    "round({c} - 7, -1)",
    "round({c}, -19)",
    "round({c}, 2)",
)
_WIDENED = (
    "CAST({c} AS bigint) + 1", "2 * CAST({c} AS bigint)", "{c} + CAST(1 AS bigint)", "{c} - CAST(7 AS bigint)",
    "-CAST({c} AS bigint)", "abs(CAST({c} AS bigint))", "CAST({c} AS bigint) * CAST({c} AS bigint)",
    "round(CAST({c} AS bigint), -1)", "coalesce({c}, CAST(0 AS bigint)) + 1", "-coalesce({c}, CAST(0 AS bigint))",
    "CASE WHEN {c} > 9 THEN {c} ELSE CAST(0 AS bigint) END * 10", "CAST(CAST({c} AS int) AS bigint) * 2 + 1",
)  # fmt: skip
_AS_DOUBLES = (
    "CAST({c} AS double) * 2", "CAST({c} AS double) + 1", "-CAST({c} AS double)", "coalesce({c}, 0.0D) + 1",
)  # fmt: skip
"""Of columns of at most 32 bits, whose values are doubles as they are."""
_OF_DOUBLES = (
    "{c} + 1",
    "{c} - 0.1D",
    "1 - {c}",
    "{c} * 2",
    "{c} * 0.1D",
    "{c} * -3",
    "{c} / 3",
    "{c} / -0.7D",
    "{c} + 100",
    "floor({c} / 100)",
    "ceil({c} * 10)",
    "abs({c} - 77)",
    "{c} * 1000000",
)
_COLUMNS = (
    "F.floor({c})",
    "F.ceil({c})",
    "F.round({c})",
    "F.col({c}).cast('int')",
    "F.col({c}).cast('bigint')",
    "F.col({c}).cast('double') / 3",
    "(F.col({c}) / 100).cast('int')",
    "F.floor(F.col({c}) / 10) * 10",
)
_AS_TEXTS = (
    "F.lpad({c}, 5, '0')", "F.lpad({c}, 2, '0')", "F.lpad(F.col({c}).cast('string'), 12, ' ')",
    "F.concat(F.lit('a'), {c})", "F.concat(F.lpad({c}, 4, '0'), F.lit('-'), {c})", "F.concat({c}, F.lit('x'))",
    "F.substring(F.col({c}).cast('string'), 1, 2)", "F.lpad(F.concat({c}, F.lit('x')), 3, 'z')",
)  # fmt: skip
_TEXTS = ("F.from_unixtime", *(t.partition("(")[0] for t in _AS_TEXTS))
_OF_DOUBLES_ALONE = ("F.round({c}, 1)", "F.round({c}, 2)", "F.round(F.col({c}) * 3)")
_OF_LONGS = (
    "F.from_unixtime({c})", "F.from_unixtime({c}, 'yyyy-MM-dd')", "F.year(F.from_unixtime({c}))",
    "F.from_unixtime(F.col({c}) / 1000)", "F.unix_date(F.to_date(F.from_unixtime({c})))",
    "F.unix_date(F.from_unixtime({c}, 'yyyy-MM-dd HH').cast('date'))", "F.dayofyear(F.from_unixtime({c}))",
    "F.unix_date((F.col({c}) / 1000).cast('timestamp').cast('date'))", "F.quarter(F.from_unixtime({c}))",
    "F.unix_date(F.to_date(F.from_unixtime(F.col({c}) / 1000)))",
)  # fmt: skip
HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"


def asked(name: str) -> list[tuple[str, Expr]]:
    """What is computed from a column, as a Column in text, and its meaning."""
    kind = COLUMNS[name][1].name
    narrow = _AS_DOUBLES if name in ("b", "i") else ()
    whole = (*_OF_WHOLE, *_WIDENED, *narrow) if kind == "int" else _OF_DOUBLES if name == "x" else ()
    texts = [f"F.expr({t.format(c=name)!r})" for t in (*_OF_ALL, *whole)]
    more = (
        *_COLUMNS,
        *(_AS_TEXTS if kind == "int" else ()),
        *(_OF_DOUBLES_ALONE if name == "x" else ()),
        *(_OF_LONGS if name == "l" else ()),
    )
    texts += [t.format(c=repr(name)) for t in more]
    return [(t, _meaning(t, name)) for t in texts]


def _meaning(text: str, name: str) -> Expr:
    compared = f"{text} == " + ("'a'" if text.startswith(_TEXTS) else "77")
    source = f"{HEAD}spark.table('t').filter({compared})\n"
    (found,) = read_module(source, FrontendOptions(schemas=(("t", f"{name} {COLUMNS[name][0]}"),))).filters
    assert found.unread is None, (text, found.unread)
    condition = found.conjuncts[0].condition
    assert isinstance(condition, Compare), text
    return condition.left


def test_doubles_have_numbers_in_their_order() -> None:
    inside = sorted({*_DOUBLES, *(-x for x in _DOUBLES)})
    assert [of_key(key(x)) for x in inside] == inside
    assert all(key(a) < key(b) for a, b in pairwise(inside))
    assert key(0.0) == key(-0.0) == 0
    assert ends_of(FLOAT) == (key(-math.inf), NAN_KEY)


def test_the_model_says_something() -> None:
    for name, (_, t, _) in COLUMNS.items():
        for text, e in asked(name):
            decided = [x for x in (5, 77) if _ends(e, t, x, x) is not None]
            none = name == "f" and ("/" in text or "round" in text)
            none = none or any(text == f"F.expr({t.format(c=name)!r})" for t in _AS_DOUBLES)
            assert decided or none, (name, text)


@pytest.mark.spark
def test_moments_of_seconds(spark: SparkSession) -> None:
    """The days of such moments, where there are any: ``timestamp_seconds`` raises an error for the others."""
    for n in _LONG:
        cast, added = "CAST({n}L AS timestamp)", "timestamp_seconds({n}L)"
        functions = {"cast:timestamp": cast, "spark.timestamp_seconds": added}
        for function, sql in {**functions, "spark.timestamp_millis": "timestamp_millis({n}L)"}.items():
            units = 10**6 if "seconds" in sql else 10**3 if "millis" in sql else 1
            if n == -(2**63) or abs(n) * units >= 2**63:
                continue
            (seen,) = spark.sql(f"SELECT unix_date(CAST({sql.format(n=n)} AS date))").first()  # type: ignore[misc]
            ends = _ends(Call(function, (Col("l"),), TIMESTAMP), INT64, n, n)
            assert _lies(seen, ends), (sql, n, seen, ends)


@pytest.mark.spark
@pytest.mark.parametrize("name", COLUMNS)
def test_values_lie_between(spark: SparkSession, name: str) -> None:
    """Where ANSI is off, which wraps and cuts off; where it is on, it raises an error in these places."""
    from pyspark.sql import functions as F

    kind, t, values = COLUMNS[name]
    rows = sorted({*values, *(-v for v in values if t.name == "float")})
    calls = asked(name)
    with setting(spark, {"spark.sql.ansi.enabled": "false"}):
        frame = spark.createDataFrame([(v,) for v in rows], f"{name} {kind}")
        found = [tuple(r) for r in frame.select(name, *[eval(text, {"F": F}) for text, _ in calls]).collect()]
        nan = spark.createDataFrame([(math.nan,)], f"{name} {kind}") if t.name == "float" else None
        of_nan = tuple(nan.select(*[eval(text, {"F": F}) for text, _ in calls]).collect()[0]) if nan is not None else ()
    for (text, e), got in zip(calls, zip(*(r[1:] for r in found), strict=True), strict=True):
        for v, seen in zip((r[0] for r in found), got, strict=True):
            assert _lies(seen, _ends(e, t, v, v)), (text, v, seen, _ends(e, t, v, v))
        for (v, a), (w, b) in pairwise(zip((r[0] for r in found), got, strict=True)):
            ends = _ends(e, t, v, w)
            assert _lies(a, ends), (text, v, w, a, ends)
            assert _lies(b, ends), (text, v, w, b, ends)
    for (text, e), seen in zip(calls, of_nan, strict=False):
        ends = _ends(e, t, math.nan, math.nan)
        assert ends is None or _lies(seen, ends), (text, seen, ends)


def _ends(e: Expr, t: Type, low: float, high: float) -> tuple[float | str, float | str] | None:
    ends = [NAN_KEY if math.isnan(x) else key(x) for x in (low, high)] if t.name == "float" else [int(low), int(high)]
    try:
        found = value(e, column(t, ends[0], ends[1]))
    except NoRange:
        return None
    assert found is not None
    return (math.nan, math.nan) if found.kind == "nan" else (found.low, found.high)


def _lies(seen: float | str | None, ends: tuple[float | str, float | str] | None) -> bool:
    if ends is None:
        return True
    if isinstance(seen, float) and math.isnan(seen):
        return isinstance(ends[0], float) and math.isnan(ends[0])
    return seen is not None and ends[0] <= seen <= ends[1]  # type: ignore[operator]


def test_nan_is_greater_than_all_numbers() -> None:
    (_, e), *_ = asked("x")
    nan = column(FLOAT, NAN_KEY, NAN_KEY)
    for op, says in ((">", True), ("<", False), ("==", False), (">=", True)):
        assert truths(Compare(op, e, _constant(5), "sql"), nan) == {says}  # type: ignore[arg-type]


def _constant(n: int) -> Expr:
    from headwater_ir.expr import Lit
    from headwater_ir.types import INT

    return Lit(n, INT)
