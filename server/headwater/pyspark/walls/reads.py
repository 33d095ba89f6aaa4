"""The values that driver code takes from what a call of a frame gives: which part of it each expression looks at.

One table for each kind of value: ``rows`` (a list of rows), ``iterator`` (over rows), ``row``, ``frame`` (of pandas),
``series`` (one of its columns), ``column``, ``number`` and ``flag``. An expression that no table names takes
everything: it ends the reading where it is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from headwater.python.values.spark_row import METHODS
from headwater_ir import demand as ir
from headwater_ir.expr import MIRRORED, CompareOp

from .column_choice import ColumnChoice
from .kinds import Derived, Frame, Kind, Taken, TupleOf
from .literals import number, slice_of
from .pandas_frames.reads import (
    column_named,
    of_derived,
    of_frame,
    of_series,
    of_tuple,
    of_values_of_column,
)

_OPERATORS: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def taken(node: ast.expr, kind: Kind, around: Callable[[ast.AST], ast.AST | None], frame: Frame) -> Taken | None:
    """The part of ``node``, a value of ``kind``, that the expression around it takes; None for everything."""
    outer = around(node)
    if isinstance(outer, ast.Attribute) and outer.attr in frame.patched:
        return None
    part = _taken(node, kind, outer, around, frame)
    if part is not None and isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name):
        named = outer.func.id
        return None if hasattr(builtins, named) and named not in frame.builtins else part
    return part


def _taken(
    node: ast.expr, kind: Kind, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame
) -> Taken | None:
    if isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not):
        if kind == "flag":
            return Taken(outer, "flag", (ir.Not(),))
        return Taken(outer, "flag", (ir.Truth(), ir.Not())) if kind in ("rows", "number") else None
    match kind:
        case "rows":
            return _of_rows(node, outer, around, frame)
        case "records":
            return _of_records(node, outer)
        case "iterator":
            return _of_iterator(node, outer, around, frame)
        case "bag":
            return _of_bag(node, outer)
        case "record":
            return _of_record(node, outer, frame.choice)
        case "values":
            return of_values_of_column(node, outer)
        case Derived(columns):
            return of_derived(node, outer, around, frame, columns)
        case TupleOf(columns):
            return of_tuple(outer, columns)
        case "row":
            return _of_row(node, outer, frame.choice)
        case "frame":
            return of_frame(node, outer, around, frame)
        case "series":
            return of_series(node, outer, around)
        case "number":
            return _of_number(node, outer, frame.choice)
    return None


def is_tested(node: ast.expr, outer: ast.AST | None, frame: Frame) -> bool:
    """Whether of ``node`` only the truth is asked."""
    match outer:
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.Call(func=ast.Name(id="bool"), args=[only], keywords=[]):
            return only is node and "bool" in frame.builtins
    return False


def _of_rows(
    node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame
) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index, steps = number(place), slice_of(place)
            if index is not None:
                return Taken(outer, "row", (ir.Item(index),)) if index >= 0 else None
            return None if steps is None else Taken(outer, "rows", steps)
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "number", (ir.Size(),))
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "rows", ())
        case ast.Call(func=ast.Name(id="iter"), args=[only], keywords=[]) if only is node:
            first = around(outer)
            match first:
                case ast.Call(func=ast.Name(id="next"), args=[it], keywords=[]) if it is outer:
                    return Taken(first, "row", (ir.Item(0),)) if "next" in frame.builtins else None
        case ast.Call(func=ast.Name(id="reversed"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "bag", ())
    return _sliced(node, outer, frame.choice)


def _sliced(node: ast.expr, outer: ast.AST | None, choice: ColumnChoice) -> Taken | None:
    """``islice(rows, 5)``, which leaves the rows that it does not take."""
    match outer:
        case ast.Call(func=function, args=[of, *places], keywords=[]) if of is node and 1 <= len(places) <= 2:
            stop = number(places[-1])
            if choice.resolve(function) == "itertools.islice" and stop is not None and stop >= 0:
                return Taken(outer, "bag" if len(places) == 2 else "iterator", (ir.Limited(stop),))
    return None


def _of_records(node: ast.expr, outer: ast.AST | None) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index, steps = number(place), slice_of(place)
            if index is not None:
                return Taken(outer, "record", (ir.Item(index),)) if index >= 0 else None
            return None if steps is None else Taken(outer, "records", steps)
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "number", (ir.Size(),))
    return None


def _of_record(node: ast.expr, outer: ast.AST | None, choice: ColumnChoice) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            name = choice.text(place)
            return None if name is None else Taken(outer, "column", (ir.Column(name),))
    return None


def _of_bag(node: ast.expr, outer: ast.AST | None) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            if isinstance(place, ast.Slice):
                return Taken(outer, "bag", ())
            return None if number(place) is None else Taken(outer, "row", (ir.Each(),))
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "column", (ir.Size(),))
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "bag", ())
    return None


def _of_iterator(
    node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame
) -> Taken | None:
    """An iterator has no length, no places, and is TRUE whether anything comes or not. What a variable holds may have
    been used up in part."""
    fresh = not isinstance(node, ast.Name)
    match outer:
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "rows" if fresh else "bag", ())
        case ast.Call(func=ast.Name(id="next"), args=[only], keywords=[]) if only is node and fresh:
            return Taken(outer, "row", (ir.Item(0),))
    return _sliced(node, outer, frame.choice) if fresh else None


def _of_row(node: ast.expr, outer: ast.AST | None, choice: ColumnChoice) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index = number(place)
            if index is not None:
                return Taken(outer, "column", (ir.ColumnAt(index),)) if index >= 0 else None
            named = column_named(place, choice)
            return None if named is None else Taken(outer, "column", (named,))
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in METHODS and not name.startswith("_"):
            return Taken(outer, "column", (ir.Column(name),))
    return None


def _of_number(node: ast.expr, outer: ast.AST | None, choice: ColumnChoice) -> Taken | None:
    match outer:
        case ast.Call(func=ast.Name(id="int"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "number", ())
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
            name, of = _OPERATORS[type(op)], choice.number(right if left is node else left)
            if of is None:
                return None
            return Taken(outer, "flag", (ir.Test(name if left is node else MIRRORED[name], of),))
    return None
