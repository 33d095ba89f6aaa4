"""The table of expressions that both dialects are tested on: every node, with operands of every type."""

from __future__ import annotations

from typing import get_args

from headwater.semantics.calls import EXACT
from headwater_ir import expr as ir
from headwater_ir import types as ty
from tests.strategies import ADVERSARIAL

A, B = ir.Col("a"), ir.Col("b")
COMPARE: tuple[ir.CompareOp, ...] = get_args(ir.CompareOp)
ARITH: tuple[ir.ArithOp, ...] = get_args(ir.ArithOp)
TESTS: tuple[ir.StringOp, ...] = get_args(ir.StringOp)
NUMERIC = (ty.INT64, ty.FLOAT)
PAIRS: tuple[tuple[ty.Type, ty.Type], ...] = (
    *((t, t) for t in (ty.BOOL, ty.INT64, ty.FLOAT, ty.STRING, ty.DATE, ty.TIMESTAMP)),
    (ty.INT64, ty.FLOAT), (ty.FLOAT, ty.INT64), (ty.DATE, ty.TIMESTAMP), (ty.TIMESTAMP, ty.DATE),
)  # fmt: skip
"""Types of the columns a and b that SQL compares with each other."""
MIXED: tuple[tuple[ty.Type, ty.Type], ...] = (
    (ty.STRING, ty.INT64), (ty.FLOAT, ty.STRING), (ty.BOOL, ty.INT64), (ty.BOOL, ty.STRING), (ty.DATE, ty.INT64),
)  # fmt: skip
"""Further pairs that only Python takes."""

LEAVES: tuple[ir.Expr, ...] = (
    ir.Col("a"), ir.Slot(0), ir.Out("b"), ir.Param("b"), ir.Present(0), ir.Present(1), ir.Slot(0, 1),
)  # fmt: skip
"""What ``test_sql.test_leaves`` evaluates."""
CALLS: tuple[ir.Call, ...] = tuple(ir.Call(name, (A,), ty.ANY, total=name == "str") for name in EXACT)
"""Calls that are their own meaning, on values of any type."""


def values(t: ty.Type) -> tuple[ir.Scalar, ...]:
    """The adversarial values of a column, NULL included."""
    return (None, *ADVERSARIAL[t.name])


def rows(left: ty.Type, right: ty.Type) -> list[dict[str, ir.Scalar]]:
    """All pairs of adversarial values."""
    return [{"a": a, "b": b} for a in values(left) for b in values(right)]


def expressions(left: ty.Type, right: ty.Type, dialect: ir.Dialect) -> list[ir.Expr]:
    """Every node of ``dialect`` that has a meaning for these operand types."""
    found: list[ir.Expr] = [ir.Compare(op, A, B, dialect) for op in COMPARE]
    found += [ir.IsNull(A), ir.In(A, (B,), dialect), ir.In(A, (B, ir.Lit(None, right)), dialect)]
    found += [ir.Compare(op, A, ir.Lit(None, left), dialect) for op in ("==", "!=")]
    found += [ir.If(ir.Compare("==", A, B, dialect), A, ir.Lit(None, left)), ir.Lit(values(left)[-1], left)]
    found += [ir.In(A, tuple(ir.Lit(v, left) for v in values(left)[:3]), dialect)]
    found += [ir.In(A, tuple(ir.Lit(v, left) for v in values(left)[1:4]), dialect)]
    if left == right:
        found += _same_type(left, dialect)
    if left in NUMERIC and right in NUMERIC:
        found += [ir.Arith(op, A, B, dialect) for op in ARITH if dialect == "python" or op != "//"]
    if dialect == "python":
        found += [ir.Truthy(A), ir.Not(ir.Truthy(B), dialect)]
    return found


def _same_type(t: ty.Type, dialect: ir.Dialect) -> list[ir.Expr]:
    found: list[ir.Expr] = [] if dialect == "python" else [ir.Same(A, B), ir.Same(A, ir.Lit(None, t))]
    if t in NUMERIC:
        found.append(ir.Neg(A, dialect))
    if t == ty.FLOAT:
        found.append(ir.IsNaN(A))
    if t == ty.STRING:
        found += [ir.StringTest(op, A, B, dialect) for op in TESTS]
    if t == ty.BOOL:
        fail = ir.Raise("no")
        found += [
            ir.And((A, B), dialect),
            ir.Or((A, B), dialect),
            ir.Not(A, dialect),
            ir.IsTrue(A),
            ir.And(()),
            ir.Or(()),
        ]
        found += [
            ir.And((A, ir.IsNull(B), B), dialect),
            ir.Or((A, ir.Not(B, dialect), B), dialect),
            ir.If(A, B, ir.FALSE),
        ]
        found += [ir.And((A, fail, B), dialect), ir.Or((A, fail), dialect), ir.If(A, B, fail)]
    return found
