"""Rows of larger tables."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.mdtest.cases import Field

MISSING = 0.05
"""The share of NULL in a column that may hold it."""
_DAY = dt.date(2022, 1, 1)
_WORDS = ("a", "b", "", "ab", "A", "ba", "abc", "x y")
_MADE: dict[str, Callable[[random.Random], Any]] = {
    "double": lambda c: round(c.gauss(0, 30), 1),
    "bigint": lambda c: c.randint(-100, 100),
    "int": lambda c: c.randint(-100, 100),
    "string": lambda c: c.choice(_WORDS),
    "boolean": lambda c: c.random() < 0.5,
    "date": lambda c: _DAY + dt.timedelta(days=c.randint(0, 1500)),
    "timestamp": lambda c: dt.datetime(2022, 1, 1) + dt.timedelta(hours=c.randint(0, 36_000)),
    "array<string>": lambda c: [c.choice(_WORDS) for _ in range(c.randint(0, 3))],
    "array<int>": lambda c: [c.randint(0, 3) for _ in range(c.randint(0, 3))],
}
_KEYS: dict[str, Callable[[random.Random], Any]] = {
    "string": lambda c: c.choice(("a", "b", "")) if c.random() < 0.01 else f"key {c.randint(0, 300)}",
    "int": lambda c: c.randint(-2, 300),
    "bigint": lambda c: c.randint(-2, 300),
}


def many_rows(chance: random.Random, fields: Sequence[Field], count: int) -> list[tuple[Any, ...]]:
    """``count`` rows; the first column is the key of some hundred groups."""
    made = [(_KEYS if i == 0 else _MADE).get(f.type, _MADE[f.type]) for i, f in enumerate(fields)]
    return [
        tuple(
            None if f.nullable and chance.random() < MISSING else make(chance)
            for f, make in zip(fields, made, strict=True)
        )
        for _ in range(count)
    ]
