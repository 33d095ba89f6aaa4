"""The concrete meaning of ``Call``.

An opaque function is *some* pure function of its arguments, so any fixed one may stand for it in a refutation: here a
hash picks small values. It respects ``same``: arguments that are the same give the same result, as the solver's
uninterpreted functions do. A few of Python's own functions stand for themselves.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from zlib import crc32

from headwater_ir.expr import Scalar
from headwater_ir.types import Type

from .scalars import EvaluationError

_TEXTS = ("", "a", "b", "A", "ab", "\U0001f600")
_DAY = dt.date(2024, 1, 1)


EXACT: dict[str, Callable[..., Scalar]] = {
    "len": len,
    "abs": abs,
    "round": round,
    "str": str,
    "str.lower": str.lower,
    "str.upper": str.upper,
    "str.strip": str.strip,
}
"""Python functions that are their own meaning, by the name that the front end gives them. Spark's ``lower`` and
``upper`` are not among them: Java's tables of letters are not Python's."""


def call(name: str, args: Sequence[Scalar], result: Type, total: bool) -> Scalar:
    """``name(*args)``. Where it is not ``total``, a None argument raises."""
    if not total and any(a is None for a in args):
        raise EvaluationError(f"{name}(None)")
    exact = EXACT.get(name)
    if exact is None:
        return _pick(result, crc32(repr((name, [_canonical(a) for a in args])).encode("utf-8", "surrogatepass")))
    if any(a is None for a in args) and name != "str":
        return None
    try:
        return exact(*args)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise EvaluationError(str(error)) from None


def _canonical(value: Scalar) -> object:
    """One representative of each class of ``same`` values: 1, 1.0 and True are the same, and so are 0.0 and -0.0."""
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return int(value)
    return value


def _pick(result: Type, n: int) -> Scalar:
    """A value of type ``result``, any of them NULL now and then, for nothing promises otherwise."""
    if n % 11 == 0:
        return None
    k = n // 11
    if result.name == "bool":
        return k % 2 == 0
    if result.name == "int":
        return k % 9 - 4
    if result.name in ("float", "number", "decimal", "any"):
        return math.nan if result.name != "decimal" and k % 13 == 0 else (k % 9 - 4) / 2
    if result.name == "string":
        return _TEXTS[k % len(_TEXTS)]
    day = _DAY + dt.timedelta(days=k % 5)
    if result.name == "date":
        return day
    return dt.datetime(day.year, day.month, day.day, k % 3) if result.name == "timestamp" else None
