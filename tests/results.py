"""What a program yields: its rows as a bag, or why there are none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Bag = Counter[Any]
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Failed:
    """The program raised."""

    reason: str

    @staticmethod
    def of(error: Exception) -> Failed:
        """The error with its type, shortened."""
        return Failed(f"{type(error).__name__}: {str(error)[:500]}")


Result = Bag | Failed


def comparable(value: Any) -> Any:
    """NaN equals NaN, -0.0 equals 0.0, and 1 differs from 1.0 and True."""
    if isinstance(value, float):
        return ("float", "nan") if math.isnan(value) else ("float", value + 0.0)
    if isinstance(value, (list, tuple)):
        return tuple(map(comparable, value))
    if isinstance(value, dict):
        return tuple(sorted((repr(k), comparable(v)) for k, v in value.items()))
    return (type(value).__name__, value)


def bag(rows: Iterable[Any]) -> Bag:
    """Rows or elements as a bag, an element that is no tuple as a row of one column; all by their text where one of
    them cannot be hashed."""
    those = [tuple(row) if isinstance(row, tuple) else (row,) for row in rows]
    try:
        return Counter(map(comparable, those))
    except TypeError:
        return Counter(map(repr, those))
