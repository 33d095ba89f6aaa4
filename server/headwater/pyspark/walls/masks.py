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

from .labels import Columns, Labels
from .places import Places
from .reads import text, texts


class Mask(NamedTuple):
    """``taken``: an expression for the rows that it takes; ``condition``: the mask alone, or the call of ``query``;
    ``node``: all that is written, of which ``columns`` are left (None for all), one column if ``one``."""

    taken: ast.expr
    condition: ast.expr
    node: ast.expr
    columns: Columns
    one: bool


class Masks(NamedTuple):
    """Every use of the variable ``frame``. ``named``: the masks in variables; ``kept``: the columns that are looked at
    behind the masks, None for all."""

    frame: str
    found: tuple[Mask, ...]
    named: dict[str, ast.expr]
    kept: Columns


def masks_of(
    node: ast.Call, places: Places, shared: Callable[[str], bool], resolve: Callable[[ast.expr], str | None]
) -> Masks | None:
    """The masks of the frame that ``node`` hands to the driver; None if it is read otherwise.
    LabelsSeenError where it is read by masks alone, but somebody may look at labels."""
    outer = places.around(node)
    if not isinstance(outer, ast.Assign) or outer.value is not node or len(outer.targets) != 1:
        return None
    target = outer.targets[0]
    reads = places.reads_of(target.id, outer) if isinstance(target, ast.Name) and not shared(target.id) else None
    if not reads or not isinstance(target, ast.Name):
        return None
    found: list[Mask] = []
    inside: list[ast.Name] = []
    for read in reads:
        mask = _mask(read, places)
        if mask is None:
            inside.append(read)
        else:
            found.append(mask)
    named = _named(target.id, found, places, shared)
    parts = [n for part in (*(m.condition for m in found), *named.values()) for n in ast.walk(part)]
    mine = {id(n) for n in reads}
    if not found or not {id(n) for n in inside} <= {id(n) for n in parts}:
        return None
    if not {id(n) for n in parts if isinstance(n, ast.Name) and n.id == target.id} <= mine:
        return None  # the variable holds something else there
    labels = Labels(places, shared, resolve)
    kept: set[str] | None = set()
    for mask in found:
        of = labels.looked_at(mask.node, "column" if mask.one else "frame", mask.columns)
        kept = None if kept is None or of is None else kept | of
    return Masks(target.id, tuple(found), named, None if kept is None else frozenset(kept))


def _mask(read: ast.Name, places: Places) -> Mask | None:
    """The rows that are taken of the frame ``read``; None if it is read otherwise."""
    outer = places.around(read)
    match outer:
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if value is read:
            name = text(place)
            return _of_column(outer, name, read, places) if name is not None else _plain(outer, read, place)
        case ast.Attribute(attr="loc", ctx=ast.Load()):
            item = places.around(outer)
            if isinstance(item, ast.Subscript) and item.value is outer and isinstance(item.ctx, ast.Load):
                return _located(item, read)
        case ast.Attribute(attr="query", ctx=ast.Load()):
            call = places.around(outer)
            if isinstance(call, ast.Call) and call.func is outer:
                return Mask(call, call, call, None, False)
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return _of_column(outer, name, read, places)
    return None


def _plain(node: ast.Subscript, read: ast.Name, place: ast.expr) -> Mask | None:
    if texts(place) is not None or isinstance(place, (ast.Slice, ast.Constant, ast.List, ast.Tuple)):
        return None
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
            name, names = text(chosen), texts(chosen)
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
