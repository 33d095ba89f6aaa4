"""Comparisons of Python's whole-number arithmetic with a constant, solved for the column: ``v + 1 > 3`` is ``v > 2``.

Python's integers never overflow and Spark's do, so that ``v + 1`` itself cannot be said in SQL; nor can ``//``, nor
``%`` of a negative number. The bare column can, and a source can use it. These are proposals: the proof decides, and
refuses them for fractions.
"""

from __future__ import annotations

import math

from headwater_ir import expr as ir
from headwater_ir.expr import MIRRORED, CompareOp, Expr
from headwater_ir.types import INT

from ..dataflow import in_sql
from ..normal_form import negate


def solved(op: CompareOp, left: Expr, right: Expr) -> Expr | None:
    """``left op right`` in terms of the column that is computed with; None if it is no such comparison."""
    if isinstance(left, ir.Lit):
        left, right, op = right, left, MIRRORED[op]
    if not isinstance(left, (ir.Arith, ir.Neg)) or not isinstance(right, ir.Lit):
        return None
    value = right.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    if value == int(value):
        return _solved(op, left, int(value))
    if op in ("==", "!="):
        return None
    return _solved(">" if op in (">", ">=") else "<=", left, math.floor(value))


def _solved(op: CompareOp, e: Expr, c: int) -> Expr | None:
    match e:
        case ir.Neg(a):
            return _solved(MIRRORED[op], a, -c)
        case ir.Arith("+", a, ir.Lit(int() as k)) | ir.Arith("+", ir.Lit(int() as k), a):
            return _solved(op, a, c - k)
        case ir.Arith("-", a, ir.Lit(int() as k)):
            return _solved(op, a, c + k)
        case ir.Arith("-", ir.Lit(int() as k), a):
            return _solved(MIRRORED[op], a, k - c)
        case ir.Arith("*", a, ir.Lit(int() as k)) | ir.Arith("*", ir.Lit(int() as k), a) if k:
            return _factor(op, a, c, k) if k > 0 else _factor(MIRRORED[op], a, -c, -k)
        case ir.Arith("//", a, ir.Lit(int() as k)) if k > 0:
            return _quotient(op, a, c, k)
        case ir.Arith("%", a, ir.Lit(int() as k)) if k > 0:
            return _remainder(op, a, c, k)
        case ir.Arith():
            return None
    column = in_sql(e)
    return None if column is None else ir.Compare(op, column, ir.Lit(c, INT), "sql")


def _factor(op: CompareOp, a: Expr, c: int, k: int) -> Expr | None:
    """``a * k op c`` for ``k > 0``."""
    if op in ("==", "!="):
        return None if c % k else _solved(op, a, c // k)
    return _solved(op, a, c // k if op in (">", "<=") else -(-c // k))


def _quotient(op: CompareOp, a: Expr, c: int, k: int) -> Expr | None:
    """``a // k op c`` for ``k > 0``: ``a`` lies from ``c * k`` to ``c * k + k - 1`` where they are equal."""
    if op in ("==", "!="):
        above, below = _solved(">=", a, c * k), _solved("<", a, c * k + k)
        if above is None or below is None:
            return None
        inside = ir.And((above, below))
        return inside if op == "==" else negate(inside)
    return _solved(">=" if op in (">", ">=") else "<", a, c * k if op in (">=", "<") else c * k + k)


def _remainder(op: CompareOp, a: Expr, c: int, k: int) -> Expr | None:
    """``a % k op c`` for ``k > 0``: Spark's remainder has the sign of the dividend, so that ``c - k`` is ``c``."""
    column = in_sql(a)
    if column is None or op not in ("==", "!=") or not 0 <= c < k:
        return None
    left = ir.Arith("%", column, ir.Lit(k, INT), "sql")
    if not c:
        return ir.Compare(op, left, ir.Lit(0, INT), "sql")
    both = ir.In(left, (ir.Lit(c, INT), ir.Lit(c - k, INT)), "sql")
    return both if op == "==" else ir.Not(both)


def member(operand: Expr, options: tuple[Expr, ...]) -> Expr | None:
    """``operand in options``, solved for the column."""
    parts = [solved("==", operand, o) for o in options]
    found = [p for p in parts if p is not None]
    if len(found) < len(parts):
        return None
    inside = [p for p in found if isinstance(p, ir.In)]
    if len(inside) == len(found) and inside and len({p.operand for p in inside}) == 1:
        return ir.In(inside[0].operand, tuple(dict.fromkeys(o for p in inside for o in p.options)), "sql")
    return ir.Or(tuple(found))
