"""Sizes of arrays in expressions: ``size(x)`` of the column ``x`` is a column of its own, named so that no code can
spell it (as in ``native``).

A fold speaks of an array through this number alone. It is what Spark's ``size(x)`` yields: a whole number that is not
negative, and where ``x`` is NULL it is NULL, or -1 where ``spark.sql.legacy.sizeOfNull`` is on without ANSI mode. So
``x`` is NULL exactly where ``size(x) >= 0`` is not TRUE, whatever the mode.
"""

from __future__ import annotations

import re

from .expr import Call, Col, Compare, Expr, IsNull, IsTrue, Lit, Not, Or, columns_of, transform
from .types import INT

_NAME = re.compile(r"size\(`([^`]+)`\)")
_FUNCTIONS = ("spark.size", "spark.cardinality")


def size_column(array: str) -> Col:
    """``size(array)``."""
    return Col(f"size(`{array}`)")


def array_of(name: str) -> str | None:
    """The array of whose size the column ``name`` speaks; None for any other column."""
    found = _NAME.fullmatch(name)
    return found[1] if found else None


def is_there(array: str) -> IsTrue:
    """Whether the array is not NULL; never NULL itself."""
    return IsTrue(Compare(">=", size_column(array), Lit(0, INT), "sql"))


def asks_presence(e: Expr) -> bool:
    """Whether ``e`` asks nothing but whether an array is there."""
    inner = e.operand if isinstance(e, IsTrue) else e
    return any(inner == is_there(a).operand for n in columns_of(inner) if (a := array_of(n)) is not None)


def in_sizes(e: Expr, arrays: frozenset[str] | None = None) -> Expr:
    """``e`` with ``size(x)`` and ``x IS NULL`` in terms of the size of ``x``, for the columns ``arrays``; by default
    ``size(x)`` alone, of every column."""

    def asked(n: Expr) -> str | None:
        match n:
            case Call(name=function, args=(Col(name),)) if function in _FUNCTIONS:
                return name if arrays is None or name in arrays else None
        return None

    def replaced(n: Expr) -> Expr | None:
        array = asked(n)
        if array is not None:
            return size_column(array)
        if isinstance(n, IsNull) and isinstance(n.operand, Col) and n.operand.name in (arrays or ()):
            return Not(is_there(n.operand.name))
        return None

    return transform(e, replaced)


def fact_in_sizes(fact: Expr, arrays: frozenset[str]) -> Expr | None:
    """``fact`` in terms of the sizes of ``arrays``; None if it says something else of one of them."""
    said = in_sizes(fact, arrays)
    if isinstance(said, Not) and isinstance(said.operand, Not):
        said = said.operand.operand
    return None if columns_of(said) & arrays else said


def fact_of(array: str) -> Expr:
    """What is known of every size."""
    size = size_column(array)
    return Or((IsNull(size), Compare(">=", size, Lit(-1, INT), "sql")))
