"""What a condition over one column can be, on all values from one to another of the column.

Law: where ``f`` keeps the order of its argument, ``f(x)`` lies between ``f(a)`` and ``f(b)`` for every x from a to
b. ``FUNCTIONS`` names those that do, and those that do inside of a year or of a month. A comparison is decided
where the ranges of its sides are apart or are one value each; AND, OR, NOT are those of three-valued logic. What no
table names, and what leaves its range, may be anything, an error too.

A date is the number of its day. A timestamp is too: of what the clock of the session shows, the day; the functions
named look at nothing else, and its comparisons are those with midnights (``midnights`` says why).
``tests/proof/ranges/test_checker.py`` measures each function on Spark.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Union

from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Not,
    Or,
    StringTest,
)
from headwater_ir.types import Type

from .calendar import civil, first, length, number, plus_months

Kind = Literal["int", "date", "time", "text"]
Ordered = Union[int, float, str]
Truths = frozenset["bool | None"]
UNKNOWN: Truths = frozenset({True, False, None})
"""Any of these, or an error."""


class NoRange(Exception):
    """Of the value nothing is known."""


@dataclass(frozen=True)
class Range:
    """All values from ``low`` to ``high``, of one kind. ``None`` in its place is NULL."""

    kind: Kind
    low: Ordered
    high: Ordered

    @property
    def one(self) -> bool:
        """Whether it is one value."""
        return self.low == self.high


Value = Union[Range, None]
_DAYS = (-106_751_993, 106_751_993)
"""What days timestamps hold, about 292,000 years on both sides. Dates, of which Spark documents the years 1 to 9999,
may be beyond; no such date is spoken of."""
_ALL_DAYS = (-(2**31), 2**31 - 1)


def ends_of(t: Type) -> tuple[int, int]:
    """The least and the greatest value of a column of type ``t``; ``NoRange`` for a type that is not spoken of here."""
    if t.name == "int" and t.bits is not None:
        return -(2 ** (t.bits - 1)), 2 ** (t.bits - 1) - 1
    if t.name in ("date", "timestamp"):
        return _DAYS
    raise NoRange(f"values of {t}")


def column(t: Type, low: int, high: int) -> Range:
    """The values of a column of type ``t`` from ``low`` to ``high``."""
    kinds: dict[str, Kind] = {"int": "int", "date": "date", "timestamp": "time"}
    return Range(kinds[t.name], low, high)


def truths(e: Expr, x: Value) -> Truths:
    """What ``e`` can be where the column is one of ``x``."""
    match e:
        case And(operands, "sql"):
            return _all([truths(o, x) for o in operands], absorbing=False)
        case Or(operands, "sql"):
            return _all([truths(o, x) for o in operands], absorbing=True)
        case Not(operand, "sql"):
            return frozenset(None if t is None else not t for t in truths(operand, x))
        case IsNull(operand):
            return _is_null(operand, x)
        case StringTest(_, text, _, "sql"):
            return frozenset({None}) if _is_null(text, x) == {True} else UNKNOWN
        case Compare(op, left, right, "sql"):
            return _compared(op, left, right, x)
        case In(operand, options, "sql") if options:
            return _all([_compared("==", operand, o, x) for o in options], absorbing=True)
    return UNKNOWN


def _all(parts: list[Truths], *, absorbing: bool) -> Truths:
    """Kleene's OR (``absorbing``) or AND."""
    result: Truths = frozenset({not absorbing})
    for part in parts:
        result = frozenset(_kleene(a, b, absorbing) for a in result for b in part)
    return result


def _kleene(a: bool | None, b: bool | None, absorbing: bool) -> bool | None:
    if absorbing in (a, b):
        return absorbing
    return None if None in (a, b) else not absorbing


def _is_null(operand: Expr, x: Value) -> Truths:
    try:
        return frozenset({value(operand, x) is None})
    except NoRange:
        return UNKNOWN


def _compared(op: CompareOp, left: Expr, right: Expr, x: Value) -> Truths:
    try:
        found = _number_as_text(op, left, right, x)
        a, b = found if found is not None else (value(left, x), value(right, x))
    except NoRange:
        return UNKNOWN
    if a is None or b is None:
        return frozenset({None})
    if a.kind != b.kind:
        return UNKNOWN
    if a.kind == "time":
        return _with_midnight(op, a, b)
    return _of_ranges(op, a, b)


def _with_midnight(op: CompareOp, a: Range, b: Range) -> Truths:
    """A moment of the days ``a`` beside the first one of the day ``b``: before it, or not."""
    return _of_ranges(op, a, b) if op in ("<", ">=") and b.one else UNKNOWN


def _of_ranges(op: CompareOp, a: Range, b: Range) -> Truths:
    least, most, low, high = _alike(a, b)
    less, greater = least < high, most > low
    equal = not (most < low or least > high)
    found = set[bool | None]()
    for possible, answers in ((less, ("<", "<=", "!=")), (equal, ("==", "<=", ">=")), (greater, (">", ">=", "!="))):
        if possible:
            found.add(op in answers)
    return frozenset(found)


def _alike(a: Range, b: Range) -> tuple[Any, Any, Any, Any]:
    """The ends of two ranges of one kind, which Python compares with each other."""
    return a.low, a.high, b.low, b.high


def _number_as_text(op: CompareOp, left: Expr, right: Expr, x: Value) -> tuple[Value, Value] | None:
    """``cast(n AS string) = '7'`` as ``n = 7``: one number is spelled so, and no other. A text that spells none equals
    none."""
    match left, right:
        case Call("cast:string", (operand,)), Lit(value=str() as text) if op in ("==", "!="):
            of = value(operand, x)
            if of is None:
                return None, None
            if of.kind != "int":
                raise NoRange("of what a text is made")
            spelled = whole_number(text)
            if spelled is None:
                return Range("text", "", ""), Range("text", "no number", "no number")
            return of, Range("int", spelled, spelled)
    return None


