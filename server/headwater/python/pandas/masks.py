"""Masks: comparisons of columns and arrays, element by element, and what combines them.

Law: the element of a mask in a row is what Python's comparison of the elements gives there, and False where one is
missing (True for ``!=``). pandas raises on the row alone where Python would; that error is the same with and without
the pre-filter, so here it is taken as False. Condition: the columns are of the same rows under the same labels.
Counterexample: a list of the values of a column is compared as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import both, either, is_boolean, is_null, negate
from headwater.python.interpreter.scalars import _COMPARE
from headwater.python.rows.row_sequences import Series, require_not_listed, require_row_local
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Compare, CompareOp, Expr, If, IsNull, Lit, slots_of

from .arithmetic import taken_apart
from .functions import Array

if TYPE_CHECKING:
    from .values import PandasInterpreter


def compared_columns(run: PandasInterpreter, node: ast.Compare, env: Env) -> Series | Array | None:
    """``column op constant`` and ``column op column``, element by element. pandas raises on the row alone where
    Python would; that error is the same with and without the pre-filter, so here it is taken as False."""
    if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARE:
        return None
    nodes = (node.left, node.comparators[0])
    sides = [run.pandas(n, env) for n in nodes]
    if not any(isinstance(s, (Series, Array)) for s in sides):
        return None
    values = [run.value(n, env) if s is None else s for s, n in zip(sides, nodes, strict=True)]
    return compared(run, node, _COMPARE[type(node.ops[0])], *values)


def compared(
    run: PandasInterpreter, node: ast.AST, op: CompareOp, *sides: Value, objects: bool = False
) -> Series | Array | None:
    """The mask that a comparison of columns and arrays with values makes; None if it compares no column. ``objects``:
    numpy compares them as Python does, for which None equals None."""
    if any(isinstance(s, Array) for s in sides):
        if op not in ("==", "!="):
            _may_raise(run, node, sides)
        given = [values_of(s, node) if isinstance(s, Array) else s for s in sides]
        objects = not any(isinstance(s, Series) for s in sides) and _are_objects(run, node, given)
        mask = compared(run, node, op, *given, objects=objects)
        return Array(mask) if isinstance(mask, Series) else None
    columns = [s for s in sides if isinstance(s, Series)]
    if not columns or any(isinstance(s, AbstractObject) and not isinstance(s, Series) for s in sides):
        return None
    if any(not c.frame.alike(columns[0].frame) for c in columns):
        raise Refusal("opaque", "columns of different frames are compared", node)
    require_not_listed(node, *columns)
    values = [
        s.element if isinstance(s, Series) else s
        for s in sides
        if not isinstance(s, AbstractObject) or isinstance(s, Series)
    ]
    for c in columns:
        if c.column is None:
            if taken_apart(c.element) is None and not c.present:
                raise Refusal("opaque", "a mask is compared", node)
            continue
        run.group.numpy_scalar(c.column, f"`{c.column}`")
        if any(run.scope.type(v).name != "int" for v in values):
            run.group.exact_as_float(c.column, "comparing the column with a float")
    found = run.compare(node, op, values[0], values[1])
    if not isinstance(found, Compare):
        raise Refusal("opaque", "a column compared with None", node)
    missing = [is_null(v) for v in values if not isinstance(v, Lit)]
    if op in ("==", "!=") and (objects or len(missing) < len(values)):
        return Series(columns[0].frame, found)  # what is not missing is not equal to what is
    if op == "!=":
        return Series(columns[0].frame, either(*missing, found))
    return Series(columns[0].frame, both(negate(either(*missing)), found))


def _are_objects(run: PandasInterpreter, node: ast.AST, sides: Sequence[Value]) -> bool:
    """Whether numpy has an array with an object for each value of both ``sides``; a number that is missing is NaN."""
    numbers = [run.scope.type(s.element).name in ("int", "float") for s in sides if isinstance(s, Series)]
    if len(numbers) == 2 and numbers[0] != numbers[1]:
        raise Refusal("opaque", "arrays of numbers and of others are compared", node)
    return not all(numbers)


def _may_raise(run: PandasInterpreter, node: ast.AST, sides: Sequence[Value]) -> None:
    """Refuse an ordering of arrays that Python may not come to: None beside a text raises."""
    for array in (s for s in sides if isinstance(s, Array)):
        of = array.series
        numbers = run.scope.type(of.element).name in ("int", "float", "number", "bool")
        if not numbers and not run.surely_run(Rows(TRUE, of.frame.mask)):
            raise Refusal("may-throw", "an array of texts or other objects, compared under a condition", node)


def equal_to(run: PandasInterpreter, series: Series, value: Lit, node: ast.AST) -> Expr:
    """In which rows of its frame a column has this value, which is not missing."""
    if value.value is None or value.value != value.value:
        raise Refusal("opaque", "a missing value, which is looked for", node)
    equal = compared(run, node, "==", replace(series, listed=False), value)
    assert isinstance(equal, Series)
    require_row_local(equal, node)
    return both(equal.frame.mask, equal.element)


def combined(run: PandasInterpreter, node: ast.BinOp, env: Env) -> Series | Array | None:
    """``mask & mask`` and ``mask | mask``; None for other operands."""
    left, right = run.pandas(node.left, env), run.pandas(node.right, env)
    if isinstance(left, Array) and isinstance(right, Array):
        column = _joined(node, values_of(left, node), values_of(right, node))
        return None if column is None else Array(column)
    return _joined(node, left, right)


def _joined(node: ast.BinOp, left: Value | None, right: Value | None) -> Series | None:
    if not isinstance(left, Series) or not isinstance(right, Series) or not left.frame.alike(right.frame):
        return None
    join = both if isinstance(node.op, ast.BitAnd) else either
    return Series(left.frame, join(condition(left, node), condition(right, node)))


def inverted(node: ast.UnaryOp, mask: Value | None) -> Series | Array | None:
    """``~mask``; None for another operand."""
    if isinstance(mask, Array):
        return Array(_inverted(node, values_of(mask, node)))
    return _inverted(node, mask) if isinstance(mask, Series) else None


def _inverted(node: ast.UnaryOp, mask: Series) -> Series:
    return Series(mask.frame, negate(condition(mask, node)))


def choosing(series: Series, node: ast.AST) -> Expr:
    """The condition of ``frame[mask]``. A mask that is missing is an error, which is taken as False."""
    match series.element:
        case If(IsNull() as missing, Lit(value=None), test) if is_boolean(test):
            series = replace(series, element=both(negate(missing), test))
    return condition(series, node)


def condition(series: Series, node: ast.AST) -> Expr:
    """A mask as a condition on the row."""
    require_not_listed(node, series)
    if not is_boolean(series.element) or slots_of(series.element):
        raise Refusal("opaque", "a mask that is not computed from the row alone", node)
    return series.element


def values_of(array: Array, node: ast.AST) -> Series:
    """The values of an array as a column."""
    if array.distinct:
        raise Refusal("opaque", "the distinct values of a column, which are computed with", node)
    return array.series
