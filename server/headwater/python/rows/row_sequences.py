"""A sequence of rows, its columns and single rows of it, as a function body holds them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from headwater.python.values.scope import AbstractObject
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Expr, slots_of


@dataclass(frozen=True)
class RowSequence(AbstractObject):
    """The group's DataFrame: rows for which ``mask`` holds. ``order`` distinguishes row orders: 0 as it arrived.
    ``index`` distinguishes the labels of the rows, by which pandas aligns two columns: 0 as they arrived. ``made``: the
    columns that were set, renamed or dropped since."""

    mask: Expr = TRUE
    order: int = 0
    index: int = 0
    made: tuple[Made, ...] = ()

    def alike(self, other: RowSequence) -> bool:
        """Whether both have the same rows under the same labels in the same order."""
        return (self.mask, self.order, self.index) == (other.mask, other.order, other.index)


@dataclass(frozen=True)
class Made:
    """A column that the function sets. ``element`` None: what it holds is not known, but for what it ``holds``, or, if
    ``gone``, there is no such column any more. ``column``: the column of the group that it is, if it is one;
    ``present``: no value in it is None."""

    name: str
    element: Expr | None
    present: bool = False
    column: str | None = None
    gone: bool = False
    holds: Literal["column", "whole", "texts", "other"] = "column"
    """A column of numbers, of whole numbers that a NULL makes floats of, or of texts."""

    @property
    def unknown(self) -> bool:
        """Whether it is a column of numbers or texts, and no more is known of it."""
        return self.element is None and not self.gone and self.holds != "other"


@dataclass(frozen=True)
class Series(AbstractObject):
    """A column of the frame or a computation on its rows: ``element`` is what a row contributes. ``column``: its name
    if it is a plain column. ``present``: it is computed, and no value in it is None. ``listed``: it is a list of these
    values, which Python does not compute with as pandas does."""

    frame: RowSequence
    element: Expr
    column: str | None = None
    present: bool = False
    listed: bool = False


@dataclass(frozen=True)
class Row(AbstractObject):
    """The row of the current iteration. ``access``: how its values are read. ``made``: the columns that were set."""

    access: str
    """``attribute`` (itertuples), ``item`` (to_dict) or ``both`` (iterrows)."""
    made: tuple[Made, ...] = ()


@dataclass(frozen=True)
class RowValues(AbstractObject):
    """What a loop over single rows of ``frame`` runs over; ``row``: how each of them looks."""

    frame: RowSequence
    row: Row


def require_not_listed(node: ast.AST, *columns: Series) -> None:
    """Refuse what Python does to a list of the values of a column: ``+`` joins two of them."""
    if any(c.listed for c in columns):
        raise Refusal("opaque", "a list of the values of a column, which is computed with", node)


def require_row_local(series: Series, node: ast.AST) -> None:
    """Refuse a column that is computed of what the rows make."""
    if slots_of(series.element) or slots_of(series.frame.mask):
        raise Refusal("opaque", "a second pass over the group reads what the first computed", node)
