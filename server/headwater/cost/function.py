"""What a Python function takes for each row, by the operations that its text has.

Nothing is run. A branch is taken by four rows of ten, one behind a test for NULL by one of twenty; what stands behind a
``return`` or ``continue`` is done for the others. Calls of functions that are not looked into, and loops within a row,
are as good as nothing said of: the number is for an order of findings, not for a proof.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from textwrap import dedent

from .operations import ASSIGNMENT, CALL, CALLS, COLUMN, ONE_COLUMN, OPERATION, READ, ROWS

TAKEN, TAKEN_IF_NULL, GOES_ON = 0.4, 0.05, 0.6
"""The share of rows for which a branch is taken, one behind a test for NULL, and for which the next part of a condition
is asked."""
INNER_TURNS = 3
"""Turns of a loop within a row."""
OF_A_ROW = ("udf",)
OF_BATCHES = ("mapInPandas", "mapInArrow")
OF_COLUMNS = ("applyInPandas", "applyInArrow", "cogroup", "series", "pandas_udf", *OF_BATCHES)
"""How Spark calls functions (``UserCode.how``) that are given values, and those that are given whole columns."""
_NULL = ("isna", "isnull", "notna", "notnull", "isnan")


def microseconds(how: str, text: str, columns: int) -> float | None:
    """Of one core, for a row of ``columns`` that the function ``text`` is given; None if it cannot be told."""
    if how not in OF_A_ROW and how not in OF_COLUMNS:
        return None
    try:
        body = _body(text)
        if body is None:
            return None
        if how in OF_A_ROW:
            return _block(body, columns)[0]
        if how in OF_BATCHES:
            body = next((s.body for s in body if isinstance(s, ast.For)), body)
        return _of_columns(body, columns)
    except RecursionError:
        return None


def _body(text: str) -> Sequence[ast.stmt] | None:
    try:
        (function,) = ast.parse(dedent(text)).body
    except (SyntaxError, ValueError, MemoryError):  # the last: nested too deep for the parser
        return None
    if isinstance(function, ast.Expr) and isinstance(function.value, ast.Lambda):
        return [ast.Expr(function.value.body)]
    return function.body if isinstance(function, ast.FunctionDef) else None


def _of_columns(body: Sequence[ast.stmt], columns: int) -> float:
    """Loops go over the rows; all else is done with whole columns."""
    total = 0.0
    todo: list[ast.AST] = list(body)
    while todo:
        at = todo.pop()
        if isinstance(at, ast.For) and _is_of_rows(at.iter):
            total += _rows(at.iter, columns) + _block(at.body, columns)[0]
            continue
        if isinstance(at, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) and _is_of_rows(at.generators[0].iter):
            total += _rows(at.generators[0].iter, columns) + _value(at.elt)
            continue
        total += COLUMN * isinstance(at, (ast.Call, ast.Compare, ast.BinOp))
        todo += ast.iter_child_nodes(at)
    return total


def _is_of_rows(iterable: ast.expr) -> bool:
    """Not a few constants, or the names of columns."""
    few = isinstance(iterable, (ast.List, ast.Tuple, ast.Set, ast.Constant))
    return not few and getattr(iterable, "attr", "") != "columns"


def _rows(iterable: ast.expr, columns: int) -> float:
    """A row on its way into a loop."""
    names = [n.func.attr for n in ast.walk(iterable) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    name = next((n for n in names if n in ROWS), "")
    given = sum(1 for n in ast.walk(iterable) if isinstance(n, ast.Subscript) or getattr(n, "attr", "") == "column")
    if name in ONE_COLUMN and given:
        return given * ONE_COLUMN[name]
    own, each = ROWS[name]
    count = len(iterable.args) if not name and isinstance(iterable, ast.Call) else columns
    return own + each * max(1, count)


def _block(body: Sequence[ast.stmt], columns: int) -> tuple[float, float]:
    """What statements take for a row, and the share of rows that come to their end."""
    total, rest = 0.0, 1.0
    for statement in body:
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                taken = TAKEN_IF_NULL if _is_of_null(test) else TAKEN
                (yes, past), (no, over) = _block(then, columns), _block(otherwise, columns)
                total += rest * (_value(test) + taken * yes + (1 - taken) * no)
                rest *= taken * past + (1 - taken) * over
            case ast.For(iter=iterable, body=inner):
                total += rest * (_value(iterable) + INNER_TURNS * _block(inner, columns)[0])
            case ast.Return() | ast.Continue() | ast.Break():
                value = getattr(statement, "value", None)
                return total + rest * (0 if value is None else _value(value)), 0.0
            case _:
                total += rest * (ASSIGNMENT + _value(statement))
    return total, rest


def _is_of_null(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        return all(map(_is_of_null, test.values))
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], ast.Is)
    return isinstance(test, ast.Call) and _name(test) in _NULL


def _value(node: ast.AST) -> float:
    if isinstance(node, ast.BoolOp):
        asked, total = 1.0, 0.0
        for part in node.values:
            total, asked = total + asked * _value(part), asked * GOES_ON
        return total
    own = 0.0
    if isinstance(node, ast.Call):
        own = CALLS.get(_name(node), CALL)
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        own = READ
    elif isinstance(node, (ast.Compare, ast.BinOp)):
        own = OPERATION
    return own + sum(map(_value, ast.iter_child_nodes(node)))


def _name(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")
