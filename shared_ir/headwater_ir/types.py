"""Types of values, as narrow as the source lets us know and no narrower.

``NUMBER`` is the widest numeric type: any int, float or decimal, NaN included. ``ANY`` is a column of which
nothing is known. Never narrow a type that the source does not state (THEORY.md section 4, *Unknown schema*).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TypeName = Literal[
    "bool", "int", "float", "number", "string", "date", "timestamp", "decimal", "list", "any", "opaque", "null"
]


@dataclass(frozen=True)
class Type:
    """A type. ``bits`` is the width of a Spark integer or float (None for Python's unbounded int), ``elem`` a list's
    element type."""

    name: TypeName
    bits: int | None = None
    elem: Type | None = None

    def __str__(self) -> str:
        return f"list<{self.elem}>" if self.elem else self.name + (str(self.bits) if self.bits else "")


BOOL = Type("bool")
INT = Type("int")
"""Python's unbounded integer."""
INT8, INT16, INT32, INT64 = (Type("int", bits) for bits in (8, 16, 32, 64))
FLOAT = Type("float", 64)
FLOAT32 = Type("float", 32)
NUMBER = Type("number")
STRING = Type("string")
DATE = Type("date")
TIMESTAMP = Type("timestamp")
DECIMAL = Type("decimal")
ANY = Type("any")
OPAQUE = Type("opaque")
"""Known to be of a type that has no model (binary, char(n), a collated string, struct, map): nothing that
compares such values can be proved, and nothing may be inferred from how they are used."""
NULL = Type("null")


def list_of(elem: Type) -> Type:
    """The type of Spark arrays and Python lists of ``elem``."""
    return Type("list", elem=elem)


def is_numeric(t: Type) -> bool:
    """Whether values of ``t`` compare with numbers."""
    return t.name in ("int", "float", "number", "decimal")


def may_hold_nan(t: Type) -> bool:
    """Whether a Spark column of type ``t`` can hold NaN. Unknown types can."""
    return t.name in ("float", "number", "any")


def join_types(a: Type, b: Type) -> Type:
    """The narrowest type that holds the values of both."""
    if a == b or b.name == "null":
        return a
    if a.name == "null":
        return b
    if a.name == b.name == "int":
        return INT if a.bits is None or b.bits is None else Type("int", max(a.bits, b.bits))
    if OPAQUE in (a, b):
        return OPAQUE
    if is_numeric(a) and is_numeric(b):
        return FLOAT if {a.name, b.name} <= {"int", "float"} and "float" in (a.name, b.name) else NUMBER
    return ANY
