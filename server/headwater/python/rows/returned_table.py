"""What a function returns as a frame of at most one row."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.python.values.scope import AbstractObject
from headwater_ir.expr import Expr


@dataclass(frozen=True)
class Table(AbstractObject):
    """A frame with one row of ``values``, or with none (``values`` None). ``names``: None for columns named by
    number,
    which Spark assigns by position; an empty frame may have no columns at all."""

    names: tuple[str, ...] | None
    values: tuple[Expr, ...] | None
