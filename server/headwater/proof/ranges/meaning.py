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
    Neg,
    Not,
    Or,
    StringOp,
    StringTest,
)
from headwater_ir.types import Type

from .calendar import number
from .dates import FUNCTIONS as DATES
from .midnights import is_once, is_plain, may_be_skipped
from .numbers import EXACT, NAN_KEY, arithmetic, doubles, extreme, key, negated, to_whole
from .numbers import FUNCTIONS as NUMBERS
from .prefixes import NULL_OF_NULL
from .range import Kind, NoRange, Range, days
from .shown import FUNCTIONS as SHOWN
from .shown import as_number, seconds

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
    if t.name == "float" and t.bits is not None:
        return key(-math.inf), NAN_KEY
    if t.name in ("date", "timestamp"):
        return _DAYS
    raise NoRange(f"values of {t}")


def column(t: Type, low: int, high: int) -> Range:
    """The values of a column of type ``t`` from ``low`` to ``high``; of doubles, from their numbers."""
    if t.name == "float":
        return doubles(low, high, t.bits or 32)
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
        case Call():
            return frozenset({None}) if _is_null(e, x) == {True} else UNKNOWN
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
        a, b = found if found is not None else (_side(left, x), _side(right, x))
    except NoRange:
        return UNKNOWN
    if a is None or b is None:
        return frozenset({None})
    if a.kind in ("time", "midnight") and b.kind in ("time", "inside"):
        return _with_moment(op, a, b)
    if "nan" in (a.kind, b.kind):
        return _with_nan(op, a, b)
    if a.kind != b.kind and not _is_exact(a, b):
        return UNKNOWN
    possible = _of_ranges(op, a, b)
    return possible | {None} if a.or_null or b.or_null else possible


def _side(e: Expr, x: Value) -> Value:
    """One side of a comparison; the greatest and the least of some pass over NULL."""
    match e:
        case Call("spark.greatest" | "spark.least" as name, args):
            found = [of for of in (value(a, x) for a in args) if of is not None]
            return extreme(name, found) if found else None
    return value(e, x)


def _with_nan(op: CompareOp, a: Range, b: Range) -> Truths:
    """NaN equals itself and is greater than all numbers."""
    if not {a.kind, b.kind} <= {"nan", "int", "float"} or a.or_null or b.or_null:
        return UNKNOWN
    x, y = (Range("int", int(r.kind == "nan"), int(r.kind == "nan")) for r in (a, b))
    return _of_ranges(op, x, y)


def _is_exact(a: Range, b: Range) -> bool:
    """Whether a whole number and a double compare as numbers: one of them is a constant that either type has."""
    most = 2**24 if 32 in {r.bits for r in (a, b) if r.kind == "float"} else EXACT
    return {a.kind, b.kind} == {"int", "float"} and any(r.one and abs(r.low) < most for r in (a, b))  # type: ignore[arg-type]


def _with_moment(op: CompareOp, a: Range, b: Range) -> Truths:
    """A moment of the days ``a`` beside the first one of the day ``b``, or one inside of it: before it, or not. It is
    another one if the days differ, but of a day that no clock has shown the first moment is that of the next. A moment
    that is the only midnight of its day is this one where the days are the same. Where a clock has been changed across
    a midnight, or may be, a day before shows the order, and a day after: none has been changed by more."""
    if not b.one:
        return UNKNOWN
    (low, high), (day, _) = days(a), days(b)
    skipped, inside = may_be_skipped(day), b.kind == "inside"
    plain = is_plain(day) and (not inside or is_plain(day + 1))
    if high < day - (not plain) or low > day + skipped + (not plain):
        return _of_ranges(op, a, b)
    if op in ("<", ">=") and not inside and (plain or low > day):
        return _of_ranges(op, a, b)
    if plain and not inside and a.kind == "midnight" and a.one and low == day and is_once(day):
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
            return _arithmetic(op, left, right, x)
        case Neg(operand, "sql", bits):
            of = value(operand, x)
            return None if of is None else negated(of, bits)
        case Call("spark.lpad", (Call("cast:string", (number_,)), *rest)):
            return value(replace(e, args=(number_, *rest)), x)
        case Call(name, args):
            function = FUNCTIONS.get((name, len(args)))
            if function is None and name not in NULL_OF_NULL:
                raise NoRange(name)
            given = [value(a, x) for a in args]
            if None in given:
                return None
            if function is None:
                raise NoRange(name)
            return function(*given)
    raise NoRange(type(e).__name__)


def _constant(e: Lit) -> Range:
    match e.value:
        case bool():
            raise NoRange("a truth")
        case int() as n:
            if e.type.name == "float":
                return Range("float", float(n), float(n), bits=64)
            return Range("int", n, n, bits=e.type.bits or (32 if -(2**31) <= n < 2**31 else 64))
        case float() as x if math.isfinite(x):
            return Range("float", x, x, bits=64)
        case str() as text:
            return Range("text", text, text)
        case dt.datetime() as moment:
            day_ = number(moment.date())
            return Range("time" if moment.time() == dt.time() else "inside", day_, day_)
        case dt.date() as day:
            return Range("date", number(day), number(day))
    raise NoRange("a constant")


def _either(cond: Truths, then: Expr, otherwise: Expr, x: Value) -> Value:
    if cond == {True}:
        return value(then, x)
    if True not in cond:
        return value(otherwise, x)
    raise NoRange("one of two")


def _arithmetic(op: str, left: Expr, right: Expr, x: Value) -> Value:
    a, b = value(left, x), value(right, x)
    if a is None or b is None:
        return None
    for side, other in ((left, b), (right, a)):
        if isinstance(side, Lit) and isinstance(side.value, float) and other.kind == "int":
            raise NoRange("a constant that may be a decimal")
    says = any(isinstance(e, Lit) and e.type.name == "int" and e.type.bits is not None for e in (left, right))
    return arithmetic(op, a, b, says=says)


def _cast_to_whole(bits: int) -> Callable[[Range], Range]:
    def of(r: Range) -> Range:
        if r.kind in ("int", "float", "nan"):
            return to_whole(r, bits)
        return as_number(r, bits) if r.kind == "text" or bits == 32 else seconds(r)

    return of


FUNCTIONS: dict[tuple[str, int], Callable[..., Range]] = {
    **DATES,
    **SHOWN,
    **NUMBERS,
    ("cast:int32", 1): _cast_to_whole(32),
    ("cast:int64", 1): _cast_to_whole(64),
}
"""By the name of a function of Spark and the number of its arguments: what it makes of all values of a range."""
