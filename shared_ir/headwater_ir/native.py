"""What Spark computes of one column, as a column of its own: ``length(code)``, and of that, ``length(trim(code))``.

To a proof such a column is one more column of the input, of which only this is known: it is NULL where ``code`` is, and
nowhere else. What is proved for any such column holds of this one. Only functions that raise on no value of their
column's type are listed. A pre-filter names the column, and stands where it was proved to, never further down: the name
is that of the column below which nothing else may change ``code``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .expr import Call, Col, Expr, IsNull, Not, Or, transform
from .types import DATE, INT32, STRING, Type

FUNCTIONS: dict[str, tuple[Type, Type]] = {
    "length": (STRING, INT32),
    "lower": (STRING, STRING),
    "upper": (STRING, STRING),
    "trim": (STRING, STRING),
    "ltrim": (STRING, STRING),
    "rtrim": (STRING, STRING),
    "year": (DATE, INT32),
    "quarter": (DATE, INT32),
    "month": (DATE, INT32),
    "dayofmonth": (DATE, INT32),
    "dayofweek": (DATE, INT32),
    "dayofyear": (DATE, INT32),
    "weekofyear": (DATE, INT32),
    "weekday": (DATE, INT32),
}
"""Spark's functions, with the type of the column and of the result."""
_SPARK = "spark."
_NAME = re.compile(r"(\w+)\((?:`([^`]+)`|(.+))\)")


def native_column(function: str, column: str) -> str:
    """The name of ``function`` of ``column``; no code can spell it, for there is a backtick in it."""
    return f"{function}({column})" if as_native(column) else f"{function}(`{column}`)"


def as_native(name: str) -> tuple[str, str] | None:
    """The function and the column that ``name`` speaks of; None if it is the name of a real column."""
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in FUNCTIONS:
        return None
    if found[2]:
        return found[1], found[2]
    return (found[1], found[3]) if as_native(found[3]) else None


def real_column(name: str) -> str:
    """The real column that ``name`` speaks of: itself, if it is one."""
    found = as_native(name)
    return name if found is None else real_column(found[1])


def parts_of(name: str) -> tuple[str, ...]:
    """The native columns that ``name`` is made of, itself first; none of a real one."""
    found = as_native(name)
    return () if found is None else (name, *parts_of(found[1]))


def type_of_native(name: str) -> Type:
    """The type of the native column ``name``."""
    return FUNCTIONS[name.partition("(")[0]][1]


def native_facts(name: str) -> tuple[Expr, ...]:
    """What is known of the column ``name``, as conditions that are TRUE on every row; nothing of a real one."""
    found = as_native(name)
    if found is None:
        return ()
    made, of = IsNull(Col(name)), IsNull(Col(found[1]))
    return (Or((of, Not(made))), Or((made, Not(of))))


def asked_of(operand: Expr) -> Expr:
    """The column that is NULL where ``operand`` is, and is there to be asked: ``code`` for ``length(code)``."""
    return Col(real_column(operand.name)) if isinstance(operand, Col) else operand


def with_natives(e: Expr, types: Mapping[str, Type]) -> Expr:
    """``e`` with calls of these functions on columns of the ``types`` that they are defined for as native columns."""

    def name_of(n: Expr) -> str | None:
        match n:
            case Col(name):
                return name if name in types else None
            case Call(name=name, args=(of,)) if name.startswith(_SPARK):
                function, inner = name.removeprefix(_SPARK), name_of(of)
                known = FUNCTIONS.get(function)
                if known is not None and inner is not None and _type(inner, types) == known[0]:
                    return native_column(function, inner)
        return None

    def column(n: Expr) -> Expr | None:
        found = name_of(n) if isinstance(n, Call) else None
        return None if found is None else Col(found)

    return transform(e, column)


def _type(name: str, types: Mapping[str, Type]) -> Type:
    found = as_native(name)
    return types[name] if found is None else FUNCTIONS[found[0]][1]
