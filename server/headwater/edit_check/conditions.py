"""One form of each condition, so that two ways to spell it compare as equal.

Law: each step keeps the value of the condition on every row, NULL and NaN among the values: AND and OR are associative;
``x > 5`` is TRUE of NaN, so that ``OR isnan(x)`` adds nothing;
``size(x)``, ``x.f`` and ``lower(x)`` are one term, whether they are columns of their own or calls; ``x IS NOT NULL`` of
an array is ``size(x) >= 0``, never NULL. The type that is noted at a call is no part of its value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Union

from headwater_ir.array_sizes import array_of
from headwater_ir.asked import condition_of
from headwater_ir.expr import (
    MIRRORED,
    And,
    Call,
    Col,
    Compare,
    Expr,
    IsNull,
    IsTrue,
    Lit,
    Or,
    Out,
    Param,
    children,
    is_expr,
)
from headwater_ir.native import as_native, real_column
from headwater_ir.struct_fields import path_of_column

Form = Union[str, tuple["Form", ...]]


def forms(conditions: Iterable[Expr]) -> list[Form]:
    """The forms of conjuncts, in their order; of a conjunction those of its parts."""
    return [part for e in conditions for part in _operands(e, And)]


def form(e: Expr) -> Form:
    """The form of ``e``."""
    match e:
        case Col(name) | Out(name):
            asked = condition_of(name)
            return _column(name) if asked is None else form(asked)
        case Call(name="getField", args=(of, Lit(value=str(field)))):
            inner = form(of)
            return (*inner, field) if isinstance(inner, tuple) and inner[0] == "column" else ("field", inner, field)
        case Call():
            name = "spark.size" if e.name == "spark.cardinality" else e.name
            return ("call", e.kind, name, *map(form, e.args))
        case Lit():
            return ("literal", type(e.value).__name__, repr(e.value))
        case IsTrue(operand=Compare(op=">=", left=Col(name), right=Lit(value=0))) if array := array_of(name):
            return ("Not", ("IsNull", _column(array)), "sql")
        case IsNull(operand=Col(name)) if as_native(name):
            return ("IsNull", _column(real_column(name)))
        case Compare(op, Lit() | Param() as left, right, "sql") if not isinstance(right, (Lit, Param)):
            return form(Compare(MIRRORED[op], right, left, "sql"))
        case And() | Or():
            parts = _operands(e, type(e))
            if isinstance(e, Or):
                parts = [p for p in parts if not (p[0] == "IsNaN" and p[1] in _also_nan(parts))]
            return parts[0] if len(parts) == 1 else (type(e).__name__, e.dialect, *parts)
    return (type(e).__name__, *(_part(getattr(e, f.name)) for f in fields(e)))


def _part(value: object) -> Form:
    if is_expr(value):
        return form(value)
    return tuple(map(_part, value)) if isinstance(value, tuple) else repr(value)


def _operands(e: Expr, kind: type) -> list[Form]:
    if not isinstance(e, kind):
        return [form(e)]
    found: list[Form] = []
    for operand in children(e):
        same = isinstance(operand, kind) and getattr(operand, "dialect", None) == getattr(e, "dialect", None)
        found += _operands(operand, kind) if same else [form(operand)]
    return found


def _also_nan(parts: list[Form]) -> list[Form]:
    """What is compared so with a number that it passes where it is NaN, which is greater than all numbers."""
    more = ("'>'", "'>='", "'!='")
    numbers = [p for p in parts if p[0] == "Compare" and p[1] in more and p[4] == "'sql'" and p[3][:2] in _NUMBERS]
    return [p[2] for p in numbers if "nan" not in p[3]]


_NUMBERS = (("literal", "int"), ("literal", "float"))


def _column(name: str) -> Form:
    array, native, path = array_of(name), as_native(name), path_of_column(name)
    if array is not None:
        return ("call", "function", "spark.size", _column(array))
    if native is not None:
        return ("call", "function", f"spark.{native[0]}", _column(native[1]))
    return ("column", *(name if path is None else path).split("."))
