"""Prefixes of an order: conditions that keep every row which stands before, or beside, one that they keep.

A condition *implies* such a prefix where the greatest come first and it asks for ``>``, ``>=`` or ``==``, where the
least come first and it asks for ``<``, ``<=`` or ``==``, where it asks for one of a list, of which one stands last,
where it asks for NULL, which comes first, or for any value, and NULL comes last. NULL that comes first is in every
prefix. ``OR`` of conditions that each imply one implies that any of these holds. NaN is the greatest number to the
order and to a comparison alike.
Only the first column of an order counts: rows that are equal in it are kept or dropped together, whatever is next.
"""

from __future__ import annotations

from typing import Any

from headwater_ir.expr import (
    MIRRORED,
    And,
    Col,
    Compare,
    CompareOp,
    Expr,
    In,
    IsNull,
    Lit,
    Not,
    Or,
    Param,
    conjoin,
    conjuncts,
    disjoin,
    transform,
)
from headwater_ir.parts import Order
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import Type

_GREATEST: dict[CompareOp, CompareOp] = {">": ">", ">=": ">=", "==": ">="}
_LEAST: dict[CompareOp, CompareOp] = {"<": "<", "<=": "<=", "==": "<="}
"""Comparisons that imply one which keeps the first rows of an order, and that one."""


def prefix_of(condition: Expr, order: Order) -> Expr | None:
    """What ``condition`` implies that keeps a prefix of ``order``; None if that is nothing."""
    missing = IsNull(Col(order.column))
    match turned(condition):
        case Compare(op, Col(name), Lit() | Param() as bound, "sql") if name == order.column:
            allowed = _GREATEST if order.descending else _LEAST
            if op not in allowed:
                return None
            kept: Expr = Compare(allowed[op], Col(name), bound, "sql")
            return Or((kept, missing)) if order.nulls_first else kept
        case In(Col(name), options, "sql") if name == order.column:
            extreme = _last(options, order)
            return None if extreme is None else prefix_of(Compare("==", Col(name), extreme, "sql"), order)
        case IsNull() as asked if asked == missing and order.nulls_first:
            return asked
        case Not(IsNull() as asked, "sql") as given if asked == missing and not order.nulls_first:
            return given
        case And(operands=parts, dialect="sql"):
            found = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
            return conjoin(found) if found else None
        case Or(operands=parts, dialect="sql") if parts:
            options = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
            each = [o for kept in options for o in (kept.operands if isinstance(kept, Or) else (kept,))]
            return disjoin([*dict.fromkeys(each)]) if len(options) == len(parts) else None
    return None


def _last(options: tuple[Expr, ...], order: Order) -> Expr | None:
    """That of some constants of one kind which stands last in ``order``; None if that is not plain."""
    found: list[tuple[Any, Expr]] = [(o.value, o) for o in options if isinstance(o, Lit)]
    kinds = {type(value) for value, _ in found}
    if len(found) < len(options) or kinds not in ({int}, {str}, {float}) or any(v != v for v, _ in found):
        return None
    return (min if order.descending else max)(found, key=lambda pair: pair[0])[1]


def prefixes_of(conditions: list[Expr], order: Order) -> Expr | None:
    """What all of ``conditions`` together imply that keeps a prefix of ``order``."""
    parts = [part for condition in conditions for part in conjuncts(condition)]
    found = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
    return conjoin(found) if found else None


def turned(condition: Expr) -> Expr:
    """``condition`` with columns on the left side of comparisons with constants."""

    def turn(e: Expr) -> Expr | None:
        match e:
            case Compare(op, Lit() | Param() as bound, Col() as column, "sql"):
                return Compare(MIRRORED[op], column, bound, "sql")
        return None

    return transform(condition, turn)


def rows_in(order: Order, api: str, known: Type, facts: tuple[Expr, ...]) -> Fold:
    """Each row as a fold of its own that gives back the column which rows are ordered by, of the type ``known``."""
    name = order.column
    return Fold(
        api, api, (Column(name, known),), (), (), (), (OutputColumn(name, known, Col(name)),), rows="one", facts=facts
    )
