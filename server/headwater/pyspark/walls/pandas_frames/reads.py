"""The values that driver code takes of a frame of pandas, and of its columns, tuples and cells."""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater_ir import demand as ir

from ..column_choice import ColumnChoice
from ..kinds import Derived, Frame, Taken, Tuples
from ..literals import number, slice_of, text
from .mask_shapes import MaskShapes
from .names import PANDAS
from .uses import use_of

_OF_TUPLES = ("Index", "count", "index")
"""Attributes of the tuples of ``itertuples`` that are no columns, or need not be."""


HEAD = 5
"""How many rows ``head()`` of pandas takes."""


def of_frame(
    node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame
) -> Taken | None:
    """The part of the frame ``node`` that ``outer``, the expression around it, takes; None for everything."""
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            named, names, steps = column_named(place, frame.choice), frame.choice.texts(place), slice_of(place)
            if named is not None:
                return Taken(outer, "series", (named,))
            if names is not None:
                return Taken(outer, "frame", (ir.Selected(names),))
            steps = _masked(node, place, frame.masks) if steps is None else steps
            return None if steps is None else Taken(outer, "frame", steps)
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "number", (ir.Size(),))
        case ast.Attribute(attr="empty", ctx=ast.Load()):
            return Taken(outer, "flag", (ir.Empty(),))
        case ast.Attribute(attr="head"):
            call = around(outer)
            count = _head(call) if isinstance(call, ast.Call) and call.func is outer else None
            return None if count is None or count < 0 else Taken(_expr(call), "frame", (ir.Limited(count),))
        case ast.Attribute(attr="shape"):
            item = around(outer)
            if isinstance(item, ast.Subscript) and item.value is outer and number(item.slice) == 0:
                return Taken(item, "number", (ir.Size(),))
        case ast.Attribute(attr="iloc"):
            return _placed(outer, around(outer))
        case ast.Attribute(attr="iat"):
            return _cell(outer, around(outer))
        case ast.Attribute(attr="values"):
            return _of_values(outer, around)
        case ast.Attribute(attr="loc" | "at" as method):
            cell = _labelled(outer, around(outer), frame.choice)
            return _located(node, around(outer), outer, frame) if cell is None and method == "loc" else cell
        case ast.Attribute(attr="to_dict"):
            call = around(outer)
            if isinstance(call, ast.Call) and call.func is outer and _orientation(call) == "records":
                return Taken(call, "records", ())
        case ast.Attribute(attr="itertuples"):
            return _tuples(outer, around(outer), ())
    use = use_of(node, around, frame.choice)
    if use is not None:
        return Taken(use.by, Derived(use.columns), ()) if use.frame else Taken(use.by, "column", _some(use.columns))
    match outer:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in PANDAS and not name.startswith("_"):
            # of a column that is not known, it may be what a library has added to frames
            known = frame.has(name)
            return Taken(outer, "series" if known else "column", (ir.Column(name),), known)
    return None


def _some(columns: tuple[str, ...]) -> ir.Reading:
    """What is a function of these columns, or of the number of rows alone."""
    return (ir.Selected(tuple(dict.fromkeys(columns))),) if columns else (ir.Size(),)


def of_derived(
    node: ast.expr,
    outer: ast.AST | None,
    around: Callable[[ast.AST], ast.AST | None],
    frame: Frame,
    columns: tuple[str, ...],
) -> Taken | None:
    """As ``of_frame``, of a frame that another one is made into."""  # fmt: skip
    choice = frame.choice
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            names = choice.one_or_more(place)
            return None if names is None else Taken(outer, "column", _some((*columns, *names)))
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]) if only is node:
            return Taken(outer, "column", _some(columns))
        case ast.Attribute(attr="empty", ctx=ast.Load()):
            return Taken(outer, "column", _some(columns))
        case ast.Attribute(attr="shape"):
            item = _item(outer, around(outer))
            return Taken(item, "column", _some(columns)) if item is not None and number(item.slice) == 0 else None
        case ast.Attribute(attr="head"):
            call = around(outer)
            known = isinstance(call, ast.Call) and call.func is outer and _head(call) is not None
            return Taken(_expr(call), Derived(columns), ()) if known else None
        case ast.Attribute(attr="loc" | "at"):
            item = _item(outer, around(outer))
            match item:
                case ast.Subscript(slice=ast.Tuple(elts=[ast.Constant() | ast.Slice(None, None, None), of])):
                    names = choice.one_or_more(of)
                    return None if names is None else Taken(item, "column", _some((*columns, *names)))
            return None
        case ast.Attribute(attr="itertuples"):
            return _tuples(outer, around(outer), columns)
    use = use_of(node, around, choice)
    if use is not None:
        read = (*columns, *use.columns)
        return Taken(use.by, Derived(read), ()) if use.frame else Taken(use.by, "column", _some(read))
    match outer:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in PANDAS and not name.startswith("_"):
            return Taken(outer, "column", _some((*columns, name)), frame.has(name))
    return None


