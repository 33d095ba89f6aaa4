"""Fewer and smaller choices that make a program which still fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

Fails = Callable[[Sequence[int]], bool]


def shrunk(choices: Sequence[int], fails: Fails, seconds: float = 60.0) -> list[int]:
    """A simpler sequence of choices under which ``fails`` still holds; the best one that is found in time."""
    best, end = list(choices), time.monotonic() + seconds
    improved = True
    while improved:
        improved = False
        for candidate in _simpler(best):
            if time.monotonic() > end:
                return best
            if _size(candidate) < _size(best) and fails(candidate):
                best, improved = candidate, True
                break
    return best


def _size(choices: Sequence[int]) -> tuple[int, int]:
    return len(choices), sum(choices)


def _simpler(choices: list[int]) -> Iterator[list[int]]:
    """Without a block, then with a smaller number somewhere."""
    for width in (16, 8, 4, 2, 1):
        for at in range(0, len(choices), max(1, width // 2)):
            yield choices[:at] + choices[at + width :]
    for at, value in enumerate(choices):
        for less in dict.fromkeys((0, value // 2, value - 1)):
            if 0 <= less < value:
                yield [*choices[:at], less, *choices[at + 1 :]]
