"""Parts of dates and moments, and what is added to them.

``tests/proof/ranges/test_checker.py`` measures each function on Spark, ``test_shown`` what is added to moments.
"""

from __future__ import annotations

from collections.abc import Callable

from .calendar import civil, first, length, plus_months
from .midnights import is_plain, may_be_skipped
from .numbers import whole
from .range import Kind, NoRange, Range, dates, days


def _within(kind: Kind, low: int, high: int) -> Range:
    if low < -(2**31) or high >= 2**31:
        raise NoRange("an overflow")
    return Range(kind, low, high)


def _days(r: Range) -> tuple[int, int]:
    """The days of dates, of moments, or of texts of such, which Spark reads as dates here."""
    return days(r) if r.spelled is None else r.spelled


def _date(r: Range) -> Range:
    return Range("date", *_days(r))


def _number(r: Range) -> Range:
    return _within("int", *dates(r))


def _year(r: Range) -> Range:
    low, high = _days(r)
    return Range("int", civil(low)[0], civil(high)[0])


def _inside_year(part: Callable[[tuple[int, int, int]], int], least: int, most: int) -> Callable[[Range], Range]:
    """A function that keeps the order inside of a year."""

    def of(r: Range) -> Range:
        low, high = map(civil, _days(r))
        return Range("int", part(low), part(high)) if low[0] == high[0] else Range("int", least, most)

    return of


def _day_of_month(r: Range) -> Range:
    low, high = map(civil, _days(r))
    return Range("int", low[2], high[2]) if low[:2] == high[:2] else Range("int", 1, 31)


def _day_of_year(r: Range) -> Range:
    low, high = _days(r)
    start = first(civil(low)[0], 1)
    same = civil(low)[0] == civil(high)[0]
    return Range("int", low - start + 1, high - start + 1) if same else Range("int", 1, 366)


def _plus(sign: int) -> Callable[[Range, Range], Range]:
    def of(r: Range, added: Range) -> Range:
        (low, high), (least, most) = dates(r), whole(added)
        if least != most:
            raise NoRange("days that vary")
        return _within("date", low + sign * least, high + sign * least)

    return of


def _between(end: Range, start: Range) -> Range:
    """``datediff(end, start)``."""
    (low, high), (least, most) = dates(end), dates(start)
    return _within("int", low - most, high - least)


def _plus_months(r: Range, months: Range) -> Range:
    (low, high), (least, most) = dates(r), whole(months)
    if least != most:
        raise NoRange("months that vary")
    return _within("date", plus_months(low, least), plus_months(high, least))


def _last_day(r: Range) -> Range:
    ends = [first(*civil(d)[:2]) + length(*civil(d)[:2]) - 1 for d in dates(r)]
    return _within("date", ends[0], ends[1])


_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}


def _added(unit: Range, count: Range, r: Range) -> Range:
    """``r + INTERVAL count unit`` of a moment: days and months later the clock shows the same, or, where it leaves
    that out, as much later as it leaves out. While hours pass, it may be changed by a day."""
    (low, high), (n, most), of = days(r), whole(count), str(unit.low)
    if r.kind not in ("time", "midnight", "inside") or n != most or not unit.one:
        raise NoRange("no moment")
    if of in _SECONDS:
        return Range("time", low + n * _SECONDS[of] // 86_400 - 1, high + 2 + n * _SECONDS[of] // 86_400)
    if of in _DAYS:
        low, high = low + n * _DAYS[of], high + n * _DAYS[of]
    elif of in _MONTHS:
        low, high = plus_months(low, n * _MONTHS[of]), plus_months(high, n * _MONTHS[of])
    else:
        raise NoRange(of)
    return Range("time", low, high + (may_be_skipped(high) or not is_plain(high + 1)))


FUNCTIONS: dict[tuple[str, int], Callable[..., Range]] = {
    ("spark.year", 1): _year,
    ("spark.quarter", 1): _inside_year(lambda d: (d[1] + 2) // 3, 1, 4),
    ("spark.month", 1): _inside_year(lambda d: d[1], 1, 12),
    ("spark.dayofmonth", 1): _day_of_month,
    ("spark.dayofyear", 1): _day_of_year,
    ("spark.to_date", 1): _date,
    ("cast:date", 1): _date,
    ("spark.unix_date", 1): _number,
    ("spark.date_add", 2): _plus(1),
    ("spark.date_sub", 2): _plus(-1),
    ("spark.datediff", 2): _between,
    ("spark.add_months", 2): _plus_months,
    ("spark.last_day", 1): _last_day,
    ("spark.plus_interval", 3): _added,
}
"""As ``meaning.FUNCTIONS``."""
