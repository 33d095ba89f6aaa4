"""Grouping moves rows between processes, and nothing says in which order they come; a sort before it changes nothing
about that. (On Spark 4.3 a global sort before ``applyInPandas`` leaves the rows of a group in the order in which the
sorted partitions happen to be fetched.)"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
_chance: ContextVar[random.Random | None] = ContextVar("chance", default=None)


@contextmanager
def unordered(chance: random.Random) -> Iterator[None]:
    """In here the rows of a group come in an order that ``chance`` makes."""
    token = _chance.set(chance)
    try:
        yield
    finally:
        _chance.reset(token)


def exchanged(rows: Sequence[T]) -> list[T]:
    """The rows of one group as they come out of an exchange: as they are, unless ``unordered``."""
    chance = _chance.get()
    return list(rows) if chance is None else chance.sample(rows, len(rows))
