"""What Spark computes of one column, as a column of its own: ``length(code)``.

To a proof such a column is one more column of the input, of which only this is known: it is NULL where ``code`` is, and
nowhere else. What is proved for any such column holds of this one. Only functions that raise on no value of their
column's type are listed. A pre-filter names the column, and stands where it was proved to, never further down: the name
is that of the column below which nothing else may change ``code``.
"""

from __future__ import annotations

import re

from .expr import Col, Expr, IsNull, Not, Or
from .types import DATE, INT32, STRING, Type

FUNCTIONS: dict[str, tuple[Type, Type]] = {
    "length": (STRING, INT32),
    "lower": (STRING, STRING),
    "upper": (STRING, STRING),
    "month": (DATE, INT32),
    "dayofmonth": (DATE, INT32),
    "weekday": (DATE, INT32),
}
"""Spark's functions, with the type of the column and of the result."""
_NAME = re.compile(r"(\w+)\(`([^`]+)`\)")


def native_column(function: str, column: str) -> str:
    """The name of ``function`` of ``column``; no code can spell it, for there is a backtick in it."""
    return f"{function}(`{column}`)"


def as_native(name: str) -> tuple[str, str] | None:
    """The function and the column that ``name`` speaks of; None if it is the name of a real column."""
    found = _NAME.fullmatch(name)
    return (found[1], found[2]) if found and found[1] in FUNCTIONS else None


def native_facts(name: str) -> tuple[Expr, ...]:
    """What is known of the column ``name``, as conditions that are TRUE on every row; nothing of a real one."""
    found = as_native(name)
    if found is None:
        return ()
    made, of = IsNull(Col(name)), IsNull(Col(found[1]))
    return (Or((of, Not(made))), Or((made, Not(of))))


def asked_of(operand: Expr) -> Expr:
    """The column that is NULL where ``operand`` is, and is there to be asked: ``code`` for ``length(code)``."""
    found = as_native(operand.name) if isinstance(operand, Col) else None
    return operand if found is None else Col(found[1])
