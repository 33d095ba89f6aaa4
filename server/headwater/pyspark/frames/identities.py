"""Identities of assignments, loops and variables, by which one pass over a text knows what another one counted.

Within one version of a text the same things have the same numbers in each pass. From one version to the next, what has
another number mostly has the same name, and what has another name the same number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

Named = tuple[Hashable, str, int]
"""An identity without its number: the code that it is of, a name, and how many there are of that name so far."""


WAYS = "ways of "
"""Before the name of a variable: of where several assignments of it meet."""


@dataclass(frozen=True)
class Counts:
    """How often each identity is read in one version of a text; ``numbers``: those of all identities."""

    reads: Mapping[int, int] = field(default_factory=dict)
    numbers: Mapping[Named, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.reads)


class Expected:
    """What a pass may expect of ``before``, the counts of another version of the text."""

    def __init__(self, before: Counts) -> None:
        self._before = before
        self._named = {number: named for named, number in before.numbers.items()}
        self._renamed: dict[tuple[Hashable, str], str] = {}

    def reads(self, number: int, named: Named) -> int:
        """How often that is read which is now called ``named`` and has this ``number``."""
        code, name, often = named
        if named not in self._before.numbers and not name.startswith(WAYS):
            of_number = self._named.get(number)
            if of_number is not None and of_number[0] == code:
                self._renamed.setdefault((code, name), of_number[1])
        return self._reads(code, self._renamed.get((code, name), name), often)

    def reads_of_ways(self, named: Named) -> int:
        """How often the variable of ``named`` is read where several of its assignments meet."""
        code, name, _ = named
        return self._reads(code, WAYS + self._renamed.get((code, name), name), 1)

    def _reads(self, code: Hashable, name: str, often: int) -> int:
        number = self._before.numbers.get((code, name, often))
        return 0 if number is None else self._before.reads.get(number, 0)


class Identities:
    """The identities of one pass, each a number. ``ends``: where each scope ended in the pass before."""

    def __init__(self, ends: dict[tuple[int, ...], int] | None = None) -> None:
        self.ends = {} if ends is None else ends
        self.numbers: dict[Named, int] = {}
        self._next = 0
        self._code: Hashable = ()
        self._times: Counter[str] = Counter()
        self._codes: dict[tuple[int, ...], Named] = {}

    def fresh(self, name: str) -> tuple[int, Named]:
        """The next one, of ``name``."""
        self._next += 1
        named = self._named(name)
        self.numbers[named] = self._next
        return self._next, named

    def _named(self, name: str) -> Named:
        self._times[name] += 1
        return self._code, name, self._times[name]

    def ends_at(self, scope: tuple[int, ...]) -> None:
        """Here ends ``scope``: what comes next has the numbers that it had in the pass before."""
        self._next = self.ends.setdefault(scope, self._next)

    @contextmanager
    def inside(self, place: tuple[int, ...], number: int, name: str) -> Iterator[None]:
        """Code called ``name``, followed once more at ``place``, has numbers of its own, apart by its ``number``."""
        kept = self._next, self._code, self._times
        if place not in self._codes:
            self._codes[place] = self._named(name)
        self._next, self._code, self._times = 10**12 + number * 10**6, self._codes[place], Counter()
        try:
            yield
        finally:
            self._next, self._code, self._times = kept
