"""Arithmetic on whole columns: ``(df["listed"] - df["paid"]).max()``, ``(price * quantity)[mask].sum()``.

Law: the element of the result in a row is what pandas computes there: missing where an operand is missing, otherwise
what Python's operator gives. Only ``+``, ``-`` and ``*`` of which one operand is a 64-bit float: these do not raise.
Whole numbers alone are refused, for numpy wraps them at the column's width, unless a NULL made floats of them; but not
``%`` and ``//`` by a small positive constant, which yield what Python's do.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NAN, choose, either, number_of
from headwater.python.rows.row_sequences import Series, require_not_listed
from headwater.python.values.scope import Env
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, Col, Expr, If, IsNull, Lit

if TYPE_CHECKING:
    from .values import PandasInterpreter

OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.FloorDiv)
_DIVIDING = (ast.Mod, ast.FloorDiv)
SMALL = 127
"""The largest whole number that every integer column can hold."""


def computed(run: PandasInterpreter, node: ast.BinOp, env: Env) -> Series | None:
    """The meaning of ``node`` if an operand is a column; None if none is."""
    sides = [run.pandas(n, env) for n in (node.left, node.right)]
    columns = [s for s in sides if isinstance(s, Series)]
    if not columns:
        return None
    require_not_listed(node, *columns)
    if any(not c.frame.alike(columns[0].frame) for c in columns):
        raise Refusal("opaque", "arithmetic on columns of different frames", node)
    if isinstance(node.op, _DIVIDING):
        return _divided(run, node, columns[0], env)
    parts = [
        of_series(run, s, node) if isinstance(s, Series) else of_literal(run, n, env)
        for s, n in zip(sides, (node.left, node.right), strict=True)
    ]
    raw = run.arithmetic(node, node.op, parts[0][1], parts[1][1])
    if run.scope.type(raw).name != "float":
        raise Refusal("opaque", "arithmetic on columns of whole numbers, which numpy wraps", node)
    missing = either(parts[0][0], parts[1][0])
    return Series(columns[0].frame, choose(missing, NAN, raw), present=missing == FALSE)


def _divided(run: PandasInterpreter, node: ast.BinOp, column: Series, env: Env) -> Series:
    """``column % 3`` and ``column // 3`` of whole numbers."""
    by = run.value(node.right, env) if not isinstance(run.pandas(node.right, env), Series) else None
    small = isinstance(by, Lit) and type(by.value) is int and 0 < by.value <= SMALL
    if not small or by is None or column.column is None or run.group.type(column.column).name != "int":
        raise Refusal("opaque", "division, which numpy does not refuse by zero", node)
    missing, number = of_series(run, column, node)
    raw = run.arithmetic(node, node.op, number, by)
    if run.group.certain(column.column):
        return Series(column.frame, raw, present=True)
    return Series(column.frame, If(missing, NAN, raw))


def taken_apart(element: Expr) -> tuple[Expr, Expr] | None:
    """Where a computed element has a missing operand, and what it is elsewhere; None for another element."""
    if isinstance(element, If) and element.then == NAN:
        return element.cond, element.otherwise
    return None


def of_series(run: PandasInterpreter, series: Series, node: ast.AST) -> tuple[Expr, Expr]:
    if series.present:
        return FALSE, series.element
    if series.column is None:
        found = taken_apart(series.element)
        if found is None:
            raise Refusal("opaque", "arithmetic on a mask", node)
        return found
    t = run.group.type(series.column)
    if t.name not in ("int", "float") or (t.bits == 32 and t.name == "float"):
        raise Refusal("opaque", f"arithmetic on a column of type {t}", node)
    run.group.numpy_scalar(series.column, f"`{series.column}`")
    run.group.exact_as_float(series.column, "arithmetic on columns")
    return IsNull(Col(series.column)), Col(series.column)


def of_literal(run: PandasInterpreter, node: ast.expr, env: Env) -> tuple[Expr, Expr]:
    """As ``of_series``, of a small constant."""
    value = run.value(node, env)
    number = number_of(value)
    if number is None or (type(number) is int and abs(number) >= 2**31):
        raise Refusal("opaque", "arithmetic on a column and something that is not a small constant", node)
    return FALSE, value
