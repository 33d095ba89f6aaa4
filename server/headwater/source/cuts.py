"""Where the values of a column are cut, so that a condition over it can be told on each part.

First, where what it computes turns round or overflows: up to there it keeps its order, or the opposite one. Between
these, where one of its comparisons with constants changes, found by bisection.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from headwater.proof.ranges.calendar import civil, first, number
from headwater.proof.ranges.meaning import Truths, column, truths, value, whole_number
from headwater.proof.ranges.numbers import NAN_KEY, half_up, key, whole
from headwater.proof.ranges.range import NoRange, Range
from headwater.proof.ranges.shown import YEARS, in_segments, whole_seconds
from headwater_ir.expr import Arith, Call, Col, Compare, CompareOp, Expr, In, Lit, Neg, StringTest, children, walk
from headwater_ir.types import DATE, INT, STRING, TIMESTAMP, Type

_Seen = TypeVar("_Seen")
_MOST = 64
_MOST_LISTED = 20
"""Each constant takes some hundred evaluations."""


def changes(seen: Callable[[int], _Seen], low: int, high: int) -> Iterator[int]:
    """Where ``seen`` is another one than just before, from ``low`` to ``high``; it changes in one direction."""
    if low >= high or seen(low) == seen(high):
        return
    if low + 1 == high:
        yield high
        return
    middle = (low + high) // 2
    yield from changes(seen, low, middle)
    yield from changes(seen, middle, high)


def turns(e: Expr, t: Type, low: int, high: int) -> tuple[list[int], list[int]]:
    """Where ``e`` stops to keep the order of its column, from ``low`` to ``high``; of these, where it overflows."""
    found, over = list[int](), list[int]()
    if t in (DATE, TIMESTAMP):
        ends = [YEARS[0], YEARS[1] + 1] if in_segments(e, t) else []
        if any(isinstance(n, Call) and n.name in _OF_ZONES for n in walk(e)):
            ends = [end + i for end in ends for i in (-3, 0, 3)]
        if _spells(e):  # where texts of years get longer; with all of them an order has too many parts
            ordered = any(isinstance(n, Compare) and n.op not in ("==", "!=") for n in walk(e))
            digits = (3, 4) if ordered else range(7)
            ends += [first(year, 1) for n in digits for year in (1 - 10**n, 10**n)]
        return sorted({c for c in ends if low < c <= high}), over
    if t.name == "float":
        found += [NAN_KEY]
    elif in_segments(e, t):  # texts of moments, of seconds
        for arg, units in _counted(e):
            for second in (YEARS[0] * 86_400, (YEARS[1] + 1) * 86_400):
                for of, those in ((second, over), (second - 2 * 86_400, found), (second + 2 * 86_400, found)):
                    those += changes(partial(_reaches, arg, of * units, t), low, high)
    elif _spells(e):  # as many digits
        found += [c for n in range(20) for c in (1 - 10**n, 10**n) if low < c <= high]
        found = sorted({*found})
    for node in _inside_out(e):
        beyond, signs = (
            [c for a, b in _between(low, high, found) for c in changes(partial(seen, node, t), a, b)]
            for seen in (_side, _sign)
        )
        over += beyond
        found = sorted({*found, *beyond, *signs})
        if len(found) > _MOST:
            raise NoRange("many turns")
    return found, sorted({*over})


_OF_ZONES = frozenset({"spark.from_utc_timestamp", "spark.to_utc_timestamp"})
_COUNTED = {
    "spark.from_unixtime": 1, "cast:timestamp": 1, "spark.to_timestamp": 1, "spark.timestamp_seconds": 1,
    "spark.timestamp_millis": 1000,
}  # fmt: skip
"""What makes moments of numbers, and its units of a second."""


def _counted(e: Expr) -> Iterator[tuple[Expr, int]]:
    """The numbers that ``e`` makes moments of, innermost, and their units of a second."""
    for node in walk(e):
        match node:
            case Call(name, (arg, *_)) if name in _COUNTED and not any(_counted(arg)):
                yield arg, _COUNTED[name]


def _reaches(e: Expr, n: int, t: Type, x: int) -> bool:
    try:
        return True in truths(Compare(">=", e, Lit(n, INT), "sql"), column(t, x, x))
    except NoRange:
        return False


_OF_DIGITS = frozenset("spark.lpad spark.concat spark.substring spark.substr spark.left".split())


def _spells(e: Expr) -> bool:
    """Whether ``e`` makes something of numbers as texts. The order of those alone is hardly what anybody asks for."""
    return any(isinstance(n, StringTest) or (isinstance(n, Call) and n.name in _OF_DIGITS) for n in walk(e))


def _between(low: int, high: int, cuts: list[int]) -> list[tuple[int, int]]:
    return [(a, b - 1) for a, b in pairwise([low, *cuts, high + 1])]


def _inside_out(e: Expr) -> Iterator[Expr]:
    for child in children(e):
        yield from _inside_out(child)
    yield e


def _side(e: Expr, t: Type, x: int) -> int:
    """On which side of its type a whole number lies: 0 where it does not overflow."""
    try:
        found = _exact(e, column(t, x, x))
    except NoRange:
        return 0
    if found is None:
        return 0
    exact, bits = found
    half: int = 2 ** (bits - 1)
    return (exact >= half) - (exact < -half)


def _exact(e: Expr, x: Range) -> tuple[int, int] | None:
    """The whole number that ``e`` would be without an overflow, and the bits of its type; None of anything else."""
    match e:
        case Arith("+" | "-" | "*" as op, left, right, "sql"):
            a, b = value(left, x), value(right, x)
            if a is None or b is None:
                return None
            (m, _), (n, _) = whole(a), whole(b)
            return (m + n if op == "+" else m - n if op == "-" else m * n), max(a.bits, b.bits)
        case Call("spark.from_unixtime", (operand, *_)):
            of = value(operand, x)
            return None if of is None else (whole(whole_seconds(of))[0] * 10**6, 64)
        case Call("spark.round", (operand, Lit(value=int() as places))) if places < 0:
            of = value(operand, x)
            return None if of is None else (half_up(whole(of)[0], places), of.bits)
        case Neg(operand, "sql") | Call("spark.abs" | "cast:int32", (operand,)):
            of = value(operand, x)
            if of is None:
                return None
            n, _ = whole(of)
            if isinstance(e, Neg):
                return -n, of.bits
            return (n, 32) if e.name == "cast:int32" else (abs(n), of.bits)
    return None


def _sign(e: Expr, t: Type, x: int) -> int:
    """Where ``abs`` turns round."""
    match e:
        case Call("spark.abs", (operand,)):
            return True in truths(Compare("<", operand, Lit(0, INT), "sql"), column(t, x, x))
    return 0


def comparisons(e: Expr, t: Type, bounds: list[int]) -> Iterator[int]:
    """Where comparisons with constants may change, between ``bounds``, which ``turns`` found."""
    for node in walk(e):
        match node:
            case StringTest("startswith", left, Lit(value=str() as text) as right):
                pairs = [(left, right), (left, Lit(text + chr(0x10FFFF), STRING))]
            case Compare(_, left, Lit() as right) | Compare(_, Lit() as right, left):
                pairs = [(left, right)]
            case In(left, options):
                pairs = [(left, o) for o in _outermost([o for o in options if isinstance(o, Lit)])]
            case _:
                continue
        for of, constant in list(pairs):
            spelled = whole_number(constant.value) if isinstance(constant.value, str) else None
            if spelled is not None and isinstance(of, Call) and of.name == "cast:string":
                pairs.append((of.args[0], Lit(spelled, INT)))
        for of, constant in pairs:
            yield from _of_one(of, constant, t, bounds)


def _outermost(constants: list[Lit]) -> list[Lit]:
    """All of a short list; of a long one the least and the greatest, between which nothing is decided."""
    if len(constants) <= _MOST_LISTED or len({type(c.value) for c in constants} | {type(None)}) > 2:
        return constants[:_MOST_LISTED]
    ordered: list[Lit] = sorted((c for c in constants if c.value is not None), key=_value) or constants
    return [ordered[0], ordered[-1]]


def _value(constant: Lit) -> Any:
    return constant.value


def _of_one(of: Expr, constant: Lit, t: Type, bounds: list[int]) -> Iterator[int]:
    if isinstance(of, Col) and t.name == "float" and isinstance(constant.value, (int, float)):
        yield from (key(float(constant.value)) + i for i in (0, 1))
        return
    asked: tuple[CompareOp, ...] = ("<", "<=")
    if isinstance(constant.value, dt.date) and t in (DATE, TIMESTAMP):
        yield from (number(constant.value) + i for i in (0, 1))
    for op in asked:
        test = Compare(op, of, constant, "sql")

        def seen(x: int, test: Expr = test) -> Truths:
            return truths(test, column(t, x, x))

        for low, behind in pairwise(bounds):
            for at in changes(seen, *_decided(seen, low, behind - 1)):
                yield at
                if t in (DATE, TIMESTAMP):  # functions that keep the order inside of a year are then decided
                    yield from (first(civil(at)[0], 1), first(civil(at)[0] + 1, 1))


def _decided(seen: Callable[[int], Truths], low: int, high: int) -> tuple[int, int]:
    """The outermost values, of a few near the ends, on which ``seen`` is decided: at the ends days overflow."""
    inside = [0, 2**8, 2**12, 2**24]
    lows = (low + i for i in inside if low + i <= high and len(seen(low + i)) == 1)
    highs = (high - i for i in inside if low <= high - i and len(seen(high - i)) == 1)
    return next(lows, 0), next(highs, -1)
