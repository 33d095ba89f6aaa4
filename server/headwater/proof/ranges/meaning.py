"""What a condition over one column can be, on all values from one to another of the column.

Law: where ``f`` keeps the order of its argument, ``f(x)`` lies between ``f(a)`` and ``f(b)`` for every x from a to
b. ``FUNCTIONS`` names those that do, and those that do inside of a year or of a month. A comparison is decided
where the ranges of its sides are apart or are one value each; AND, OR, NOT are those of three-valued logic. What no
table names, and what leaves its range, may be anything, an error too.

A date is the number of its day. A timestamp is too: of what the clock of the session shows, the day; the functions
named look at nothing else, and its comparisons are those with midnights (``midnights`` says why). What makes texts
of them, and moments of moments, is in ``shown``.
``tests/proof/ranges/test_checker.py`` measures each function on Spark.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Union

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
    StringOp,
    StringTest,
)
from headwater_ir.types import Type

from .calendar import civil, first, length, number, plus_months
from .midnights import is_once, may_be_skipped
from .range import Kind, NoRange, Range, dates, days
from .shown import FUNCTIONS as SHOWN

Truths = frozenset["bool | None"]
UNKNOWN: Truths = frozenset({True, False, None})
"""Any of these, or an error."""


Value = Union[Range, None]
"""``None``: NULL."""
_DAYS = (-106_751_993, 106_751_993)
"""What days timestamps hold, about 292,000 years on both sides. Dates, of which Spark documents the years 1 to 9999,
may be beyond; no such date is spoken of."""


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
    return Range(kinds[t.name], low, high, bits=t.bits if t.name == "int" and t.bits is not None else 32)


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
        case StringTest(op, text, Lit(value=str() as needle), "sql"):
            return _tested(op, text, needle, x)
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


def _tested(op: StringOp, text: Expr, needle: str, x: Value) -> Truths:
    """A text begins with ``needle`` where it lies between texts that do: no other one is between them."""
    try:
        of = value(text, x)
    except NoRange:
        return UNKNOWN
    if of is None:
        return frozenset({None})
    if op != "startswith" or of.kind != "text" or of.or_null:
        return UNKNOWN
    low, high = str(of.low), str(of.high)
    if low.startswith(needle) and high.startswith(needle):
        return frozenset({True})
    outside = high < needle or (low > needle and not low.startswith(needle))
    return frozenset({False}) if outside else frozenset({True, False})


def _compared(op: CompareOp, left: Expr, right: Expr, x: Value) -> Truths:
    try:
        found = _number_as_text(op, left, right, x)
        a, b = found if found is not None else (value(left, x), value(right, x))
    except NoRange:
        return UNKNOWN
    if a is None or b is None:
        return frozenset({None})
    if a.kind in ("time", "midnight") and b.kind == "time":
        return _with_midnight(op, a, b)
    if a.kind != b.kind:
        return UNKNOWN
    possible = _of_ranges(op, a, b)
    return possible | {None} if a.or_null or b.or_null else possible


def _with_midnight(op: CompareOp, a: Range, b: Range) -> Truths:
    """A moment of the days ``a`` beside the first one of the day ``b``: before it, or not. It is another one if the
    days differ, but of a day that no clock has shown the first moment is that of the next. A moment that is the only
    midnight of its day is this one where the days are the same."""
    if not b.one:
        return UNKNOWN
    if op in ("<", ">="):
        return _of_ranges(op, a, b)
    (low, high), (day, _) = days(a), days(b)
    if high < day or low > day + may_be_skipped(day):
        return _of_ranges(op, a, b)
    if a.kind == "midnight" and a.one and low == day and is_once(day):
        return _of_ranges(op, a, b)
    return frozenset({True, False})


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
                return None
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
            if function is None:
                raise NoRange(name)
            given = [value(a, x) for a in args]
            return None if None in given else function(*(g for g in given if g is not None))
    raise NoRange(type(e).__name__)


def _constant(e: Lit) -> Range:
    match e.value:
        case bool():
            raise NoRange("a truth")
        case int() as n:
            return Range("int", n, n, bits=e.type.bits or (32 if -(2**31) <= n < 2**31 else 64))
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


def _arithmetic(op: str, a: Value, b: Value) -> Value:
    """Of whole numbers. A sum that overflows is what it wraps to: where Spark raises an error instead, any answer is as
    good. What it makes of a product that overflows is not spoken of."""
    if a is None or b is None:
        return None
    (al, ah), (bl, bh) = _whole(a), _whole(b)
    bits = max(a.bits, b.bits)
    match op:
        case "+":
            return _wrapped(al + bl, ah + bh, bits)
        case "-":
            return _wrapped(al - bh, ah - bl, bits)
        case "*":
            ends = [p * q for p in (al, ah) for q in (bl, bh)]
            return replace(_within("int", min(ends), max(ends), bits), bits=bits)
    raise NoRange(op)


def _wrapped(low: int, high: int, bits: int) -> Range:
    half = 2 ** (bits - 1)
    turns = (low + half) // (2 * half)
    if turns != (high + half) // (2 * half):
        raise NoRange("an overflow of some")
    return Range("int", low - turns * 2 * half, high - turns * 2 * half, bits=bits)


def _within(kind: Kind, low: int, high: int, bits: int = 32) -> Range:
    if low < -(2 ** (bits - 1)) or high >= 2 ** (bits - 1):
        raise NoRange("an overflow")
    return Range(kind, low, high)


def _whole(r: Range) -> tuple[int, int]:
    if r.kind != "int" or r.or_null or not isinstance(r.low, int) or not isinstance(r.high, int):
        raise NoRange("no number")
    return r.low, r.high


def _date(r: Range) -> Range:
    """The day of a date or of a moment."""
    return Range("date", *days(r))


def _year(r: Range) -> Range:
    low, high = days(r)
    return Range("int", civil(low)[0], civil(high)[0])


def _inside_year(part: Callable[[tuple[int, int, int]], int], least: int, most: int) -> Callable[[Range], Range]:
    """A function that keeps the order inside of a year."""

    def of(r: Range) -> Range:
        low, high = map(civil, days(r))
        return Range("int", part(low), part(high)) if low[0] == high[0] else Range("int", least, most)

    return of


def _day_of_month(r: Range) -> Range:
    low, high = map(civil, days(r))
    return Range("int", low[2], high[2]) if low[:2] == high[:2] else Range("int", 1, 31)


def _day_of_year(r: Range) -> Range:
    low, high = days(r)
    start = first(civil(low)[0], 1)
    same = civil(low)[0] == civil(high)[0]
    return Range("int", low - start + 1, high - start + 1) if same else Range("int", 1, 366)


def _plus(sign: int) -> Callable[[Range, Range], Range]:
    def of(r: Range, added: Range) -> Range:
        (low, high), (least, most) = dates(r), _whole(added)
        if least != most:
            raise NoRange("days that vary")
        return _within("date", low + sign * least, high + sign * least)

    return of


def _between(end: Range, start: Range) -> Range:
    """``datediff(end, start)``."""
    (low, high), (least, most) = dates(end), dates(start)
    return _within("int", low - most, high - least)


def _plus_months(r: Range, months: Range) -> Range:
    (low, high), (least, most) = dates(r), _whole(months)
    if least != most:
        raise NoRange("months that vary")
    return _within("date", plus_months(low, least), plus_months(high, least))


def _last_day(r: Range) -> Range:
    ends = [first(*civil(d)[:2]) + length(*civil(d)[:2]) - 1 for d in dates(r)]
    return _within("date", ends[0], ends[1])


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
    **SHOWN,
}
"""By the name of a function of Spark and the number of its arguments: what it makes of all values of a range."""
