"""Texts of dates and moments, and moments cut off to a unit.

A pattern of digits alone, the greater unit first, makes texts in the order of days, from the year 0 to 9999: each part
has always as many digits. Beyond 9999 texts begin with ``+``, before the year 0 with ``-``, and are in no order. So
does Spark by default; ``spark.sql.legacy.timeParserPolicy`` = ``LEGACY`` counts years before the year 1 from 1 on, and
whoever relies on a pattern assumes that it is not set (``by_policy``). A moment as text does not depend on it.

Where Spark takes a date for a moment, a day that no clock of the session's zone has shown is the next one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from zoneinfo import available_timezones

from headwater_ir.expr import Call, Col, Expr, children, walk
from headwater_ir.types import DATE, Type

from .calendar import civil, first
from .midnights import may_be_skipped
from .numbers import to_whole, whole
from .range import NoRange, Range, days

_BETWEEN = r"((?:[-/.: 0-9]|'T')*)"
_PATTERN = re.compile(_BETWEEN.join(("yyyy", "(?:(MM)", "(?:(dd)", "(?:(HH)", "(?:(mm)", "(?:(ss)", ")?" * 5)))
_FIELDS = tuple("yyyy MM dd HH mm ss".split())
_READ_AS_DATE = re.compile(r"yyyy-MM-dd(?:(?: |'T').*)?")
_GREATEST = chr(0x10FFFF)
YEARS = (first(0, 1), first(10_000, 1) - 1)
"""The days of which texts are in order."""
UNITS = {
    **dict.fromkeys(("year", "yyyy", "yy"), 12), "quarter": 3, **dict.fromkeys(("month", "mon", "mm"), 1), "week": 0
}  # fmt: skip
"""By the name of a unit, its months; 0 for a week."""
_WITHIN_A_DAY = frozenset("day dd hour minute second millisecond microsecond".split())


def date_format(r: Range, pattern: Range) -> Range:
    """``date_format(r, pattern)``."""
    return _texts(_on_clock(r), str(pattern.low) if pattern.one and pattern.kind == "text" else "")


def as_text(r: Range) -> Range:
    """``CAST(r AS string)`` of a date or a moment, or of whole numbers of one sign and of as many digits: their texts
    are in the order of the digits."""
    if r.kind == "int":
        first_, last = sorted(map(str, whole(r)))
        if len(first_) != len(last) or (first_[0] == "-") != (last[0] == "-"):
            raise NoRange("numbers of different lengths")
        return Range("text", first_, last, width=len(first_))
    if r.kind == "date":
        return _texts(days(r), "yyyy-MM-dd")
    found = _texts(days(r), "yyyy-MM-dd HH:mm:ss")
    return found if str(found.low)[:1] in ("+", "-") else replace(found, high=f"{found.high}.999999")


def beginning(r: Range, start: Range, size: Range) -> Range:
    """``substring(r, start, size)``, of the first characters: what is in order stays in order."""
    if r.kind != "text" or not size.one or start.low not in (0, 1) or not start.one:
        raise NoRange("not the beginning of a text")
    low, high = str(r.low), str(r.high)
    if low[:1] in ("+", "-"):
        return Range("text", "", high)
    k = max(0, int(size.low))
    return Range("text", low[:k], high[:k], width=k if k <= (r.width or 0) else None)


def lpad(r: Range, size: Range, pad: Range) -> Range:
    """``lpad(r, size, pad)`` of whole numbers, or texts of one length: filled up, or cut off, to one length again."""
    k, fill = int(size.low) if size.one and size.kind == "int" else 0, str(pad.low) if pad.one else ""
    if r.kind == "int" and fill == "0" and whole(r)[0] >= 0 and len(str(r.high)) <= k:
        return Range("text", str(r.low).zfill(k), str(r.high).zfill(k), width=k)
    r = as_text(r) if r.kind == "int" else r
    if r.kind != "text" or r.or_null or r.width is None or k <= 0 or len(fill) != 1:
        raise NoRange("texts of different lengths")
    return Range("text", str(r.low).rjust(k, fill)[:k], str(r.high).rjust(k, fill)[:k], width=k)


def concat(*parts: Range) -> Range:
    """``concat(parts)``: in the order of the parts where each but the last has one length."""
    found = [as_text(p) if p.kind == "int" else p for p in parts]
    widths = [len(str(p.low)) if p.one else p.width for p in found]
    if any(p.kind != "text" or p.or_null for p in found) or None in widths[:-1]:
        raise NoRange("texts of different lengths")
    low, high = ("".join(str(end) for end in ends) for ends in zip(*((p.low, p.high) for p in found), strict=True))
    return Range("text", low, high, width=None if None in widths else len(low))


def left(r: Range, size: Range) -> Range:
    """``left(r, size)``."""
    return beginning(r, Range("int", 1, 1), size)


def as_number(r: Range, bits: int) -> Range:
    """``CAST(r AS int)``, or ``bigint``, of texts of digits. Texts with a sign in front are numbers of more digits, or
    negative, or too great for one: NULL or an error."""
    low, high = str(r.low), str(r.high)
    if r.kind == "text" and len(low) == len(high) < 10 and (low + high).isascii() and (low + high).isdigit():
        return Range("int", int(low), int(high), bits)
    if r.kind == "text" and high == "+" + _GREATEST and low[1:].isdigit() and len(low) < 11:
        return Range("int", int(low[1:]), 2 ** (bits - 1) - 1, bits, or_null=True)
    if r.kind == "text" and (low, high) == ("-", "-" + _GREATEST):
        return Range("int", -(2 ** (bits - 1)), 0, bits, or_null=True)
    raise NoRange("what is no number")


def trunc(r: Range, unit: Range) -> Range:
    """``trunc(r, unit)``, a date."""
    low, high = days(r)
    return Range("date", cut_off(low, _months(unit)), cut_off(high, _months(unit)))


def date_trunc(unit: Range, r: Range) -> Range:
    """``date_trunc(unit, r)``, a moment."""
    low, high = _on_clock(r)
    if str(unit.low).lower() in _WITHIN_A_DAY:
        return Range("time", low, high)
    months = _months(unit)
    low, high = cut_off(low, months), cut_off(high, months)
    return Range("midnight" if months else "time", low, high + may_be_skipped(high))


def cut_off(day: int, months: int) -> int:
    """The first day of the unit of so many months that ``day`` is in; of the week, for 0."""
    if not months:
        return day - (day + 3) % 7
    year, month, _ = civil(day)
    return first(year, month - (month - 1) % months)


def _months(unit: Range) -> int:
    found = UNITS.get(str(unit.low).lower()) if unit.one and unit.kind == "text" else None
    if found is None:
        raise NoRange("a unit")
    return found


def _on_clock(r: Range) -> tuple[int, int]:
    """The days that the clock shows at moments, or at the first moments of dates."""
    low, high = days(r)
    return low, high + (r.kind == "date" and may_be_skipped(high))


def _texts(of: tuple[int, int], pattern: str) -> Range:
    parts = _PATTERN.fullmatch(pattern)
    if parts is None:
        raise NoRange("a pattern whose texts are in no order")
    (low, high), found = of, list[tuple[str, str]]()
    if low < YEARS[0]:
        found.append(("-", "-" + _GREATEST))
    if low <= YEARS[1] and high >= YEARS[0]:
        ends = max(low, YEARS[0]), min(high, YEARS[1])
        found.append((_spelled(pattern, ends[0], "00"), _spelled(pattern, ends[1], "99")))
    if high > YEARS[1]:  # no text of five digits or more comes before this one
        found.append(("+1".ljust(2 + (len(pattern) if pattern.isalpha() else 4), "0"), "+" + _GREATEST))
    spelled = of if _READ_AS_DATE.fullmatch(pattern) else None
    return Range("text", min(a for a, _ in found), max(b for _, b in found), spelled=spelled)


def _spelled(pattern: str, day: int, of_clock: str) -> str:
    year, month, of_month = civil(day)
    values = dict(zip(_FIELDS, (f"{year:04}", f"{month:02}", f"{of_month:02}", *[of_clock] * 3), strict=True))
    return re.sub("yyyy|MM|dd|HH|mm|ss|'T'", lambda m: values.get(m[0], "T"), pattern)


_MOMENTS = (-106_751_992, 106_751_991)
"""The days of the least and of the greatest moment; what would be beyond is one of these."""


def moment(of: Range) -> Range:
    """A number of seconds since 1970, a date or a moment as a moment: no clock of a zone is a day away from another."""
    of = whole_seconds(of)
    if of.kind in ("date", "time", "midnight", "inside"):
        return Range("time", *_on_clock(of))
    low, high = (max(_MOMENTS[0], min(_MOMENTS[1], n // 86_400)) for n in whole(of))
    return Range("time", low - 1, high + 1)


def moment_of_millis(of: Range) -> Range:
    """``timestamp_millis(of)``."""
    low, high = whole(of)
    return moment(Range("int", low // 1000, high // 1000, bits=64))


@cache
def _zones() -> frozenset[str]:
    """The zones that Python knows, which it looks up among the files of the system each time."""
    return frozenset(available_timezones())


def in_zone(r: Range, zone: Range) -> Range:
    """``from_utc_timestamp(r, zone)`` and ``to_utc_timestamp``: no clock of a zone is a day away from that of UTC, and
    the clock of the session may leave out one day more."""
    if zone.kind != "text" or not zone.one or zone.low not in _zones():
        raise NoRange("a zone that is not known")
    low, high = _on_clock(r)
    return Range("time", low - 2, high + 2)


def whole_seconds(r: Range) -> Range:
    """Doubles cut off toward 0: ``moment`` and its callers look at no part of a day."""
    if r.kind == "float" and any(math.isinf(float(x)) for x in (r.low, r.high)):
        raise NoRange("no moment")
    return to_whole(r, 64) if r.kind == "float" else r


def from_unixtime(second: Range, *pattern: Range) -> Range:
    """``from_unixtime(second, pattern)``: what is too great for microseconds may be any day."""
    second = whole_seconds(second)
    if any(abs(n) * 10**6 >= 2**63 for n in whole(second)):
        raise NoRange("an overflow")
    if not pattern:
        return _texts(days(moment(second)), "yyyy-MM-dd HH:mm:ss")
    return date_format(moment(second), pattern[0])


def seconds(r: Range) -> Range:
    """The seconds since 1970 of a date or a moment; ``substitution`` knows more of them."""
    return _units(r, 1)


def _units(r: Range, of_second: int) -> Range:
    low, high = _on_clock(r)
    return Range("int", (low - 1) * 86_400 * of_second, (high + 2) * 86_400 * of_second, bits=64)


_TO_TEXT = frozenset({"spark.date_format", "spark.from_unixtime", "cast:string"})
_TO_DATE = frozenset(
    "cast:date spark.to_date spark.year spark.quarter spark.month spark.dayofmonth spark.dayofyear".split()
)


def in_segments(e: Expr, t: Type) -> bool:
    """Whether ``e``, over a column of type ``t``, makes texts, which are in order in ``YEARS`` alone, but for those
    that become dates again, and those of numbers."""
    match e:
        case Call("cast:string", (Col(),)) if t.name == "int":
            return False
        case Call(name, (Call(made, parts),)) if name in _TO_DATE and made in _TO_TEXT:
            return any(in_segments(p, t) for p in parts)
        case Call(name) if name in _TO_TEXT:
            return True
    return any(in_segments(c, t) for c in children(e))


def by_policy(e: Expr, t: Type) -> bool:
    """Whether ``e``, over a column of type ``t``, makes texts by a policy of the session."""
    for n in walk(e):
        match n:
            case Call("spark.date_format" | "spark.from_unixtime"):
                return True
            case Call("cast:string", (Col(),)) if t != DATE:
                pass
            case Call("cast:string", (Call() as of,)) if of.type != DATE:
                pass
            case Call("cast:string"):
                return True
    return False


FUNCTIONS: dict[tuple[str, int], Callable[..., Range]] = {
    ("spark.date_format", 2): date_format,
    ("cast:string", 1): as_text,
    ("spark.substring", 3): beginning,
    ("spark.substr", 3): beginning,
    ("spark.left", 2): left,
    ("spark.lpad", 3): lpad,
    **dict.fromkeys((("spark.concat", n) for n in range(2, 8)), concat),
    ("spark.trunc", 2): trunc,
    ("spark.date_trunc", 2): date_trunc,
    ("spark.timestamp_seconds", 1): moment,
    ("spark.timestamp_millis", 1): moment_of_millis,
    **dict.fromkeys((("spark.from_utc_timestamp", 2), ("spark.to_utc_timestamp", 2)), in_zone),
    ("spark.to_timestamp", 1): moment,
    ("cast:timestamp", 1): moment,
    ("spark.from_unixtime", 1): from_unixtime,
    ("spark.from_unixtime", 2): from_unixtime,
    ("spark.unix_timestamp", 1): seconds,
    ("spark.unix_seconds", 1): seconds,
    ("spark.unix_millis", 1): lambda r: _units(r, 10**3),
    ("spark.unix_micros", 1): lambda r: _units(r, 10**6),
}
"""As ``meaning.FUNCTIONS``."""
