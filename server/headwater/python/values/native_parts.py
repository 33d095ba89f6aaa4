"""Python's functions of one column that Spark computes alike: ``len(s)`` is ``length(s)``, ``d.month`` is ``month(d)``.

Law: where the column is not None, Python's value and Spark's are the same; where it is, Python raises. So the call may
be read as a column of its own (``headwater_ir.native``).
``s.lower()`` and Spark's ``lower(s)`` are not the same text, for the tables of letters are of other versions of
Unicode. But each character yields the same ASCII letters in both, with something else at the same places, so that
comparing with an ASCII text, or looking for one, has the same result. Reference: every code point, alone and beside
letters, in tests/conformance/test_native_parts.py, with ICU's tables and with Java's.
Condition: the column is known to be a string, or a date; ``char(n)`` and collated strings are not. The file registers
no function of its own for SQL under the name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from headwater.python.exprs.types import results
from headwater.syntax.names.resolve import Names
from headwater_ir.expr import (
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Raise,
    StringTest,
    columns_of,
    transform,
)
from headwater_ir.native import FUNCTIONS, as_native, native_column, native_facts
from headwater_ir.types import INT

from .scope import Scope

_VALUES = {"len": "length", "date.month": "month", "date.day": "dayofmonth", "date.weekday": "weekday"}
_LETTERS = {"str.lower": "lower", "str.upper": "upper"}


Native = Callable[[str, str], "Expr | None"]
"""What Spark's function computes of a column, and an error where that is None; None if it may not be asked."""


def with_native_parts(scope: Scope, value: Expr) -> Expr:
    """``value`` with native columns in the place of calls; ``scope`` learns their types."""
    return native_parts(value, partial(_column, scope))


def letters_of_results(scope: Scope, value: Expr) -> tuple[Expr, ...]:
    """The native columns that a condition on ``value`` may come to speak of: the small or the large letters of a text
    that it may be."""
    found = (_letters(partial(_column, scope), result) for result in results(value))
    return tuple(f for f in found if f is not None)


def native_parts(value: Expr, native: Native) -> Expr:
    """``value`` with native columns in the place of calls."""

    def leaf(e: Expr) -> Expr | None:
        match e:
            case Call("date.isoweekday", args):
                day = leaf(Call("date.weekday", args, INT))
                return None if day is None else Arith("+", day, Lit(1, INT), "python")
            case Call(name, (Col(column),)) if name in _VALUES:
                return native(_VALUES[name], column)
            case Compare(("==" | "!=") as op, left, right, dialect) if _is_ascii(left) or _is_ascii(right):
                a, b = _letters(native, left), _letters(native, right)
                return None if a is b is None else Compare(op, a or left, b or right, dialect)
            case In(operand, options, dialect) if all(map(_is_ascii, options)):
                found = _letters(native, operand)
                return None if found is None else In(found, options, dialect)
            case StringTest(op, text, needle, dialect) if _is_ascii(needle):
                found = _letters(native, text)
                return None if found is None else StringTest(op, found, needle, dialect)
        return None

    found = transform(value, leaf)
    missing = {of[1]: name for name in sorted(columns_of(found)) if (of := as_native(name)) is not None}
    return transform(found, lambda e: _missing(e, missing))


def facts_of(value: Expr) -> tuple[Expr, ...]:
    """What is known of the native columns that ``value`` reads."""
    return tuple(fact for name in sorted(columns_of(value)) for fact in native_facts(name))


def in_native_columns(fact: Expr, value: Expr) -> Expr:
    """``fact``, a condition of Spark's, in terms of the native columns that ``value`` reads: what a filter says of
    ``length(s)`` is known of the length that Python computes."""
    read = columns_of(value)

    def leaf(e: Expr) -> Expr | None:
        match e:
            case Call(name, (Col(column),)) if name.startswith("spark."):
                native = native_column(name.removeprefix("spark."), column)
                return Col(native) if native in read else None
        return None

    return transform(fact, leaf)


def _missing(e: Expr, natives: dict[str, str]) -> Expr | None:
    """``v IS NULL`` as a condition on a native column of ``v``, so that it follows from other conditions on that."""
    match e:
        case IsNull(Col(name)) if name in natives:
            return IsNull(Col(natives[name]))
    return None


def _letters(native: Native, e: Expr) -> Expr | None:
    match e:
        case Call(name, (Col(column),)) if name in _LETTERS:
            return native(_LETTERS[name], column)
    return None


def _column(scope: Scope, function: str, column: str) -> Expr | None:
    of, result = FUNCTIONS[function]
    if scope.columns.get(column) != of or is_registered(scope.names, function):
        return None
    name = native_column(function, column)
    scope.columns[name] = result
    return If(IsNull(Col(name)), Raise(f"{function} of None"), Col(name))


def is_registered(names: Names, function: str) -> bool:
    """Whether the file may register a function of its own under this name, which Spark before 4.3 calls instead."""
    for call in names.registered(function.lower()):
        given = next((k.value for k in call.keywords if k.arg == "name"), call.args[0] if call.args else None)
        if not isinstance(given, ast.Constant) or str(given.value).lower() == function:
            return True
    return False


def _is_ascii(e: Expr) -> bool:
    return isinstance(e, Lit) and isinstance(e.value, str) and e.value.isascii()
