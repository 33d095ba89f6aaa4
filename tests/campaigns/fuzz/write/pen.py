"""Choices: drawn from Hypothesis, from a seed, or played again. The first option is always the simplest one, so that
smaller numbers are simpler programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Choose = Callable[[int, int, bool], int]
"""``choose(low, high, spelling)``: a number, both ends included; ``spelling``: of ways to say the same."""


class Pen:
    """Draws choices."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def one(self, *options: T) -> T:
        """One of ``options``; repeat those that should be likelier."""
        return options[self._choose(0, len(options) - 1, False)] if len(options) > 1 else options[0]

    def spell(self, *options: T) -> T:
        """One of several ways to say the same."""
        return options[self._choose(0, len(options) - 1, True)] if len(options) > 1 else options[0]

    def often(self, percent: int) -> bool:
        """True so often, for a choice between ways to say the same."""
        return self._choose(0, 99, True) >= 100 - percent

    def of(self, options: Sequence[T]) -> T:
        """One of a sequence."""
        return self.one(*options)

    def chance(self, percent: int) -> bool:
        """True so often."""
        return self._choose(0, 99, False) >= 100 - percent

    def upto(self, low: int, high: int) -> int:
        """A number."""
        return self._choose(low, high, False)

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Distinct options, in their order."""
        left = list(range(len(options)))
        for _ in range(len(options) - self.upto(least, min(most, len(options)))):
            left.remove(self.of(left))
        return [options[i] for i in left]


class Recorded:
    """Choices that can be played again: ``taken`` are those that were made, given ones first, then those of ``seed``;
    without a seed the simplest ones.

    ``SPELLINGS`` seeds in a row say the same in different words, so that what is proved once is tried in several.
    """

    SPELLINGS = 4

    def __init__(self, given: Sequence[int] = (), seed: int | None = None) -> None:
        self._given = list(given)
        self._chances = None if seed is None else (random.Random(seed // self.SPELLINGS), random.Random(-1 - seed))
        self.taken: list[int] = []

    def __call__(self, low: int, high: int, spelling: bool) -> int:
        at = len(self.taken)
        if at < len(self._given):
            found = min(max(self._given[at], low), high)
        else:
            found = low if self._chances is None else self._chances[spelling].randint(low, high)
        self.taken.append(found)
        return found