def whole_number(text: str) -> int | None:
    """The whole number that Spark spells ``text``; None if there is none."""
    bare = text.removeprefix("-")
    if not (bare.isascii() and bare.isdigit()) or len(bare) > 20 or str(int(text)) != text:
        return None
    return int(text)


def value(e: Expr, x: Value) -> Value:
    """What ``e`` is between; ``NoRange`` if that is not known, or it may be an error."""
    match e:
        case Col():
            return x
        case Lit(value=None):
            return None
        case Lit():
            return _constant(e)
        case If(cond, then, otherwise):
            return _either(truths(cond, x), then, otherwise, x)
        case Arith(op, left, right, "sql"):
            return _arithmetic(op, value(left, x), value(right, x))
        case Call(name, args):
            function = FUNCTIONS.get((name, len(args)))
            if function is None and (name, len(args)) not in TEXTS:
                raise NoRange(name)
            given = [value(a, x) for a in args]
            if None in given:
                return None
            if function is None:
                raise NoRange("a text")
            return function(*(g for g in given if g is not None))
    raise NoRange(type(e).__name__)


def _constant(e: Lit) -> Range:
    match e.value:
        case bool():
            raise NoRange("a truth")
        case int() as n:
            return Range("int", n, n)
        case float() as x if math.isfinite(x) and abs(x) < 2**53:  # beside it Spark makes doubles of whole numbers
            return Range("int", x, x)
        case str() as text:
            return Range("text", text, text)
        case dt.datetime() as moment:
            if moment.time() != dt.time():
                raise NoRange("a moment within a day")
            return Range("time", number(moment.date()), number(moment.date()))
        case dt.date() as day:
            return Range("date", number(day), number(day))
    raise NoRange("a constant")


def _either(cond: Truths, then: Expr, otherwise: Expr, x: Value) -> Value:
    if cond == {True}:
        return value(then, x)
    if True not in cond:
        return value(otherwise, x)
    raise NoRange("one of two")


_INT32 = (-(2**31), 2**31 - 1)


def _arithmetic(op: str, a: Value, b: Value) -> Value:
    """Of 32-bit numbers, without one that overflows: what Spark makes of that depends on its configuration."""
    if a is None or b is None:
        return None
    (al, ah), (bl, bh) = _whole(a), _whole(b)
    match op:
        case "+":
            ends = [al + bl, ah + bh]
        case "-":
            ends = [al - bh, ah - bl]
        case "*":
            ends = [p * q for p in (al, ah) for q in (bl, bh)]
        case _:
            raise NoRange(op)
    return _within("int", min(ends), max(ends), _INT32)


def _within(kind: Kind, low: int, high: int, ends: tuple[int, int]) -> Range:
    if low < ends[0] or high > ends[1]:
        raise NoRange("an overflow")
    return Range(kind, low, high)


def _whole(r: Range) -> tuple[int, int]:
    if r.kind != "int" or not isinstance(r.low, int) or not isinstance(r.high, int):
        raise NoRange("no number")
    return r.low, r.high


def _days(r: Range) -> tuple[int, int]:
    if r.kind not in ("date", "time") or not isinstance(r.low, int) or not isinstance(r.high, int):
        raise NoRange("no date")
    return r.low, r.high


def _date(r: Range) -> Range:
    """The day of a date or of a moment."""
    return Range("date", *_days(r))


def _only_date(r: Range) -> Range:
    """A date; what Spark makes of a moment in its place is not spoken of."""
    if r.kind != "date":
        raise NoRange("no date")
    return r


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
    def of(r: Range, days: Range) -> Range:
        (low, high), (least, most) = _days(_only_date(r)), _whole(days)
        if least != most:
            raise NoRange("days that vary")
        return _within("date", low + sign * least, high + sign * least, _ALL_DAYS)

    return of


def _between(end: Range, start: Range) -> Range:
    """``datediff(end, start)``."""
    (low, high), (least, most) = _days(_only_date(end)), _days(_only_date(start))
    return _within("int", low - most, high - least, _INT32)


def _plus_months(r: Range, months: Range) -> Range:
    (low, high), (least, most) = _days(_only_date(r)), _whole(months)
    if least != most:
        raise NoRange("months that vary")
    return _within("date", plus_months(low, least), plus_months(high, least), _ALL_DAYS)


def _last_day(r: Range) -> Range:
    ends = [first(*civil(d)[:2]) + length(*civil(d)[:2]) - 1 for d in _days(_only_date(r))]
    return _within("date", ends[0], ends[1], _ALL_DAYS)


FUNCTIONS: dict[tuple[str, int], Callable[..., Range]] = {
    ("spark.year", 1): _year,
    ("spark.quarter", 1): _inside_year(lambda d: (d[1] + 2) // 3, 1, 4),
    ("spark.month", 1): _inside_year(lambda d: d[1], 1, 12),
    ("spark.dayofmonth", 1): _day_of_month,
    ("spark.dayofyear", 1): _day_of_year,
    ("spark.to_date", 1): _date,
    ("cast:date", 1): _date,
    ("spark.date_add", 2): _plus(1),
    ("spark.date_sub", 2): _plus(-1),
    ("spark.datediff", 2): _between,
    ("spark.add_months", 2): _plus_months,
    ("spark.last_day", 1): _last_day,
}
"""By the name of a function of Spark and the number of its arguments: what it makes of all values of a range."""
TEXTS = frozenset({("spark.substring", 3), ("spark.substr", 3), ("cast:string", 1)})
"""Functions that make a text of any value but NULL, and NULL of NULL."""
