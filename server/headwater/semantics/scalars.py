"""What the operators of the two dialects do to values, straight from Python's and Spark's documentation.

Part of the trusted base. Every function here is compared with CPython or Spark in ``tests/conformance``; the prose is
in ``docs/semantics.md``. A value is a ``Scalar``; ``None`` is NULL / ``None``; pandas' NaT is the NaN of dates.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
from collections.abc import Callable
from typing import Any

from headwater_ir.expr import ArithOp, CompareOp, Dialect, Scalar, StringOp

Binary = Callable[[Scalar, Scalar], Scalar]

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
MAX_BITS = 1 << 14
"""Most bits of an integer power or product that evaluation computes; then it gives up as if memory had run out."""


class EvaluationError(Exception):
    """The expression has no value on this input: the real program raises."""


def is_nan(value: Scalar) -> bool:
    """Whether ``value`` is a NaN or NaT."""
    return isinstance(value, float) and math.isnan(value)


def same(a: Scalar, b: Scalar) -> bool:
    """Null-safe identity: NULL is NULL, NaN is NaN, -0.0 is 0.0; numbers compare exactly, other types never mix."""
    return a == b or (is_nan(a) and is_nan(b))


# Comparison

_NATIVE: dict[CompareOp, Callable[[Any, Any], object]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def comparison(op: CompareOp, dialect: Dialect) -> Binary:
    """``op`` of ``dialect``."""
    return _python_compare(op) if dialect == "python" else _sql_compare(op)


def _python_compare(op: CompareOp) -> Binary:
    native = _NATIVE[op]

    def compare(a: Scalar, b: Scalar) -> Scalar:
        try:
            return native(a, b) is True
        except TypeError as error:
            if _date_with_nat(a, b):
                return False
            raise EvaluationError(str(error)) from None

    return compare


def _date_with_nat(a: Scalar, b: Scalar) -> bool:
    return (isinstance(a, dt.date) and is_nan(b)) or (is_nan(a) and isinstance(b, dt.date))


def _sql_compare(op: CompareOp) -> Binary:
    native = _NATIVE[op]

    def compare(a: Scalar, b: Scalar) -> Scalar:
        if a is None or b is None:
            return None
        if type(a) is not type(b):
            a, b = _comparable(a, b)
        if isinstance(a, float) and (is_nan(a) or is_nan(b)):  # NaN is NaN and greater than the rest
            a, b = is_nan(a), is_nan(b)
        return native(a, b) is True

    return compare


def _comparable(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """The operands after Spark's implicit cast: an integer beside a double becomes a double, a date a timestamp."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return (_to_double(a), _to_double(b)) if isinstance(a, float) or isinstance(b, float) else (a, b)
    if isinstance(a, dt.date) and isinstance(b, dt.date):
        return _midnight(a), _midnight(b)
    raise EvaluationError(f"SQL does not compare {type(a).__name__} with {type(b).__name__}")


def _to_double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # no SQL integer is that large; keeps the order
        return math.inf if value > 0 else -math.inf


def _midnight(value: dt.date) -> dt.datetime:
    return value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)


# Arithmetic

_PYTHON_ARITH: dict[ArithOp, Callable[[Any, Any], object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow,
}  # fmt: skip


def arithmetic(op: ArithOp, dialect: Dialect) -> Binary:
    """``op`` of ``dialect``; SQL has no ``//``, so an expression with it is malformed."""
    if dialect == "python":
        return _python_arithmetic(op)
    if op not in _SQL_ARITH:
        raise ValueError(f"SQL has no operator {op}")
    return _sql_arithmetic(op)


def _python_arithmetic(op: ArithOp) -> Binary:
    native = _PYTHON_ARITH[op]

    def compute(a: Scalar, b: Scalar) -> Scalar:
        _refuse_giants(op, a, b)
        try:
            return _scalar(native(a, b))
        except (TypeError, ArithmeticError) as error:
            raise EvaluationError(str(error)) from None

    return compute


def _refuse_giants(op: ArithOp, a: Scalar, b: Scalar) -> None:
    if op in ("*", "**") and isinstance(a, int) and isinstance(b, int) and abs(a) > 1:
        if (a.bit_length() * b if op == "**" else a.bit_length() + b.bit_length()) > MAX_BITS:
            raise EvaluationError("integer too large")
    if op == "*" and (isinstance(a, str) or isinstance(b, str)):
        raise EvaluationError("repeating a text is not arithmetic")
    if op == "%" and isinstance(a, str):
        raise EvaluationError("formatting a text is not arithmetic")


def _scalar(value: object) -> Scalar:
    if isinstance(value, (bool, int, float, str)):
        return value
    raise EvaluationError(f"the result is a {type(value).__name__}")


def _sql_arithmetic(op: ArithOp) -> Binary:
    native = _SQL_ARITH[op]

    def compute(a: Scalar, b: Scalar) -> Scalar:
        if a is None or b is None:
            return None
        if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
            raise EvaluationError(f"SQL has no {type(a).__name__} {op} {type(b).__name__}")
        if isinstance(a, float) or isinstance(b, float):
            a, b = float(a), float(b)
        return fits(native(a, b))

    return compute


def fits(value: float) -> int | float:
    """``value``, unless it is an integer that does not fit 64 bits."""
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        raise EvaluationError("integer overflow")
    return value


def _sql_divide(a: float, b: float) -> float:
    if b == 0:
        raise EvaluationError("division by zero")
    return float(a) / float(b)


def _sql_remainder(a: float, b: float) -> int | float:
    """Java's ``%``: the result has the sign of the dividend."""
    if b == 0:
        raise EvaluationError("remainder by zero")
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))
    return math.nan if math.isinf(a) else math.fmod(a, b)


def _sql_power(a: float, b: float) -> float:
    """Java's ``StrictMath.pow``, which never raises and differs from C's on 1 ** NaN and ±1 ** ±inf."""
    x, y = float(a), float(b)
    if y != 0 and (math.isnan(y) or (abs(x) == 1 and math.isinf(y))):
        return math.nan
    odd = math.isfinite(y) and abs(math.fmod(y, 2)) == 1
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and odd else math.inf
    except ValueError:  # zero to a negative power, or a negative base to a fraction
        return math.nan if x != 0 else math.copysign(math.inf, x if odd else 1.0)


_SQL_ARITH: dict[ArithOp, Callable[[Any, Any], int | float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _sql_divide, "%": _sql_remainder, "**": _sql_power,
}  # fmt: skip


def negate(value: Scalar, dialect: Dialect) -> Scalar:
    """``-value``."""
    if value is None and dialect == "sql":
        return None
    if not isinstance(value, (int, float)):
        raise EvaluationError(f"bad operand for unary -: {type(value).__name__}")
    return -value if dialect == "python" else fits(-value)


# Text


def text_test(op: StringOp, dialect: Dialect) -> Binary:
    """``op`` of ``dialect`` on (text, needle)."""
    tests: dict[StringOp, Callable[[str, str], bool]] = {
        "contains": lambda text, needle: needle in text, "startswith": str.startswith, "endswith": str.endswith,
    }  # fmt: skip
    found = tests[op]

    def test(text: Scalar, needle: Scalar) -> Scalar:
        if dialect == "sql" and (text is None or needle is None):
            return None
        if not isinstance(text, str) or not isinstance(needle, str):
            raise EvaluationError(f"{op} needs two texts")
        return found(text, needle)

    return test
