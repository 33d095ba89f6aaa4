"""What pyarrow's functions make of values.

Law: those of Arrow's compute functions, https://arrow.apache.org/docs/cpp/compute.html, measured on pyarrow 26 in
``tests/data_sources/test_arrow.py``: a comparison with null is null, NaN equals nothing and is neither greater nor
less than anything, ``&`` and ``|`` are Kleene's. ``is_in`` is never null: null is in a set that has null, NaN in one
that has NaN, and -0.0 is not in a set of 0.0. What is not listed here, and a comparison of two types, is not evaluated.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from headwater.validation.limits import NotEvaluated


def kind_of(value: Any) -> str | None:
    """The kind of type of a value, within which Arrow compares; None of null. NotEvaluated for others."""
    match value:
        case None:
            return None
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "text"
        case dt.datetime():
            raise NotEvaluated("a time in an expression of Arrow")
        case dt.date():
            return "date"
    raise NotEvaluated("a value in an expression of Arrow")


def _same_kind(a: Any, b: Any) -> None:
    if kind_of(a) != kind_of(b):
        raise NotEvaluated("a comparison of two types by Arrow")


def compared(apply: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    """The comparison ``apply`` of two values."""

    def run(a: Any, b: Any) -> Any:
        if a is None or b is None:
            return None
        _same_kind(a, b)
        if isinstance(a, bool) and apply not in (operator.eq, operator.ne):
            raise NotEvaluated("an order of truth values")
        return apply(a, b)

    return run


def _truth(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise NotEvaluated("a condition of Arrow that is not a truth value")


def both(a: Any, b: Any) -> bool | None:
    """Kleene's AND."""
    a, b = _truth(a), _truth(b)
    return False if a is False or b is False else None if a is None or b is None else True


def either(a: Any, b: Any) -> bool | None:
    """Kleene's OR."""
    a, b = _truth(a), _truth(b)
    return True if a is True or b is True else None if a is None or b is None else False


def strict(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``apply`` where neither is null, else null."""
    return lambda a, b: None if _truth(a) is None or _truth(b) is None else apply(a, b)


def inverted(a: Any) -> bool | None:
    """NOT."""
    return None if (v := _truth(a)) is None else not v


def is_nan(a: Any) -> bool | None:
    """Whether a value is NaN."""
    return None if a is None else isinstance(a, float) and math.isnan(a)


def _key(value: Any) -> Any:
    """What tells values of a set apart."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else (value, math.copysign(1, value))
    return value


def is_in(value: Any, some: list[Any], type: str) -> bool:
    """Whether a value is in a set, of values of ``type``: with the types as they are."""
    kinds = {v.__class__ for v in (value, *some) if v is not None}
    if kinds == {float, int} and isinstance(value, float):
        some = [float(v) if isinstance(v, int) else v for v in some]
    elif len(kinds) > 1 or (all(v is None for v in some) and type != "string"):
        raise NotEvaluated("a set of another type, or of none")
    for v in some:
        kind_of(v)
    kind_of(value)
    return _key(value) in [_key(v) for v in some]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotEvaluated("a function of texts of something else")
    return value


def matched(test: Callable[[str, str], bool]) -> Callable[[Any, Any, Any], Any]:
    """``test`` of a text and a pattern, perhaps without their case."""

    def run(value: Any, pattern: Any, ignore_case: Any) -> Any:
        if value is None:
            return None
        a, b = _text(value), _text(pattern)
        if ignore_case:
            if not (a.isascii() and b.isascii()):
                raise NotEvaluated("letters beyond ASCII without their case")
            a, b = a.lower(), b.lower()
        return test(a, b)

    return run


def is_like(text: str, pattern: str) -> bool:
    """Whether a text is like a pattern."""
    found, i = [], 0
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            raise NotEvaluated("an escape in a pattern of Arrow")
        found.append({"%": ".*", "_": "."}.get(c) or re.escape(c))
        i += 1
    return re.fullmatch("".join(found), text, re.DOTALL) is not None


__all__ = ["both", "compared", "either", "inverted", "is_in", "is_like", "is_nan", "kind_of", "matched", "strict"]
