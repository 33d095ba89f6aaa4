"""Spark SQL's scalars: three-valued logic, the order of numbers with NaN, checked integers."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

WIDTH = {"int": 32, "bigint": 64}


class SparkError(Exception):
    """What Spark would raise."""


def is_nan(value: Any) -> bool:
    """Whether ``value`` is a NaN."""
    return isinstance(value, float) and math.isnan(value)


def asked_for_nan(value: Any) -> bool:
    """``isnan``, which makes a double of whatever it is asked of."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError as error:
            raise SparkError("CAST_INVALID_INPUT") from error
    return is_nan(value)


def order(value: Any) -> tuple[bool, Any]:
    """A sort key: NaN is greater than everything and equal to itself."""
    return (True, 0.0) if is_nan(value) else (False, value)


def met(left: Any, right: Any) -> tuple[Any, Any]:
    """Two values as Spark compares them: an integer beside a double is rounded to a double."""
    if isinstance(left, float) and isinstance(right, int):
        return left, float(right)
    if isinstance(right, float) and isinstance(left, int):
        return float(left), right
    return left, right


def compare(op: str, left: Any, right: Any) -> bool | None:
    """``left op right``; NULL if one of them is."""
    if left is None or right is None:
        return None
    a, b = (order(v) for v in met(left, right))
    found: bool = {
        "==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
    }[op]  # fmt: skip
    return found


def same(left: Any, right: Any) -> bool:
    """``<=>``."""
    return left is right if left is None or right is None else compare("==", left, right) is True


def conjunction(left: Any, right: Any) -> bool | None:
    """Three-valued AND."""
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def disjunction(left: Any, right: Any) -> bool | None:
    """Three-valued OR."""
    if left is True or right is True:
        return True
    return None if left is None or right is None else False


def arithmetic(op: str, left: Any, right: Any, kind: str) -> Any:
    """``left op right`` in the type ``kind``, ANSI mode."""
    if left is None or right is None:
        return None
    if kind == "double":
        left, right = float(left), float(right)
    if op in "/%" and right == 0:
        raise SparkError("DIVIDE_BY_ZERO")
    if op == "/":
        return _divided(float(left), float(right))
    if op == "%":
        return _remainder(left, right)
    found = {"+": left + right, "-": left - right, "*": left * right}[op]
    return checked(found, kind)


def _divided(left: float, right: float) -> float:
    return left / right


def _remainder(left: Any, right: Any) -> Any:
    """The sign is that of the dividend."""
    if isinstance(left, float):
        return math.fmod(left, right) if math.isfinite(left) and not math.isnan(right) else math.nan
    return abs(left) % abs(right) * (1 if left >= 0 else -1)


def checked(value: Any, kind: str) -> Any:
    """``value``, if it fits an integer type."""
    if kind in WIDTH and not -(2 ** (WIDTH[kind] - 1)) <= value < 2 ** (WIDTH[kind] - 1):
        raise SparkError("ARITHMETIC_OVERFLOW")
    return value


def wider(a: str, b: str) -> str:
    """The type that holds values of both."""
    for kind in ("double", "bigint"):
        if kind in (a, b) and {a, b} <= {"double", "bigint", "int"}:
            return kind
    if a == b or "void" in (a, b):
        return a if b == "void" else b
    raise SparkError(f"{a} and {b} in one column")


def moment(value: Any, kind: str) -> Any:
    """A text or a date as a date or a timestamp."""
    try:
        if isinstance(value, str):
            found = dt.datetime.fromisoformat(value)
            return found if kind == "timestamp" else found.date()
        if kind == "timestamp" and isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            return dt.datetime.combine(value, dt.time())
    except ValueError as error:
        raise SparkError("CAST_INVALID_INPUT") from error
    return value


def printed(value: Any) -> Any:
    """``value`` as a text, as Java prints it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
        if value and not 1e-3 <= abs(value) < 1e7:
            raise SparkError("how Java prints such a double is not known here")
    return value if value is None else str(value)
