"""A sequence with one value for each row of the group, as every way in hands one to a function body.

A column, ``tolist()``, ``itertuples()``, ``zip`` of columns, ``to_pylist()``, the values of a key, and what
comprehensions make of them are all such sequences. A boundary defines which rows its objects have; loops,
comprehensions and the builtins know nothing else of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater_ir.expr import TRUE, Expr

from .scope import AbstractObject, Unreadable, Value

UNORDERED = -1
"""An order that is not known."""


@dataclass(frozen=True)
class Rows(AbstractObject):
    """The value ``element`` of each row for which ``mask`` holds, neither of which reads a slot. ``order``
    distinguishes the orders of the rows: 0 as they arrived. ``collects``: the function made this list, and may change
    it. ``sorting``: what put a list into its order; its ends are then known as well (``builtins/sorting.py``).
    ``fails``: it is a generator, and what it computes of a row may raise beside its value."""

    element: Value
    mask: Expr = TRUE
    order: int = 0
    collects: bool = field(default=False, compare=False)
    sorting: AbstractObject | None = None
    fails: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class RowNumber(Unreadable):
    """The place of a row among those for which ``mask`` holds, in this order: 0, 1, 2 … It may only be used to read the
    same row's value from another sequence of these rows."""

    mask: Expr = TRUE
    order: int = 0


def row_number(mask: Expr, order: int) -> RowNumber:
    """The number of a row in a sequence of rows."""
    return RowNumber("row-context", "the number of a row", mask, order)


@dataclass(frozen=True)
class KeyTuple(AbstractObject):
    """The key of the group: the columns of these names, which are the same in every row."""

    names: tuple[str, ...]
