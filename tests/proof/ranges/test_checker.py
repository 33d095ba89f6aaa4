"""The checker of ranges: what does not hold is refused, and what it takes functions to be is what Spark says."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from headwater.proof.ranges.calendar import civil, first, number, plus_months
from headwater.proof.ranges.checker import VERSION, Malformed, check
from headwater.proof.ranges.dates import FUNCTIONS
from headwater.proof.ranges.meaning import column, value
from headwater.proof.ranges.midnights import ACROSS, NEXT, SKIPPED, TWICE, is_plain
from headwater.proof.ranges.range import NoRange
from headwater_ir.expr import And, Arith, Call, Col, Compare, CompareOp, Expr, If, IsNull, Lit, Or, StringTest
from headwater_ir.ranges import RangeCertificate
from headwater_ir.types import DATE, INT, INT8, INT32, INT64, STRING, TIMESTAMP, Type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

X = Col("x")


def compare(op: CompareOp, left: Expr, right: Expr) -> Expr:
    return Compare(op, left, right, "sql")


def spark(name: str, *more: Expr, of: Type = INT32) -> Expr:
    return Call(f"spark.{name}", (X, *more), of)


def number_(n: int) -> Lit:
    return Lit(n, INT)


def day(text: str) -> Lit:
    return Lit(dt.date.fromisoformat(text), DATE)


def midnight(text: str) -> Lit:
    return Lit(dt.datetime.fromisoformat(text), TIMESTAMP)


def between(low: Lit, high: Lit) -> Expr:
    return And((compare(">=", X, low), compare("<", X, high)))


YEAR = compare("==", spark("year"), number_(2020))
CUTS = tuple(number(dt.date(y, 1, 1)) for y in (2020, 2021))


def certificate(
    before: Expr, after: Expr, type_: Type = DATE, *, beside: bool = False, cuts: tuple[int, ...] = CUTS
) -> RangeCertificate:
    return RangeCertificate(VERSION, "x", type_, before, after, cuts, beside)


def test_a_year_is_a_range() -> None:
    assert not check(certificate(YEAR, between(day("2020-01-01"), day("2021-01-01"))))
    assert not check(certificate(YEAR, between(midnight("2020-01-01"), midnight("2021-01-01")), TIMESTAMP))


COALESCE = If(IsNull(X), number_(0), X)
FAULTS: dict[str, RangeCertificate] = {
    "a day too few": certificate(YEAR, between(day("2020-01-02"), day("2021-01-01"))),
    "a day too many": certificate(YEAR, between(day("2020-01-01"), day("2021-01-02"))),
    "open at its start": certificate(
        YEAR, And((compare(">", X, day("2020-01-01")), compare("<", X, day("2021-01-01"))))
    ),
    "open on one side": certificate(YEAR, compare(">=", X, day("2020-01-01"))),
    "a day too few beside": certificate(YEAR, compare(">=", X, day("2020-01-02")), beside=True),
    "no day more beside, of moments": certificate(
        compare(">=", spark("year"), number_(1944)), compare(">=", X, midnight("1944-01-01")), TIMESTAMP, beside=True,
        cuts=(number(dt.date(1944, 1, 1)),),
    ),
    "a day that begins twice": certificate(
        compare("==", Call("spark.date_trunc", (Lit("month", STRING), X), TIMESTAMP), midnight("2020-11-01")),
        between(midnight("2020-11-01"), midnight("2020-12-01")), TIMESTAMP,
        cuts=(number(dt.date(2020, 11, 1)), number(dt.date(2020, 12, 1))),
    ),
    "texts of years after 9999": certificate(
        compare(">=", spark("date_format", Lit("yyyy", STRING), of=STRING), Lit("2020", STRING)),
        compare(">=", X, day("2020-01-01")),
    ),
    "a sum that wraps": certificate(
        compare(">", Arith("+", X, number_(1), "sql"), number_(50)), compare(">=", X, number_(50)), INT32,
        cuts=(2**31 - 1,),
    ),
    "a sum of bytes": certificate(
        compare(">", Arith("+", X, X, "sql"), number_(100)), compare(">=", X, number_(51)), INT8, cuts=(),
    ),
    "seconds before 1970": certificate(
        compare(">=", spark("unix_timestamp", of=INT64), number_(0)),
        compare(">=", X, Call("spark.timestamp_seconds", (number_(0),), TIMESTAMP)), TIMESTAMP, cuts=(),
    ),
    "a case, and NULL": certificate(
        compare("==", If(compare(">", X, number_(5)), Lit("a", STRING), Lit("b", STRING)), Lit("b", STRING)),
        compare("<=", X, number_(5)), INT32, cuts=(),
    ),
    "across a change of clocks": certificate(
        compare(">=", spark("year"), number_(1944)), compare(">=", X, midnight("1944-01-01")), TIMESTAMP
    ),
    "a year to come": certificate(
        compare(">=", spark("year"), number_(2027)), compare(">=", X, midnight("2027-01-01")), TIMESTAMP
    ),
    "NULL passes": certificate(YEAR, Or((between(day("2020-01-01"), day("2021-01-01")), IsNull(X)))),
    "NULL does not pass": certificate(compare("<", COALESCE, number_(5)), compare("<", X, number_(5)), INT32, cuts=()),
    "a month of every year": certificate(
        compare("==", spark("month"), number_(2)), between(day("2020-02-01"), day("2020-03-01"))
    ),
    "a sum that overflows": certificate(
        compare("<", Call("spark.abs", (X,), INT32), number_(5)), compare("<", X, number_(5)), INT32, cuts=()
    ),
    "the beginning of a longer text": certificate(
        compare("==", spark("substring", number_(1), number_(3), of=STRING), Lit("ab", STRING)),
        StringTest("startswith", X, Lit("ab", STRING), "sql"), STRING, cuts=(),
    ),
    "not from the first character on": certificate(
        compare("==", spark("substring", number_(2), number_(3), of=STRING), Lit("abc", STRING)),
        StringTest("startswith", X, Lit("abc", STRING), "sql"), STRING, cuts=(),
    ),
    "exact of dates alone": replace(certificate(
        compare("==", spark("year"), number_(1944)), between(midnight("1944-01-01"), midnight("1945-01-01")), TIMESTAMP,
        cuts=tuple(number(dt.date(y, 1, 1)) for y in (1944, 1945)),
    ), other=DATE),
    "exact of moments alone": replace(certificate(
        compare("==", spark("unix_seconds", of=INT64), number_(0)),
        between(midnight("1970-01-01"), midnight("1970-01-02")), TIMESTAMP,
    ), other=DATE),
    "one of two types that are no days": replace(certificate(
        compare("==", spark("substring", number_(1), number_(3), of=STRING), Lit("abc", STRING)),
        StringTest("startswith", X, Lit("abc", STRING), "sql"), STRING, cuts=(),
    ), other=INT32),
}  # fmt: skip


def faults() -> dict[str, RangeCertificate]:
    """By what is wrong."""
    return FAULTS


@pytest.mark.parametrize("name", FAULTS)
def test_what_does_not_hold_is_refused(name: str) -> None:
    with contextlib.suppress(Malformed):
        assert check(FAULTS[name])


def test_a_certificate_that_means_nothing() -> None:
    good = certificate(YEAR, between(day("2020-01-01"), day("2021-01-01")))
    with pytest.raises(Malformed):
        check(RangeCertificate(VERSION + 1, "x", DATE, good.before, good.after, (), False))
    with pytest.raises(Malformed):
        check(RangeCertificate(VERSION, "y", DATE, good.before, good.after, (), False))


def test_a_year_of_a_date_or_a_timestamp() -> None:
    either = certificate(YEAR, between(midnight("2020-01-01"), midnight("2021-01-01")), TIMESTAMP)
    assert not check(replace(either, other=DATE))
    assert replace(either, other=DATE).written == between(Lit("2020-01-01", STRING), Lit("2021-01-01", STRING))


def test_the_calendar_is_that_of_python() -> None:
    for ordinal in range(1, dt.date.max.toordinal(), 13):
        d = dt.date.fromordinal(ordinal)
        assert civil(number(d)) == (d.year, d.month, d.day)
        assert first(d.year, d.month) == number(d.replace(day=1))
    assert plus_months(number(dt.date(2020, 1, 31)), 1) == number(dt.date(2020, 2, 29))
    assert civil(number(dt.date(1, 1, 1)) - 1) == (0, 12, 31)


ARGUMENTS: dict[str, tuple[tuple[Lit, ...], ...]] = {
    "spark.date_add": ((number_(7),), (number_(-400),)),
    "spark.date_sub": ((number_(31),),),
    "spark.datediff": ((day("2020-02-29"),),),
    "spark.add_months": ((number_(1),), (number_(-13),)),
}


DATES = frozenset("spark.to_date cast:date spark.date_add spark.date_sub spark.add_months spark.last_day".split())


@pytest.mark.spark
def test_functions_are_those_of_spark(spark: SparkSession) -> None:
    """Every function, on days around the ends of months, of leap years and of the calendar."""
    from pyspark.sql import functions as F

    years = (1, 4, 100, 1582, 1600, 1899, 1900, 1969, 1970, 1999, 2000, 2020, 2023, 2024, 9998)
    days = [dt.date(y, m, d) for y in years for m in (1, 2, 3, 6, 12) for d in (1, 2, 27, 28)]
    days += [d - dt.timedelta(1) for d in days if d.toordinal() > 1]
    asked = [
        (name, more) for name, _ in FUNCTIONS if name != "spark.plus_interval" for more in ARGUMENTS.get(name, ((),))
    ]
    spelled = [_spelled(name, more) for name, more in asked]
    frame = spark.createDataFrame([(d,) for d in days], "x date").select("x", *map(F.expr, spelled))
    for row in frame.collect():
        for (name, more), got in zip(asked, row[1:], strict=True):
            assert _evaluated(name, more, row[0]) == got, (name, more, row[0])


def _spelled(name: str, more: tuple[Lit, ...]) -> str:
    constants = [f"DATE'{c.value}'" if isinstance(c.value, dt.date) else str(c.value) for c in more]
    call = f"{name.removeprefix('spark.')}({', '.join(['x', *constants])})"
    if name in DATES:  # as a number, for Python has no date before the year 1
        return f"unix_date({'CAST(x AS DATE)' if name == 'cast:date' else call})"
    return call


def _evaluated(name: str, more: tuple[Lit, ...], of: dt.date) -> object:
    try:
        found = value(Call(name, (X, *more), INT32), column(DATE, number(of), number(of)))
    except NoRange:
        return None
    assert found is not None
    assert found.one
    assert found.kind == ("date" if name in DATES else "int")
    return found.low


_CHANGE = re.compile(r"at (\d{4}-\d\d-\d\dT[\d:]+)(Z|[+-][\d:]+) to (Z|[+-][\d:]+)\]")


def clocks(changes: str) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """What the clock shows before and after each change, of the text that Java makes of many: a question to Java for
    each part of each would take most of a minute."""
    for at, *offsets in _CHANGE.findall(changes):
        before = dt.datetime.fromisoformat(at)
        old, new = (dt.datetime.fromisoformat(f"2000-01-01T00:00:00{o}".replace("Z", "+00:00")) for o in offsets)
        yield before, before + (old - new)


@pytest.mark.spark
def test_midnights_across_which_clocks_change(spark: SparkSession) -> None:
    """Of the rules of all zones that Java knows, the transitions with a midnight strictly inside."""
    java = spark._jvm.java.time  # type: ignore[union-attr]
    end = java.Instant.parse("2026-01-01T00:00:00Z")
    found, twice, skipped, seen = set[str](), set[str](), set[str](), dict[int, list[Any]]()
    for zone in java.ZoneId.getAvailableZoneIds():
        rules = java.ZoneId.of(zone).getRules()
        known = seen.setdefault(rules.hashCode(), [])
        if any(map(rules.equals, known)):  # different rules may have one hash
            continue
        known.append(rules)
        changes = rules.getTransitions()
        texts = [changes.toString()]
        last = changes[-1].getInstant() if rules.getTransitionRules() and len(changes) else end
        while last.isBefore(end):
            change = rules.nextTransition(last)
            texts.append(change.toString())
            last = change.getInstant()
        for ends in clocks(" ".join(texts)):
            start, stop = min(ends), max(ends)
            assert stop - start <= dt.timedelta(days=1)
            midnight_ = dt.datetime.combine(stop.date(), dt.time())
            while midnight_ >= start:
                said, day_ = midnight_.date().isoformat(), dt.timedelta(days=1)
                if start < midnight_ < stop and midnight_.date() < NEXT:
                    found.add(said)
                if start == ends[1] and midnight_ < stop and midnight_.day == 1 and midnight_.date() < NEXT:
                    twice.add(said)
                if start == ends[0] and midnight_ + day_ <= stop and midnight_.date() < NEXT:
                    skipped.add(said)
                midnight_ -= day_
    assert found == ACROSS
    assert twice == TWICE
    assert skipped == SKIPPED
    assert not any(is_plain(number(dt.date.fromisoformat(d))) for d in ACROSS)
