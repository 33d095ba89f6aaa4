"""What a condition of Spark's takes for a row, and its operands in the order in which that is least.

Spark asks the operands of AND from left to right until one is FALSE, and those of OR until one is TRUE; its optimizer
leaves them in the order in which they are written (``docs/benchmarks/conditions.md``, measured). Law: of operands that
raise on no row, any order has the same value, NULL included. With ``c`` for what the cheap ones take and ``d`` for what
the others do, cheap ones first take ``c + d`` at most, and the other order ``d`` at least: whatever the data are, no
more than ``c / d`` is lost, and up to all of ``d`` is saved. So statistics of the data decide nothing here.

Closed world: no operand is moved past one with a function that has no cost here.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from headwater_ir.array_sizes import array_of
from headwater_ir.expr import (
    And,
    Arith,
    Col,
    Compare,
    Expr,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Param,
    Same,
    StringOp,
    StringTest,
    children,
)
from headwater_ir.native import asked_of, parts_of, real_column
from headwater_ir.struct_fields import path_of_column

from .function import GOES_ON

COSTLY = 0.2
"""Microseconds of one core for a row: what some twenty comparisons take."""
FUNCTIONS: Mapping[str, float] = {
    **{"length": 0.47, "lower": 0.40, "upper": 0.99, "trim": 0.12, "ltrim": 0.05, "rtrim": 0.07},
    **dict.fromkeys(
        ("year", "quarter", "month", "dayofmonth", "dayofweek", "dayofyear", "weekofyear", "weekday"), 0.05
    ),
}
"""The functions of one column (``headwater_ir.native``), in microseconds of one core for a row, texts of 90 characters:
``make bench NAME=conditions``."""
TESTS: Mapping[StringOp, float] = {"startswith": 0.01, "endswith": 0.01, "contains": 0.49}
SIMPLE = 0.01
"""A comparison, arithmetic, a test for NULL or NaN, ``size``, each constant of a list."""
LIST = 0.05
"""A list of any length: Spark looks up long ones."""


def microseconds(e: Expr) -> float | None:
    """What ``e`` takes for a row, of one core, if each operand of AND and OR decides of some rows what the result is
    (``function.GOES_ON``); None if it has a part that is not measured."""
    own = _own(e)
    operands = [microseconds(o) for o in _operands(e)]
    if own is None or None in operands:
        return None
    asked = GOES_ON if isinstance(e, (And, Or)) else 1
    return own + sum(asked**i * (cost or 0) for i, cost in enumerate(operands))


def cheap_first(e: Expr) -> Expr:
    """``e``, of which no part raises on any row, with the operands of each AND and OR that call a costly function
    behind the others; else in the order in which they were."""
    if not isinstance(e, (And, Or)) or e.dialect != "sql":
        return e
    ordered: list[Expr] = []
    for measured, run in groupby(map(cheap_first, e.operands), lambda o: microseconds(o) is not None):
        operands = list(run)
        ordered += sorted(operands, key=_is_costly) if measured else operands
    return type(e)(tuple(ordered))


def _is_costly(e: Expr) -> bool:
    return (_own(e) or 0) >= COSTLY or any(map(_is_costly, _operands(e)))


def _operands(e: Expr) -> tuple[Expr, ...]:
    """What is computed for ``e``: of ``upper(s) IS NULL``, nothing but ``s``."""
    return (asked_of(e.operand),) if isinstance(e, IsNull) else children(e)


def _own(e: Expr) -> float | None:
    """What ``e`` takes beside its operands."""
    match e:
        case Col(name):
            return _of_column(name)
        case In(options=options, dialect="sql"):
            return min(SIMPLE * len(options), LIST)
        case StringTest(op=op, dialect="sql"):
            return TESTS[op]
        case Arith(dialect="sql") | Compare(dialect="sql") | Neg(dialect="sql") | IsNull() | IsNaN() | Same():
            return SIMPLE
        case And(dialect="sql") | Or(dialect="sql") | Not(dialect="sql") | IsTrue() | Lit() | Param():
            return 0.0
    return None


def _of_column(name: str) -> float | None:
    """Of a column that is made of another one; of a field of a struct nothing is measured."""
    if array_of(name) is not None:
        return SIMPLE
    if path_of_column(real_column(name)) is not None:
        return None
    return sum(FUNCTIONS[part.partition("(")[0]] for part in parts_of(name))
