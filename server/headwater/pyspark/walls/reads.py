"""The values that driver code takes from what a call of a frame gives: which part of it each expression looks at.

One table for each kind of value: ``rows`` (a list of rows), ``iterator`` (over rows), ``row``, ``frame`` (of pandas),
``series`` (one of its columns), ``column``, ``number`` and ``flag``. An expression that no table names takes
everything: it ends the reading where it is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Literal, NamedTuple

from headwater.python.values.spark_row import METHODS
from headwater_ir import demand as ir
from headwater_ir.expr import MIRRORED, CompareOp

from .column_choice import ColumnChoice
from .mask_shapes import MaskShapes
from .pandas_names import PANDAS
from .pandas_uses import use_of


@dataclass(frozen=True)
class Derived:
    """A frame of pandas that another one is made into: which rows it has, in which order and with which labels, is a
    function of these ``columns`` and of the number of rows; the others are in it as they were."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class Tuples:
    """``itertuples()`` of such a frame."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class TupleOf:
    """One of these tuples."""

    columns: tuple[str, ...]


Kind = (
    Literal[
        "rows", "iterator", "bag", "row", "records", "record", "frame", "series", "values", "column", "number", "flag"
    ]
    | Derived
    | Tuples
    | TupleOf
)
"""Beside those that are said above: ``bag``, some rows in another order; ``records``, dictionaries of a frame of
pandas; ``values``, a list of those of a column."""

_OF_TUPLES = ("Index", "count", "index")
"""Attributes of the tuples of ``itertuples`` that are no columns, or need not be."""
HEAD = 5
"""How many rows ``head()`` of pandas takes."""
_OPERATORS: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Taken(NamedTuple):
    """The part that ``by``, an expression around a value, takes of it: the next ``steps`` and the ``kind`` of that.
    ``sure``: if the frame has no such column, the program fails. ``by_label``: it names rows by their labels, which are
    their places in what ``toPandas`` makes, and not behind what leaves rows out."""

    by: ast.expr
    kind: Kind
    steps: ir.Reading
    sure: bool = True
    by_label: bool = False


class Frame(NamedTuple):
    """What is known of the frame behind the wall and around it: whether it ``has`` a column of that name for certain,
    which names of ``builtins`` are Python's own, which columns a subscript names, what is a mask,
    and which methods the file puts in the place of others."""

    has: Callable[[str], bool]
    builtins: Container[str]
    choice: ColumnChoice
    masks: MaskShapes
    patched: frozenset[str] = frozenset()


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
            return _of_values_of_column(node, outer)
        case Derived(columns):
            return _of_derived(node, outer, around, frame, columns)
        case TupleOf(columns):
            return _of_tuple(outer, columns)
        case "row":
            return _of_row(node, outer, frame.choice)
        case "frame":
            return _of_frame(node, outer, around, frame)
        case "series":
            return _of_series(node, outer, around)
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
            named = _named(place, choice)
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


def _of_frame(
    node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame
) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            named, names, steps = _named(place, frame.choice), frame.choice.texts(place), slice_of(place)
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


def _of_derived(
    node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None], frame: Frame,
    columns: tuple[str, ...],
) -> Taken | None:  # fmt: skip
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


def _of_tuple(outer: ast.AST | None, columns: tuple[str, ...]) -> Taken | None:
    match outer:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in _OF_TUPLES and not name.startswith("_"):
            return Taken(outer, "column", _some((*columns, name)))
    return None


def _of_values_of_column(node: ast.expr, outer: ast.AST | None) -> Taken | None:
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node:
            index, steps = number(place), slice_of(place)
            if index is not None:
                return Taken(outer, "column", (ir.Item(index),)) if index >= 0 else None
            if steps is not None and len(steps) == 1:
                return Taken(outer, "column", steps)
    return None


def _of_series(node: ast.expr, outer: ast.AST | None, around: Callable[[ast.AST], ast.AST | None]) -> Taken | None:
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
    named = _named(column, choice)
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
    named, names = _named(columns, frame.choice), frame.choice.texts(columns)
    if named is not None:
        return Taken(item, "series", (*steps, named))
    return None if names is None else Taken(item, "frame", (*steps, ir.Selected(names)))


def _is_all(place: ast.expr) -> bool:
    return isinstance(place, ast.Slice) and place.lower is place.upper is place.step is None


def _named(place: ast.expr, choice: ColumnChoice) -> ir.Column | ir.ColumnBy | None:
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


def one_or_more(node: ast.expr) -> tuple[str, ...] | None:
    name = text(node)
    return texts(node) if name is None else (name,)


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


def slice_of(place: ast.expr) -> ir.Reading | None:
    """The steps of ``[start:stop]`` with places from the front."""
    if not isinstance(place, ast.Slice) or place.step is not None:
        return None
    start = 0 if place.lower is None else number(place.lower)
    stop = None if place.upper is None else number(place.upper)
    if start is None or start < 0 or place.upper is None or stop is None or stop < start:
        return None
    return (*((ir.Skipped(start),) if start else ()), ir.Limited(stop - start))


def number(node: ast.expr) -> int | None:
    """The whole number that stands there."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
            return -value
    return None


def text(node: ast.expr) -> str | None:
    """The text that stands there."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def plain_text(node: ast.expr) -> str | None:
    """The text that stands there, perhaps as ``f"text"``."""
    if isinstance(node, ast.JoinedStr):
        parts = [t for p in node.values if (t := text(p)) is not None]
        return "".join(parts) if len(parts) == len(node.values) else None
    return text(node)


def texts(node: ast.expr) -> tuple[str, ...] | None:
    """The different texts of the list that stands there."""
    if not isinstance(node, ast.List) or not node.elts:
        return None
    found = [n for e in node.elts if (n := text(e)) is not None]
    return tuple(found) if len({*found}) == len(node.elts) else None


def _expr(node: ast.AST | None) -> ast.expr:
    assert isinstance(node, ast.expr)
    return node
