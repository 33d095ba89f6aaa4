"""The kinds of values that driver code takes of what a call of a frame gives, and a part that is taken of one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Literal, NamedTuple

from headwater_ir import demand as ir

from .column_choice import ColumnChoice
from .pandas_frames.mask_shapes import MaskShapes


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
