"""Where the statements of one version of a text stand in the next."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Union

from headwater.syntax.source.top_level import Statement


class Stretch:
    """The lines of a method in one version: with their offsets, for its tree moves with the next one."""

    def __init__(self, node: ast.stmt, first: int, last: int, starts: Sequence[int]) -> None:
        self.node = node
        self.begin, self.end = (starts[first], first), (starts[last], last)


_Place = tuple[int, int]
"""An offset, and the line that it is on."""
_Entry = tuple[int, int, Union[_Place, None]]


@dataclass(frozen=True)
class Part:
    """A statement of the top level in one version, where it begins, and the methods in it."""

    start: int
    statement: Statement
    first: int
    methods: list[Stretch]

    def moved_to(self, now: Part | None) -> Iterator[_Entry]:
        """Where the parts of it are in the next version, in order. In a class that was parsed anew the methods are that
        are still the same, and its head; of what stands between them that is not known."""
        yield self.start, self.first, None if now is None else (now.start, now.first)
        if now is None or now.statement is self.statement:
            return
        places = {id(m.node): m.begin for m in now.methods}
        for method in self.methods:
            yield *method.begin, places.get(id(method.node))
            yield *method.end, None


class Moves:
    """Where what stood in the statements of one version stands in the next: each place and the new one, None if there
    is none."""

    def __init__(self, old: Sequence[_Entry]) -> None:
        self.place = _shifted([(start, now and now[0]) for start, _, now in old])
        self.line = _shifted([(first, now and now[1]) for _, first, now in old])
        moved = ((start, first) for start, first, now in old if now != (start, first))
        self.unmoved, self.unmoved_line = next(moved, (10**12, 10**12))
        """Up to this offset, and this line, everything stands where it did."""


def _shifted(moves: Sequence[tuple[int, int | None]]) -> Callable[[int], int]:
    """What stands at the first of a pair, or behind it, is moved as the first is to the second."""
    starts, shifts = list[int](), list[Union[int, None]]()
    for start, now in moves:
        shift = None if now is None else now - start
        if not shifts or shift != shifts[-1]:
            starts.append(start)
            shifts.append(shift)

    def place(at: int) -> int:
        shift = shifts[bisect_right(starts, at) - 1]
        if shift is None:
            raise LookupError("a place in a statement that is gone")
        return at + shift

    return place