def _tuples(owner: ast.Attribute, call: ast.AST | None, columns: tuple[str, ...]) -> Taken | None:
    """``frame.itertuples()``: its tuples have the values of each column as they are in it."""
    if not isinstance(call, ast.Call) or call.func is not owner or call.args:
        return None
    plain = all(k.arg == "index" and isinstance(k.value, ast.Constant) for k in call.keywords)
    return Taken(call, Tuples(columns), ()) if plain else None


def of_tuple(outer: ast.AST | None, columns: tuple[str, ...]) -> Taken | None:
    """As ``of_frame``, of a tuple of ``itertuples()``."""
    match outer:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in _OF_TUPLES and not name.startswith("_"):
            return Taken(outer, "column", _some((*columns, name)))
    return None


def of_values_of_column(node: ast.expr, outer: ast.AST | None) -> Taken | None:
    """As ``of_frame``, of a list of the values of a column."""
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index, steps = number(place), slice_of(place)
            if index is not None:
                return Taken(outer, "column", (ir.Item(index),)) if index >= 0 else None
            if steps is not None and len(steps) == 1:
                return Taken(outer, "column", steps)
    return None


def of_series(node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None]) -> Taken | None:
    """As ``of_frame``, of one column."""
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index, steps = number(place), slice_of(place)
            if index is not None:
                return Taken(outer, "column", (ir.Item(index),), by_label=True) if index >= 0 else None
            first = steps is not None and len(steps) == 1  # a slice of numbers takes places here, and not labels
            return Taken(outer, "series", steps) if steps is not None and first else None
        case ast.Attribute(attr="iloc" | "iat" | "values" as attribute):
            item = _item(outer, around(outer))
            index, steps = (None, None) if item is None else (number(item.slice), slice_of(item.slice))
            if item is not None and index is not None:
                return Taken(item, "column", (ir.Item(index),)) if index >= 0 else None
            first = steps is not None and len(steps) == 1 and attribute == "iloc"
            return Taken(item, "series", steps) if item is not None and steps is not None and first else None
        case ast.Attribute(attr="loc" | "at"):
            item = _item(outer, around(outer))
            label = None if item is None else number(item.slice)
            if item is not None and label is not None and label >= 0:
                return Taken(item, "column", (ir.Item(label),), by_label=True)
        case ast.Attribute(attr="head"):
            call = around(outer)
            count = _head(call) if isinstance(call, ast.Call) and call.func is outer else None
            return None if count is None or count < 0 else Taken(_expr(call), "series", (ir.Limited(count),))
        case ast.Attribute(attr="tolist" | "to_list"):
            call = around(outer)
            if isinstance(call, ast.Call) and call.func is outer and not call.args and not call.keywords:
                return Taken(call, "values", ())
    return None


def _item(owner: ast.Attribute, item: ast.AST | None) -> ast.Subscript | None:
    """``item``, if it is a subscript of ``owner`` that is read."""
    read = isinstance(item, ast.Subscript) and item.value is owner and isinstance(item.ctx, ast.Load)
    return item if isinstance(item, ast.Subscript) and read else None


def _cell(owner: ast.Attribute, around: ast.AST | None) -> Taken | None:
    """``frame.iat[row, column]``."""
    item = _item(owner, around)
    match item:
        case ast.Subscript(slice=ast.Tuple(elts=[row, column])):
            at, of = number(row), number(column)
            if at is not None and of is not None and at >= 0 and of >= 0:
                return Taken(item, "column", (ir.Item(at), ir.ColumnAt(of)))
    return None


