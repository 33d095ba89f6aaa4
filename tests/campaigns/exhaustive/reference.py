"""Runs the text of a program on every small table, with the plain Python frames in place of Spark."""

from __future__ import annotations

import builtins
import types
from collections import Counter
from functools import cache
from itertools import product
from typing import Any

from . import functions
from .columns import QueryError, Rows, Window
from .frames import Session
from .programs import SCHEMAS

VALUES = (None, 0, 1)
Bag = Counter[tuple[Any, ...]]
Key = tuple[tuple[Any, ...], ...]
"""A table as the tuple of its rows, and, last, whether its second row is in another partition."""

OTHER: Key = ((None, 0), (1, 1), (1, 1))
"""The rows of ``u``, which is only ever joined with."""


@cache
def tables(columns: int, rows: int) -> tuple[Key, ...]:
    """All tables of up to so many rows, in every order of the rows."""
    kinds = list(product(VALUES, repeat=columns))
    return tuple(t for n in range(rows + 1) for t in product(kinds, repeat=n))


class Reference:
    """All tables of up to ``rows`` rows. ``split``: tables of two rows also with each row in a partition of its own."""

    def __init__(self, table: str, rows: int, split: bool = False, given: tuple[Key, ...] | None = None) -> None:
        names = tuple(part.split()[0] for part in SCHEMAS[table].split(","))
        self.names, self.table = names, table
        self.keys = given if given is not None else tables(len(names), rows)
        twice = [key for key in self.keys if len(key) == 2] if split else []
        made: list[Rows] = [[dict(zip(names, row, strict=True)) for row in key] for key in (*self.keys, *twice)]
        other: Rows = [{"k": k, "q": q} for k, q in OTHER]
        self.session = Session({table: (names, made), "u": (("k", "q"), [list(other) for _ in made])})
        self.session.apart = {id(rows[1]) for rows in made[len(self.keys) :]}
        self._kept = made  # the ids above must stay taken
        self.keys = (*self.keys, *twice)

    def run(self, source: str) -> dict[str, Any]:
        """The frames that the program binds."""
        namespace: dict[str, Any] = {
            "spark": self.session, "__name__": "program", "__builtins__": {**vars(builtins), "__import__": _import},
        }  # fmt: skip
        exec(compile(source, "program", "exec"), namespace)
        return namespace

    def outcomes(self, frame: Any) -> list[Bag | QueryError]:
        """The rows of a frame on each table, as bags."""
        return [t if isinstance(t, QueryError) else bag(t) for t in frame.tables]


def bag(rows: Rows) -> Bag:
    """Rows as a bag; arrays become tuples."""
    return Counter(tuple(_hashable(v) for v in r.values()) for r in rows)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


_SPARK = types.SimpleNamespace(functions=functions, Window=Window, Row=dict)


def _import(name: str, *args: Any) -> Any:
    return _SPARK if name == "pyspark.sql" else __import__(name, *args)
