"""Conditions that are TRUE on every row of a frame, from filters and ``dropna`` below it and from stated schemas."""

from __future__ import annotations

from collections.abc import Iterable

from headwater_ir.expr import Col, Expr, IsNaN, IsNull, Not, params_of
from headwater_ir.plan import Conjunct, Schema
from headwater_ir.types import Type, may_hold_nan


def present(name: str, t: Type) -> tuple[Expr, ...]:
    """What ``dropna`` guarantees of a column: it drops NULL, and NaN too."""
    not_null: Expr = Not(IsNull(Col(name)))
    return (not_null, Not(IsNaN(Col(name)))) if may_hold_nan(t) else (not_null,)


def of_filter(conjuncts: Iterable[Conjunct]) -> tuple[Expr, ...]:
    """Conjuncts that later operators may rely on.

    One with a driver variable is left out: the variable may have another value by the time of the filter above.
    """
    return tuple(c.condition for c in conjuncts if not params_of(c.condition))


def of_schema(schema: Schema) -> tuple[Expr, ...]:
    """Columns that the source states, with reason, to be free of NULL."""
    return tuple(Not(IsNull(Col(f.name))) for f in schema.fields if not f.nullable)
