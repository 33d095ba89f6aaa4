"""Arithmetic on ranges of whole numbers and doubles, and the functions that keep their order, or turn it round.

Whole numbers. What overflows is what it wraps to: where Spark raises an error instead, as it does by default since 4.0,
any answer is as good. All numbers of a range must wrap alike. Numbers of fewer than 64 bits may have been made wider
ones below, or doubles, which no expression shows: of how many bits a sum is, a constant in it ``says``. Without one,
what 32 bits do not hold is not spoken of.

Doubles. Java rounds as Python does, and rounding keeps the order: ``x * c`` lies between its values at the ends. NaN is
a range by itself. A ``float`` of 32 bits is only compared, cut off or turned round: in which type Spark adds to it
depends on a setting. A constant such as ``1.5`` beside a whole number is not spoken of: in SQL text it is a decimal.

``key`` numbers the doubles in their order. 0.0 and -0.0, which are equal, have one number.
``tests/proof/ranges/test_numbers.py`` compares all of this with Spark.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from .range import NoRange, Ordered, Range

EXACT = 2**53
"""Below it each whole number is a double."""
_INT64 = 2**63
_MAGNITUDE = _INT64 - 1


def key(x: float) -> int:
    """The number of a double that is not NaN."""
    bits: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits & _MAGNITUDE)


def of_key(n: int) -> float:
    """The double of that number."""
    (x,) = struct.unpack("<d", struct.pack("<q", abs(n)))
    return float(x) if n >= 0 else -float(x)


NAN_KEY = key(math.inf) + 1
"""NaN comes after all numbers."""
NAN = Range("nan", 0, 0)


def doubles(low: int, high: int, bits: int) -> Range:
    """The doubles whose numbers are from ``low`` to ``high``."""
    if low == NAN_KEY:
        return NAN
    if high == NAN_KEY:
        raise NoRange("NaN beside numbers")
    return Range("float", of_key(low), of_key(high), bits=bits)


def arithmetic(op: str, a: Range, b: Range, *, says: bool = False) -> Range:
    """``a op b``."""
    if a.kind == b.kind == "int":
        return _divided(a, b) if op == "/" else _of_whole(op, a, b, says)
    if a.kind == "nan" or b.kind == "nan":
        _double(b if a.kind == "nan" else a)
        return NAN
    return _of_doubles(op, a, b)


def _of_whole(op: str, a: Range, b: Range, says: bool) -> Range:
    (al, ah), (bl, bh) = whole(a), whole(b)
    bits = max(a.bits, b.bits)
    match op:
        case "+":
            return _held(al + bl, ah + bh, bits, says)
        case "-":
            return _held(al - bh, ah - bl, bits, says)
        case "*":
            ends = [p * q for p in (al, ah) for q in (bl, bh)]
            return _held(min(ends), max(ends), bits, says)
    raise NoRange(op)


def wrapped(low: int, high: int, bits: int) -> Range:
    """Whole numbers from ``low`` to ``high`` in so many bits."""
    half = 2 ** (bits - 1)
    turns = (low + half) // (2 * half)
    if turns != (high + half) // (2 * half):
        raise NoRange("an overflow of some")
    return Range("int", low - turns * 2 * half, high - turns * 2 * half, bits=bits)


def _held(low: int, high: int, bits: int, says: bool = False) -> Range:
    """As ``wrapped``; nothing of an overflow of numbers that may be wider than they seem."""
    found = wrapped(low, high, bits)
    if found.low != low and not says and bits < 64:
        raise NoRange("numbers that may be wider")
    return found


def whole(r: Range) -> tuple[int, int]:
    """The least and the greatest of whole numbers."""
    if r.kind != "int" or r.or_null or not isinstance(r.low, int) or not isinstance(r.high, int):
        raise NoRange("no number")
    return r.low, r.high


def _divided(a: Range, b: Range) -> Range:
    """Of whole numbers Spark makes doubles first."""
    (low, high), (least, most) = whole(a), whole(b)
    if least != most:
        raise NoRange("a divisor that varies")
    return _of_doubles("/", Range("float", float(low), float(high), bits=64), b)


def quotient(a: Range, b: Range) -> Range:
    """``a div b``, cut off toward 0."""
    (low, high), (c, most) = whole(a), whole(b)
    if c != most or c <= 0:
        raise NoRange("a divisor that varies")
    first, last = (n // c if n >= 0 else -(-n // c) for n in (low, high))
    return Range("int", first, last, bits=64)


def _double(r: Range) -> tuple[float, float]:
    """The ends of what is a double, or a whole number that Spark makes one of."""
    if r.or_null or r.kind not in ("float", "int", "nan") or (r.kind == "float" and r.bits != 64):
        raise NoRange("no double")
    if r.kind == "int" and not (r.one and abs(whole(r)[0]) <= EXACT):
        raise NoRange("a whole number that varies beside a double")
    return float(r.low), float(r.high)


def _of_doubles(op: str, a: Range, b: Range) -> Range:
    varies, constant = (a, b) if b.one else (b, a)
    ends, (c, most) = _double(varies), _double(constant)
    turned = varies is b
    if c != most or not math.isfinite(c) or (op in ("*", "/") and c == 0) or (op == "/" and turned):
        raise NoRange(op)
    of: dict[str, Callable[[float], float]] = {
        "+": lambda x: x + c, "*": lambda x: x * c, "/": lambda x: x / c,
        "-": lambda x: c - x if turned else x - c,
    }  # fmt: skip
    if op not in of:
        raise NoRange(op)
    return _ordered(of[op](ends[0]), of[op](ends[1]))


def _ordered(a: float, b: float, bits: int = 64) -> Range:
    return Range("float", min(a, b), max(a, b), bits=bits)


def negated(r: Range, bits: int | None = None) -> Range:
    """``-r``, of so many ``bits`` if that is known."""
    match r.kind:
        case "int":
            low, high = whole(r)
            return _held(-high, -low, bits or r.bits, bits is not None)
        case "float" if not r.or_null:
            return _ordered(-float(r.low), -float(r.high), r.bits)
        case "nan":
            return r
    raise NoRange("no number")


def absolute(r: Range) -> Range:
    """``abs(r)``: of the least whole number, itself or an error."""
    if r.kind == "nan":
        return r
    turned = negated(r)
    if r.low >= 0:  # type: ignore[operator]
        return r
    if r.high <= 0:  # type: ignore[operator]
        return turned
    return Range(r.kind, 0, max(turned.high, r.high), bits=r.bits)


def _to_long(cut: Callable[[float], int]) -> Callable[[Range], Range]:
    """A function that cuts doubles off to whole numbers: of NaN 0, of what is too great the greatest."""

    def of(r: Range) -> Range:
        if r.kind == "int":
            return Range("int", *whole(r), bits=64)
        return _cut(r, cut, 64)

    return of


def _cut(r: Range, cut: Callable[[float], int], bits: int) -> Range:
    half: int = 2 ** (bits - 1)

    def one(x: Ordered) -> int:
        x = float(x)
        return (half - 1 if x > 0 else -half) if math.isinf(x) else max(-half, min(half - 1, cut(x)))

    if r.kind == "nan":
        return Range("int", 0, 0, bits=bits)
    if r.kind != "float" or r.or_null:
        raise NoRange("no double")
    return Range("int", one(r.low), one(r.high), bits=bits)


def to_whole(r: Range, bits: int) -> Range:
    """``CAST(r AS int)`` of so many bits."""
    return wrapped(*whole(r), bits) if r.kind == "int" else _cut(r, math.trunc, bits)


def to_double(r: Range) -> Range:
    """``CAST(r AS double)``."""
    if r.kind == "int":
        return _ordered(float(whole(r)[0]), float(whole(r)[1]))
    if r.kind not in ("float", "nan") or r.or_null:
        raise NoRange("no number")
    return Range(r.kind, r.low, r.high, bits=64)


def half_up(x: int, places: int) -> int:
    """``x`` to a multiple of ten, a hundred or more (``places`` < 0), halves away from 0."""
    step: int = 10 ** min(-places, 20)
    found = (2 * abs(x) + step) // (2 * step) * step
    return found if x >= 0 else -found


def extreme(name: str, of: list[Range]) -> Range:
    """``greatest(of)`` or ``least(of)`` of whole numbers or dates, to be compared: of which width the numbers are is
    not known."""
    if len({r.kind for r in of}) != 1 or of[0].kind not in ("int", "date") or any(r.or_null for r in of):
        raise NoRange("values of several kinds")
    pick: Callable[..., int] = max if name == "spark.greatest" else min
    return Range(of[0].kind, pick(r.low for r in of), pick(r.high for r in of))


def rounded(r: Range, *places: Range) -> Range:
    """``round(r)`` and ``round(r, places)``, halves away from 0. Spark counts the digits of a text of the double, which
    may be a half where the double is beside it: to more places than none, what it makes of the ends is not known to the
    last."""
    if any(not p.one or p.kind != "int" for p in places):
        raise NoRange("places that vary")
    n = whole(places[0])[0] if places else 0
    if r.kind == "nan":
        return r
    if r.kind == "int":
        first, last = whole(r)
        return _held(half_up(first, n), half_up(last, n), r.bits) if n < 0 else r
    if r.kind != "float" or r.or_null or r.bits != 64 or not 0 <= n <= 15:
        raise NoRange("no double")
    step = Fraction(1, 10**n)

    def one(x: float, margin: int) -> float:
        if math.isinf(x) or abs(x) >= EXACT:
            return x
        half_up = math.floor(abs(Fraction(x)) / step + Fraction(1, 2))
        return float(((half_up if x >= 0 else -half_up) + margin) * step)

    low, high = float(r.low), float(r.high)
    return Range("float", one(low, -(n > 0)), one(high, int(n > 0)), bits=64)


FUNCTIONS: dict[tuple[str, int], Callable[..., Range]] = {
    ("spark.div", 2): quotient,
    ("spark.abs", 1): absolute,
    ("spark.floor", 1): _to_long(math.floor),
    ("spark.ceil", 1): _to_long(math.ceil),
    ("spark.round", 1): rounded,
    ("spark.round", 2): rounded,
    ("cast:float64", 1): to_double,
}
"""As ``meaning.FUNCTIONS``."""
