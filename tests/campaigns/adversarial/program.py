"""A generated program, and the source of its choices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Program:
    """``tables``: the DDL of each; ``schemas``: what the analysis is told of them. ``features``: what the generator
    put in, for
    counts by cause. ``volatile``: an original that gives different results from run to run must not be rewritten."""

    kind: str
    source: str
    tables: dict[str, str]
    features: tuple[str, ...] = ()
    volatile: bool = False
    schemas: dict[str, str] = field(default_factory=dict)
    data: tuple[dict[str, list[tuple[Any, ...]]], ...] = ()
    """Tables that the generator wants tried, beside random ones."""
    types: dict[str, str] = field(default_factory=dict)
    """Types of columns that the program makes, for the judge of assumptions."""
    modules: dict[str, str] = field(default_factory=dict)
    """The texts of other files of its project, which ``source`` imports."""


class Draw(random.Random):
    """Choices from one seed."""

    def one(self, options: Sequence[T]) -> T:
        """One of ``options``."""
        return options[self.randrange(len(options))]

    def chance(self, share: float) -> bool:
        """True in ``share`` of all cases."""
        return self.random() < share
