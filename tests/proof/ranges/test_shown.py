"""Texts of dates and moments, and moments cut off to a unit, beside Spark: in zones that left out days, or showed one
twice, before the year 0 and after 9999 (issue 22)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from headwater.proof.ranges.calendar import first, number
from headwater.proof.ranges.meaning import column, value
from headwater.proof.ranges.range import NoRange, Range
from headwater.proof.ranges.shown import FUNCTIONS
from headwater_ir.expr import Call, Col, Expr, Lit
from headwater_ir.types import DATE, INT, INT32, INT64, STRING, TIMESTAMP, Type
from tests.replay import setting
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

X = Col("x")
PATTERNS = (
    "yyyy", "yyyy-MM", "yyyyMM", "yyyyMMdd", "yyyy/MM/dd", "yyyy-MM-01", "yyyy-MM-dd HH", "yyyy-MM-dd'T'HH:mm:ss",
    "yyyyMMddHH", "yyyy.MM.dd HHmm",
)  # fmt: skip
REFUSED = (
    "MM/dd/yyyy",
    "yyyy-M",
    "yyyy-MMM",
    "y",
    "yy",
    "yyyy-dd",
    "MM-yyyy",
    "yyyy-MM-dd hh",
    "yyyyDDD",
    "E",
    "yyyy'x'",
)
UNITS = ("year", "YYYY", "yy", "quarter", "month", "MON", "mm", "week")
WITHIN = ("day", "DD", "hour", "minute", "second")
ZONES = ("Pacific/Apia", "UTC", "America/Phoenix", "America/Havana", "Pacific/Kiritimati", "Asia/Kathmandu")
DAYS = (
    *(number(dt.date(y, m, d)) + i for y, m, d, i in (
        (1, 1, 1, 0), (1, 1, 1, -1), (999, 12, 31, 0), (1582, 10, 15, -1), (1892, 7, 4, 0), (1944, 1, 1, 0),
        (1944, 1, 1, -1), (1969, 12, 31, 0), (1970, 1, 1, 0), (1993, 8, 21, 0), (1994, 12, 31, 0), (1995, 1, 1, 0),
        (2000, 2, 29, 0), (2011, 12, 29, 0), (2011, 12, 30, 0), (2011, 12, 31, 0), (2015, 11, 1, 0), (2020, 11, 1, 0),
        (2020, 10, 31, 0), (2024, 12, 29, 0), (2024, 12, 30, 0), (2035, 6, 30, 0), (9999, 12, 31, 0),
        (9999, 12, 31, 1))),
    first(-44, 3), first(0, 1) - 1, first(0, 1), first(12_000, 5), first(100_000, 1), first(-2026, 10),
)  # fmt: skip


def text(of: str) -> Lit:
    return Lit(of, STRING)


def formatted(pattern: str) -> Call:
    return Call("spark.date_format", (X, text(pattern)), STRING)


def asked() -> list[tuple[Call, str]]:
    """What the model speaks of, and the same in SQL as a text or the number of a day."""
    as_text = Call("cast:string", (X,), STRING)
    found = [(formatted(p), f'''date_format(x, "{p}")''') for p in PATTERNS]
    found += [(as_text, "CAST(x AS string)"), (Call("spark.left", (as_text, Lit(7, INT)), STRING), "left(x, 7)")]
    for name in ("spark.substring", "spark.substr"):
        parts = (formatted("yyyy-MM-dd"), Lit(1, INT), Lit(7, INT))
        found.append((Call(name, parts, STRING), "substring(date_format(x, 'yyyy-MM-dd'), 1, 7)"))
    for p in ("yyyy", "yyyyMM", "yyyyMMdd", "yyyy-MM"):
        found.append((Call("cast:int32", (formatted(p),), INT32), f"try_cast(date_format(x, '{p}') AS int)"))
        found.append((Call("cast:int64", (formatted(p),), INT64), f"try_cast(date_format(x, '{p}') AS bigint)"))
    for name in ("from_utc_timestamp", "to_utc_timestamp"):
        for zone in ("Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "Pacific/Apia"):
            moved = Call(f"spark.{name}", (X, text(zone)), TIMESTAMP)
            found.append((moved, f"unix_date(CAST({name}(x, '{zone}') AS date))"))
    found += [(Call("spark.trunc", (X, text(u)), DATE), f"unix_date(trunc(x, '{u}'))") for u in UNITS]
    for unit in (*UNITS, *WITHIN):
        cut = Call("spark.date_trunc", (text(unit), X), TIMESTAMP)
        found.append((cut, f"unix_date(CAST(date_trunc('{unit}', x) AS date))"))
    for name, sql in (("spark.to_timestamp", "to_timestamp(x)"), ("cast:timestamp", "CAST(x AS timestamp)")):
        found.append((Call(name, (X,), TIMESTAMP), f"unix_date(CAST({sql} AS date))"))
    moment = Call("cast:timestamp", (X,), TIMESTAMP)
    for unit in ("timestamp", "seconds", "millis", "micros"):
        of = X if unit == "timestamp" else moment
        sql = f"unix_{unit}(x)" if unit == "timestamp" else f"unix_{unit}(CAST(x AS timestamp))"
        found.append((Call(f"spark.unix_{unit}", (of,), INT64), sql))
    for made, sql in ((as_text, "CAST(x AS string)"), (formatted("yyyy-MM-dd HH"), "date_format(x, 'yyyy-MM-dd HH')")):
        found.append((Call("spark.unix_date", (Call("cast:date", (made,), DATE),), INT32), f"unix_date(date({sql}))"))
        found.append((Call("spark.year", (made,), INT32), f"year({sql})"))
    for n in (-1, 0, 86_399, 1_577_836_800):
        moment = Call("spark.timestamp_seconds", (Lit(n, INT64),), TIMESTAMP)
        found.append((moment, f"unix_date(CAST(timestamp_seconds({n}) AS date))"))
    return found


OF_NUMBERS = {("spark.timestamp_millis", 1), ("spark.from_unixtime", 1), ("spark.from_unixtime", 2), ("spark.lpad", 3)}
OF_NUMBERS |= {("spark.concat", n) for n in range(2, 8)}
"""``test_numbers`` asks these."""


def test_all_functions_are_asked() -> None:
    others = {("cast:int32", 1), ("cast:int64", 1), ("spark.unix_date", 1), ("spark.year", 1)}
    assert {(e.name, len(e.args)) for e, _ in asked()} - others | OF_NUMBERS == set(FUNCTIONS)


@pytest.mark.parametrize("pattern", REFUSED)
@pytest.mark.parametrize("t", [DATE, TIMESTAMP])
def test_what_is_in_no_order(pattern: str, t: Type) -> None:
    with pytest.raises(NoRange):
        value(formatted(pattern), column(t, 0, 0))


@pytest.mark.parametrize("unit", ["decade", "Q", "", "hours"])
def test_what_is_no_unit(unit: str) -> None:
    for call in (Call("spark.trunc", (X, text(unit)), DATE), Call("spark.date_trunc", (text(unit), X), TIMESTAMP)):
        with pytest.raises(NoRange):
            value(call, column(TIMESTAMP, 0, 0))


@pytest.mark.spark
@pytest.mark.parametrize("zone", share(ZONES, 3))
def test_values_lie_between(spark: SparkSession, zone: str) -> None:
    """Of dates, and of moments around the day: what Spark makes of each lies where the model says."""
    with setting(spark, {"spark.sql.session.timeZone": zone}):
        day = "date_from_unix_date(n)"
        shifts = "explode(sequence(-28, 30))"
        moments = f"timestamp_micros(unix_micros(CAST({day} AS timestamp)) + i * 1800000000L + j)"
        found = spark.createDataFrame([(n,) for n in DAYS], "n int")
        spans = found.selectExpr("n", f"{shifts} AS i").selectExpr("n", "i", "explode(array(-1L, 0L)) AS j")
        frames = {DATE: found.selectExpr(f"{day} AS x"), TIMESTAMP: spans.selectExpr(f"{moments} AS x")}
        for t, frame in frames.items():
            calls = [(e, _of(t, sql)) for e, sql in asked()]
            for of, *got in frame.selectExpr("unix_date(CAST(x AS date))", *(s for _, s in calls)).collect():
                for (e, sql), v in zip(calls, got, strict=True):
                    assert _within(v, e, column(t, of, of)), (zone, t, of, sql, v)


@pytest.mark.spark
@pytest.mark.parametrize("zone", share(ZONES, 3))
def test_what_is_added_to_moments(spark: SparkSession, zone: str) -> None:
    """Of moments around each day, so much later or earlier: the day that the clock shows."""
    added = [(u, n) for u in ("day", "week", "month", "year") for n in (-13, -1, 1, 2)]
    added += [(u, n) for u in ("hour", "minute", "second") for n in (-90_000, -25, -1, 1, 23, 24, 86_400)]
    spelled = [f"unix_date(CAST(x + INTERVAL {n} {u} AS date))" for u, n in added]
    with setting(spark, {"spark.sql.session.timeZone": zone}):
        frame = spark.createDataFrame([(n,) for n in DAYS if -600_000 < n < 2_900_000], "n int")
        day = "unix_micros(CAST(date_from_unix_date(n) AS timestamp))"
        moments = f"explode(transform(sequence(-28, 30), i -> timestamp_micros({day} + i * 1800000000L))) AS x"
        for of, *got in frame.selectExpr(moments).selectExpr("unix_date(CAST(x AS date))", *spelled).collect():
            for (unit, n), v in zip(added, got, strict=True):
                call = Call("spark.plus_interval", (text(unit), Lit(n, INT), X), TIMESTAMP)
                assert _within(v, call, column(TIMESTAMP, of, of)), (zone, unit, n, of, v)


def _of(t: Type, sql: str) -> str:
    return sql.replace("left(x", "left(CAST(x AS string)") if sql.startswith("left") else sql


def _within(v: object, e: Expr, x: Range) -> bool:
    try:
        of = value(e, x)
    except NoRange:
        return True
    if of is None or v is None:
        return of is None or of.or_null
    return of.low <= v <= of.high  # type: ignore[operator]


def test_the_model_says_something() -> None:
    """Of days of our time each is decided."""
    for e, _ in asked():
        if e.name != "spark.timestamp_seconds" and e.args != (formatted("yyyy-MM"),):
            assert value(e, column(TIMESTAMP, 18_000, 18_000)) is not None
