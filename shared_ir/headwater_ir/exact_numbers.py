"""Whole numbers that a 32-bit float holds exactly."""

from __future__ import annotations

from headwater_ir.types import Type

EXACT_IN_FLOAT = 2**24


def exact_in_float(t: Type, value: object) -> bool:
    """Whether an integer, of type ``t`` or the literal ``value``, is exact as a 32-bit float: without ANSI mode Spark
    converts it to one to compare it with one."""
    if isinstance(value, int):
        return abs(value) <= EXACT_IN_FLOAT
    return t.bits is not None and t.bits <= 16
