"""pyarrow, as values of the evaluator."""

from __future__ import annotations

from typing import Any

from ..outside import Outer
from . import files, tables, types
from .tables import Table
from .types import Schema, columns_of, type_of

_IMPORTED = {**types.IMPORTED, **tables.IMPORTED, **files.IMPORTED}


def imported_of(full: str, outer: Outer) -> Any | None:
    """What a full name stands for, if it is one of those that are known."""
    return files.Opened(outer, full) if full in files.OPENED else _IMPORTED.get(full)


__all__ = ["Schema", "Table", "columns_of", "imported_of", "type_of"]
