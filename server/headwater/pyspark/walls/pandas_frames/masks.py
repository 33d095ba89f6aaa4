"""The masks that the driver takes rows of ``df.toPandas()`` by, where nobody looks at a row that no mask takes.

Law: a row that none of the masks takes takes part in nothing, so that it need not be handed over; what a mask takes
has the same values without it. Conditions: every place that reads the frame is a mask or takes rows by one; nobody
looks at the labels of the rows (``labels``); the columns that are looked at keep their type (``frame_masks``).
Counterexample: ``pdf[pdf.n > 5].to_csv(path)`` writes the place of each row in the whole frame.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.assumptions import Assumption

from ..asked.conditions import NotReadError, in_row
from ..asked.set_columns import SetColumn, set_at
from ..column_choice import ColumnChoice
from ..literals import one_or_more, plain_text, texts
from ..places import Places
from .labels import Columns, Labels
from .names import PANDAS

_UNNAMED = "rows"
"""What the frame is called that is in no variable."""


class Mask(NamedTuple):
    """``taken``: an expression for the rows that it takes; ``condition``: the mask alone, or the call of ``query`` or
    ``dropna``; ``node``: all that is written, of which ``columns`` are left (None for all), one column if ``one``."""

    taken: ast.expr
    condition: ast.expr
    node: ast.expr
    columns: Columns
    one: bool


class Masks(NamedTuple):
    """Every use of the variable ``frame``. ``named``: the masks in variables; ``kept``: the columns that are looked at
    behind the masks, None for all. ``assumed``: what must be so for all this. ``set_before``: the columns that are set
    in front of all masks, in their order."""

    frame: str
    found: tuple[Mask, ...]
    named: dict[str, ast.expr]
    kept: Columns
    assumed: tuple[Assumption, ...]
    set_before: tuple[SetColumn, ...] = ()


def masks_of(
    node: ast.Call,
    places: Places,
    shared: Callable[[str], bool],
    resolve: Callable[[ast.expr], str | None],
    choice: ColumnChoice,
) -> Masks | None:
    """The masks of the frame that ``node`` hands to the driver; None if it is read otherwise.
    LabelsSeenError where it is read by masks alone, but somebody looks at labels."""
    whole, columns_left = _passed_on(node, places, choice)
    found_masks = _masks_of(whole, places, shared, resolve, choice)
    if found_masks is None or columns_left is None:
        return found_masks
    kept = columns_left if found_masks.kept is None else found_masks.kept
    return found_masks._replace(kept=kept)


def _passed_on(node: ast.expr, places: Places, choice: ColumnChoice) -> tuple[ast.expr, Columns]:
    """The frame that methods make of the frame ``node`` that leave its rows, their labels and values as they are, and
    its columns; None for all of them."""
    columns: Columns = None
    while True:
        outer = places.around(node)
        match outer:
            case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is node and choice.texts(place):
                node, columns = outer, frozenset(choice.texts(place) or ())
                continue
            case ast.Attribute(attr=method) if (
                isinstance(call := places.around(outer), ast.Call) and call.func is outer
            ):
                if _leaves_rows(method, call):
                    node = call
                    continue
        return node, columns


def _leaves_rows(method: str, call: ast.Call) -> bool:
    """Whether the ``call`` of ``method`` leaves the rows of a frame of a query as they are, and what stands in them."""
    match method, call.args, call.keywords:
        case "copy", [], []:
            return True
        case "reset_index", [], [ast.keyword(arg="drop", value=ast.Constant(value=True))]:
            return True
        case "drop", [], [ast.keyword(arg="columns", value=names)]:
            return one_or_more(names) is not None
        case "drop", [names], [ast.keyword(arg="axis", value=ast.Constant(value=1 | "columns"))]:
            return one_or_more(names) is not None
    return False


def _masks_of(
    node: ast.expr,
    places: Places,
    shared: Callable[[str], bool],
    resolve: Callable[[ast.expr], str | None],
    choice: ColumnChoice,
) -> Masks | None:
    outer = places.around(node)
    direct = _mask(node, _UNNAMED, places, choice)
    if direct is not None:
        return _seen(_UNNAMED, [direct], {}, Labels(places, shared, resolve, choice))
    target = outer.targets[0] if isinstance(outer, ast.Assign) and len(outer.targets) == 1 else None
    if not isinstance(outer, ast.Assign) or outer.value is not node or not isinstance(target, ast.Name):
        return None
    reads = None if shared(target.id) else places.reads_of(target.id, outer)
    if not reads:
        return None
    found: list[Mask] = []
    inside: list[ast.Name] = []
    columns: list[SetColumn] = []
    for read in reads:
        mask, column = _mask(read, read.id, places, choice), set_at(read, places, choice.text)
        if column is not None:
            columns.append(column)
        elif mask is None:
            inside.append(read)
        else:
            found.append(mask)
    named = _named(target.id, found, places, shared)
    conditions = (*(m.condition for m in found), *named.values())
    parts = [n for part in (*conditions, *(c.value for c in columns)) for n in ast.walk(part)]
    ordered = all(places.is_next_to(outer, c.statement, conditions) for c in columns)
    mine = {id(n) for n in reads}
    if not found or not ordered or not {id(n) for n in inside} <= {id(n) for n in parts}:
        return None
    if not {id(n) for n in parts if isinstance(n, ast.Name) and n.id == target.id} <= mine:
        return None  # the variable holds something else there
    return _seen(target.id, found, named, Labels(places, shared, resolve, choice))._replace(set_before=tuple(columns))


def _seen(frame: str, found: list[Mask], named: dict[str, ast.expr], labels: Labels) -> Masks:
    """The masks with what is looked at behind them."""
    kept: set[str] | None = set()
    for mask in found:
        of = labels.looked_at(mask.node, "column" if mask.one else "frame", mask.columns)
        kept = None if kept is None or of is None else kept | of
    return Masks(frame, tuple(found), named, None if kept is None else frozenset(kept), labels.assumed())


def _mask(read: ast.expr, frame: str, places: Places, choice: ColumnChoice) -> Mask | None:
    """The rows that are taken of the frame ``read``, of that name; None if it is read otherwise."""
    outer = places.around(read)
    if not isinstance(read, ast.Name):
        return _unnamed(read, outer, ast.copy_location(ast.Name(frame, ast.Load()), read), places)
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is read:
            name = choice.text(place)
            if choice.texts(place) is not None:
                return None
            return _of_column(outer, name, read, places) if name is not None else _plain(outer, read, place)
        case ast.Attribute(attr="loc", ctx=ast.Load()):
            item = places.around(outer)
            if isinstance(item, ast.Subscript) and item.value is outer and isinstance(item.ctx, ast.Load):
                return _located(item, read)
        case ast.Attribute(attr="query" | "dropna", ctx=ast.Load()):
            return _of_method(outer, frame, places)
        case ast.Attribute(attr=name, ctx=ast.Load()) if name not in PANDAS:
            return _of_column(outer, name, read, places)
    return None


def _unnamed(read: ast.expr, outer: ast.AST | None, frame: ast.Name, places: Places) -> Mask | None:
    """The rows that are taken of a frame that is in no variable: by a function of it, or a method."""
    match outer:
        case ast.Subscript(value=value, slice=ast.Lambda() as place, ctx=ast.Load()) if value is read:
            plain = _plain(_rows_of(frame, place), frame, place)
            return plain and plain._replace(node=outer)
        case ast.Attribute(attr="loc", ctx=ast.Load()):
            item = places.around(outer)
            if isinstance(item, ast.Subscript) and item.value is outer and isinstance(item.ctx, ast.Load):
                rows = item.slice.elts[0] if isinstance(item.slice, ast.Tuple) else item.slice
                return _located(item, frame) if isinstance(rows, ast.Lambda) else None
        case ast.Attribute():
            return _of_method(outer, frame.id, places)
    return None


def _of_method(method: ast.Attribute, frame: str, places: Places) -> Mask | None:
    """``frame.query("condition")`` and ``frame.dropna(subset=["a", "b"])``."""
    call = places.around(method)
    if not isinstance(call, ast.Call) or call.func is not method:
        return None
    of = ast.copy_location(ast.Name(frame, ast.Load()), call)
    match method.attr, call.args, call.keywords:
        case "query", _, _:
            func = ast.copy_location(ast.Attribute(of, "query", ast.Load()), call)
            return Mask(ast.copy_location(ast.Call(func, call.args, call.keywords), call), call, call, None, False)
        case "dropna", [], [ast.keyword(arg="subset", value=given)]:
            names = one_or_more(given)
            present: ast.expr | None = None
            for name in names or ():
                column = ast.Subscript(of, ast.Constant(name), ast.Load())
                one = ast.Call(ast.Attribute(column, "notna", ast.Load()), [], [])
                present = one if present is None else ast.BinOp(present, ast.BitAnd(), one)
            if present is None:
                return None
            taken = ast.copy_location(ast.Subscript(of, present, ast.Load()), call)
            for n in ast.walk(present):
                ast.copy_location(n, call)
            return Mask(taken, call, call, None, False)
    return None


def _plain(node: ast.Subscript, read: ast.Name, place: ast.expr) -> Mask | None:
    if texts(place) is not None or isinstance(place, (ast.Slice, ast.Constant, ast.JoinedStr, ast.List, ast.Tuple)):
        return None
    if isinstance(place, ast.Lambda):
        given = plain_parameters(place.args)
        try:
            body = in_row(place.body, {given[0]: read}, read.id) if given is not None and len(given) == 1 else None
        except NotReadError:
            body = None
        return None if body is None else Mask(_rows_of(read, body), place, node, None, False)
    return Mask(node, place, node, None, False)


def _of_column(column: ast.expr, name: str, read: ast.Name, places: Places) -> Mask | None:
    """``frame.column[mask]``."""
    item = places.around(column)
    if not isinstance(item, ast.Subscript) or item.value is not column or not isinstance(item.ctx, ast.Load):
        return None
    plain = _plain(_rows_of(read, item.slice), read, item.slice)
    return plain and plain._replace(node=item, columns=frozenset((name,)), one=True)


def _located(item: ast.Subscript, read: ast.Name) -> Mask | None:
    """``frame.loc[mask]``, ``frame.loc[mask, "a"]`` and ``frame.loc[mask, ["a", "b"]]``."""
    match item.slice:
        case ast.Tuple(elts=[rows, ast.Slice(lower=None, upper=None, step=None)]):
            columns: Columns = None
            one = False
        case ast.Tuple(elts=[rows, chosen]):
            name, names = plain_text(chosen), texts(chosen)
            if name is None and names is None:
                return None
            columns, one = frozenset((name,) if name is not None else names or ()), name is not None
        case rows:
            columns, one = None, False
    plain = _plain(_rows_of(read, rows), read, rows)
    return plain and plain._replace(node=item, columns=columns, one=one)


def _rows_of(read: ast.Name, mask: ast.expr) -> ast.Subscript:
    return ast.copy_location(ast.Subscript(read, mask, ast.Load()), mask)


def _named(frame: str, found: list[Mask], places: Places, shared: Callable[[str], bool]) -> dict[str, ast.expr]:
    """The variables that hold nothing but a mask of ``frame``, which is read where rows are taken and nowhere else."""
    named: dict[str, ast.expr] = {}
    conditions = {id(n) for m in found for n in ast.walk(m.condition)}
    for name in {n.id for m in found for n in ast.walk(m.condition) if isinstance(n, ast.Name)}:
        stores = [n for n in places.named(name) if not isinstance(n.ctx, ast.Load)]
        made = places.around(stores[0]) if len(stores) == 1 else None
        reads = None if shared(name) else places.reads_of(name)
        if isinstance(made, ast.Assign) and made.targets == stores and reads:
            of_frame = any(isinstance(n, ast.Name) and n.id == frame for n in ast.walk(made.value))
            if of_frame and name != frame and all(id(r) in conditions for r in reads):
                named[name] = made.value
    return named
