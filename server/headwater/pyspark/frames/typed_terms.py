"""Typed scalar terms, literals, and the coercions that Spark applies when two types meet.

Spark converts the operands of a comparison to a common type. Only conversions that keep every value are modelled; for
others we refuse, because a proof over the unconverted values would be about another comparison.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, replace

from headwater.syntax.refusal import Refusal
from headwater_ir.exact_numbers import exact_in_float
from headwater_ir.expr import MIRRORED, Compare, CompareOp, Expr, Lit, Param, Same
from headwater_ir.types import ANY, BOOL, DATE, FLOAT, FLOAT32, INT, NULL, STRING, TIMESTAMP, Type, is_numeric

EXACT_IN_DOUBLE = 2**53


@dataclass(frozen=True)
class Term:
    """An expression with its type. ``column``: a Spark Column, not a Python value; ``name``: its name in a
    select list."""

    expr: Expr
    type: Type
    column: bool = True
    name: str | None = None


def literal(value: object) -> Term | None:
    """The term of a Python constant; None for one without a model."""
    if value is None:
        return Term(Lit(None, NULL), NULL, column=False)
    if isinstance(value, bool):
        return Term(Lit(value, BOOL), BOOL, column=False)
    if isinstance(value, int):
        return Term(Lit(value, INT), INT, column=False) if abs(value) < 2**63 else None
    if isinstance(value, float):
        return Term(Lit(value, FLOAT), FLOAT, column=False)
    if isinstance(value, str):
        return Term(Lit(value, STRING), STRING, column=False)
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return Term(Lit(value, DATE), DATE, column=False)
    return None


def iso_date(text: str) -> dt.date | None:
    """The date that ``YYYY-MM-DD`` spells. Spark accepts more forms; they are refused, not guessed."""
    try:
        found = dt.date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.isoformat() == text else None


def iso_time(text: str) -> dt.datetime | None:
    """What a clock shows at ``YYYY-MM-DD``, ``YYYY-MM-DD HH:MM:SS`` or with six digits more: a timestamp in the time
    zone of the session (``operators.clock``). Spark accepts more forms; they are refused, not guessed."""
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    spelled = (found.isoformat(sep=" "), found.isoformat(sep=" ", timespec="microseconds"), found.date().isoformat())
    return found if text in spelled and found.tzinfo is None else None


def compare(op: CompareOp, left: Term, right: Term) -> Expr:
    """``left op right`` as Spark compares them, a constant on the right; or Refusal."""
    left, right = common(left, right)
    if isinstance(left.expr, Lit) and not isinstance(right.expr, Lit):
        return Compare(MIRRORED[op], right.expr, left.expr, "sql")
    return Compare(op, left.expr, right.expr, "sql")


def same(left: Term, right: Term) -> Expr:
    """``left <=> right`` as Spark compares them, or Refusal."""
    left, right = common(left, right)
    return Same(left.expr, right.expr)


def common(left: Term, right: Term) -> tuple[Term, Term]:
    """Both terms, converted as Spark converts the operands of a comparison."""
    if left.type.name == "date" and right.type == STRING:
        return left, _as_date(right)
    if right.type.name == "date" and left.type == STRING:
        return _as_date(left), right
    if left.type == TIMESTAMP and isinstance(right.expr, Lit) and right.type.name in ("date", "string"):
        return left, _as_time(right.expr)
    if right.type == TIMESTAMP and isinstance(left.expr, Lit) and left.type.name in ("date", "string"):
        return _as_time(left.expr), right
    _check(left, right)
    _check(right, left)
    return left, right


def _as_date(term: Term) -> Term:
    if isinstance(term.expr, Lit) and isinstance(term.expr.value, str):
        found = iso_date(term.expr.value)
        if found:
            return replace(term, expr=Lit(found, DATE), type=DATE)
    raise Refusal("opaque", "compares a date with a string that is not an ISO date")


def _as_time(literal: Lit) -> Term:
    """``literal`` as the timestamp that Spark makes of it beside one."""
    value = literal.value
    if isinstance(value, dt.date):
        return Term(Lit(dt.datetime.combine(value, dt.time()), TIMESTAMP), TIMESTAMP)
    found = iso_time(value) if isinstance(value, str) else None
    if found is None:
        raise Refusal("opaque", "compares a timestamp with a string that is not an ISO time")
    return Term(Lit(found, TIMESTAMP), TIMESTAMP)


def _check(term: Term, other: Term) -> None:
    """Refuse where Spark would convert ``term`` to the type of ``other`` with a loss."""
    a, b = term.type, other.type
    if "null" in (a.name, b.name):
        return
    value = term.expr.value if isinstance(term.expr, Lit) else None
    inexact = not (b.name == "int" and a.name == "int")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and inexact and _huge(value):
        raise Refusal("opaque", f"{value} is not exact as a double")
    if b == FLOAT32 and a.name == "int" and not exact_in_float(a, value):
        raise Refusal("opaque", "compares a 32-bit float with a whole number, which Spark rounds without ANSI mode")
    if isinstance(value, float) and b.name == "decimal" and not value.is_integer():
        raise Refusal("opaque", "compares a decimal with a fraction in binary")
    if a.name == "any" or b.name == "any":
        of_driver = isinstance(term.expr, Param) or isinstance(other.expr, Param)  # one value, converted as a whole
        if "list" in (a.name, b.name) or ("timestamp" in (a.name, b.name) and not of_driver):
            raise Refusal("opaque", "compares a timestamp with a value of unknown type")
        return
    if is_numeric(a) and is_numeric(b):
        both_columns = not isinstance(term.expr, Lit) and not isinstance(other.expr, Lit)
        lossy = {a.name, b.name} in ({"int", "float"}, {"decimal", "float"})
        if both_columns and lossy and max(_width(a), _width(b)) > 32:
            raise Refusal("opaque", f"compares {a} with {b}, which Spark rounds to doubles")
        return
    if a.name != b.name or a.name == "list":
        raise Refusal("opaque", f"compares {a} with {b}")


def _width(t: Type) -> int:
    return 99 if t.name == "decimal" else t.bits or 64 if t.name == "int" else 0


def _huge(value: float) -> bool:
    return math.isfinite(value) and abs(value) > EXACT_IN_DOUBLE


def widens(source: Type, target: Type) -> bool:
    """Whether a cast keeps every value, NULL and NaN included, and never fails."""
    if source == target and source.name not in ("decimal", "list", "any"):
        return True
    if source.name == target.name == "int":
        return source.bits is not None and target.bits is not None and source.bits <= target.bits
    if source.name == target.name == "float":
        return (source.bits or 64) <= (target.bits or 64)
    return source.name == "int" and target == FLOAT and source.bits is not None and source.bits <= 32


def kind(t: Type) -> str:
    """The family inside which values of ``t`` compare: ``number``, ``string``, …; ``any`` and ``null`` fit
    every family."""
    return "number" if is_numeric(t) else t.name


__all__ = [
    "ANY",
    "TIMESTAMP",
    "Term",
    "common",
    "compare",
    "iso_date",
    "iso_time",
    "kind",
    "literal",
    "same",
    "widens",
]