def _of_values(owner: ast.Attribute, around: Callable[[ast.AST], ast.AST | None]) -> Taken | None:
    """``frame.values[row, column]`` and ``frame.values[row]``: the type of the values depends on all columns."""
    item = _item(owner, around(owner))
    at = None if item is None else number(item.slice)
    if item is not None and at is not None:
        return Taken(item, "column", (ir.Item(at),)) if at >= 0 else None
    return _cell(owner, item)


def _labelled(owner: ast.Attribute, around: ast.AST | None, choice: ColumnChoice) -> Taken | None:
    """``frame.loc[label, column]``, and ``frame.loc[label]``."""
    item = _item(owner, around)
    if item is None:
        return None
    row, column = item.slice.elts if isinstance(item.slice, ast.Tuple) and len(item.slice.elts) == 2 else (None, None)
    label = number(item.slice if row is None else row)
    if label is None or label < 0 or (column is None and owner.attr == "at"):
        return None
    if column is None:
        return Taken(item, "column", (ir.Item(label),), by_label=True)
    named = column_named(column, choice)
    return None if named is None else Taken(item, "column", (ir.Item(label), named), by_label=True)


def _masked(node: ast.expr, mask: ast.expr, masks: MaskShapes) -> ir.Reading | None:
    """The step of taking rows of the variable ``node`` by ``mask``."""
    said = masks.text(mask, node.id) if isinstance(node, ast.Name) else None
    return None if said is None else (ir.Where((said,)),)


def _located(node: ast.expr, item: ast.AST | None, owner: ast.Attribute, frame: Frame) -> Taken | None:
    """``frame.loc[mask]``, and the rows of a mask, or all, of some columns."""
    if not isinstance(item, ast.Subscript) or item.value is not owner or not isinstance(item.ctx, ast.Load):
        return None
    rows, columns = item.slice.elts if isinstance(item.slice, ast.Tuple) and len(item.slice.elts) == 2 else (None, None)
    mask = _masked(node, item.slice if rows is None else rows, frame.masks)
    steps = () if rows is not None and _is_all(rows) else mask
    if steps is None:
        return None
    if columns is None or _is_all(columns):
        return Taken(item, "frame", steps)
    named, names = column_named(columns, frame.choice), frame.choice.texts(columns)
    if named is not None:
        return Taken(item, "series", (*steps, named))
    return None if names is None else Taken(item, "frame", (*steps, ir.Selected(names)))


def _is_all(place: ast.expr) -> bool:
    return isinstance(place, ast.Slice) and place.lower is place.upper is place.step is None


def column_named(place: ast.expr, choice: ColumnChoice) -> ir.Column | ir.ColumnBy | None:
    """The column that a subscript names."""
    name = choice.text(place)
    if name is not None:
        return ir.Column(name)
    variable = choice.variable(place)
    return None if variable is None else ir.ColumnBy(variable)


def _placed(owner: ast.Attribute, item: ast.AST | None) -> Taken | None:
    """``frame.iloc[place]``."""
    if not isinstance(item, ast.Subscript) or item.value is not owner or not isinstance(item.ctx, ast.Load):
        return None
    index, steps = number(item.slice), slice_of(item.slice)
    if index is not None:
        return Taken(item, "column", (ir.Item(index),)) if index >= 0 else None
    if steps is not None:
        return Taken(item, "frame", steps)
    match item.slice:
        case ast.Tuple(elts=[row, column]):
            at, of = number(row), number(column)
            if at is not None and of is not None and at >= 0 and of >= 0:
                return Taken(item, "column", (ir.Item(at), ir.ColumnAt(of)))
    return None


def _orientation(call: ast.Call) -> str | None:
    """What ``to_dict`` is told to make."""
    match call:
        case ast.Call(args=[of], keywords=[]) | ast.Call(args=[], keywords=[ast.keyword(arg="orient", value=of)]):
            return text(of)
    return None


def _head(call: ast.Call) -> int | None:
    """How many rows ``head`` of pandas takes."""
    match call:
        case ast.Call(args=[], keywords=[]):
            return HEAD
        case ast.Call(args=[count], keywords=[]) | ast.Call(args=[], keywords=[ast.keyword(arg="n", value=count)]):
            return number(count)
    return None


def _expr(node: ast.AST | None) -> ast.expr:
    assert isinstance(node, ast.expr)
    return node
