"""Orders of rows: by columns, ascending or descending, NULL at either end; NaN is the greatest number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .column import Column, Row, Schema, Typed
from .scalars import order


@dataclass(frozen=True, eq=False)
class Ordered(Column):
    """A column as a sort takes it."""

    descending: bool = False
    nulls_first: bool = True

    @classmethod
    def of(cls, given: Column, descending: bool = False, nulls_first: bool | None = None) -> Ordered:
        """``given.desc()`` and its kin; NULL is least if nothing is said of it."""
        first = not descending if nulls_first is None else nulls_first
        return cls(given.resolve, given.name, (), descending, first)


def keys(columns: Sequence[Column], schema: Schema) -> list[tuple[Typed, Ordered]]:
    """What rows of ``schema`` are sorted by."""
    ordered = [c if isinstance(c, Ordered) else Ordered.of(c) for c in columns]
    return [(o.resolve(schema), o) for o in ordered]


def place(row: Row, by: Sequence[tuple[Typed, Ordered]]) -> tuple[Any, ...]:
    """Equal for rows that tie."""
    return tuple(_key(t.value(row), o) for t, o in by)


def arranged(rows: Sequence[Row], by: Sequence[tuple[Typed, Ordered]]) -> list[Row]:
    """``rows`` in order; of those that tie the order stays."""
    found = list(rows)
    for typed, how in reversed(by):
        found.sort(key=lambda r, t=typed, o=how: _key(t.value(r), o), reverse=how.descending)  # type: ignore[misc]
    return found


def _key(value: Any, how: Ordered) -> tuple[bool, Any]:
    missing_is_greater = how.nulls_first == how.descending
    return (missing_is_greater, ()) if value is None else (not missing_is_greater, order(value))
