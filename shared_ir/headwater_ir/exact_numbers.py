"""Whole numbers that a float or a double holds exactly."""

from __future__ import annotations

from headwater_ir.expr import Expr, Lit
from headwater_ir.types import Type

EXACT_IN_FLOAT = 2**24


def exact_in_float(t: Type, value: object) -> bool:
    """Whether an integer, of type ``t`` or the literal ``value``, is exact as a 32-bit float: without ANSI mode Spark
    converts it to one to compare it with one."""
    if isinstance(value, int):
        return abs(value) <= EXACT_IN_FLOAT
    return t.bits is not None and t.bits <= 16


def are_rounded(options: tuple[Expr, ...]) -> bool:
    """Whether Spark makes doubles of ``options`` and of what is compared, and some that differ become the same: a list
    has one type."""
    values = [o.value for o in options if isinstance(o, Lit)]
    return any(type(v) is float for v in values) and any(type(v) is int and abs(v) >= 2**53 for v in values)
