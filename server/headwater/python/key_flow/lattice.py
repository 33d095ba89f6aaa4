"""What is known of the frames that a function of one group handles: which of their columns hold the group's key.

Names hold references to frames, so that a frame that is changed in place is changed under each of its names. What is
not one of these values is ``OTHER``: some value, made of the group alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Union

from headwater.syntax.refusal import Refusal


@dataclass(frozen=True)
class Ref:
    """A DataFrame: where to find it in ``State.heap``."""

    at: int


@dataclass(frozen=True)
class KeyFacts:
    """What is known of a DataFrame.

    ``keys``: its columns that hold the group's value of a key in each row, with that key; columns by position have
    numbers for names. ``rows``: which rows it has; two frames of the same rows have the same index. ``some``: it
    certainly has a row. ``empty``: it certainly has none. ``merged``: it may be the same object as another frame.
    """

    keys: tuple[tuple[str | int, str], ...]
    rows: int
    some: bool = False
    empty: bool = False
    merged: bool = False

    def key_of(self, column: object) -> str | None:
        """The key that ``column`` holds, if any."""
        return next((k for c, k in self.keys if c == column and type(c) is type(column)), None)

    def without(self, *columns: object) -> KeyFacts:
        """After ``columns`` got other values."""
        return replace(self, keys=tuple(pair for pair in self.keys if pair[0] not in columns))

    def only(self, columns: Iterable[object]) -> KeyFacts:
        """With none but ``columns``."""
        kept = set(columns)
        return replace(self, keys=tuple(pair for pair in self.keys if pair[0] in kept))


@dataclass(frozen=True)
class Column:
    """A Series. ``rows``: it has one value for each of these rows, under their index. ``key``: it holds nothing but the
    group's value of that key. ``accessor``: it is the ``str`` or ``dt`` of a Series."""

    rows: int | None
    key: str | None = None
    accessor: Literal["", ".str", ".dt"] = ""


@dataclass(frozen=True)
class Array:
    """The values of a column without an index, perhaps nothing but the group's value of ``key``."""

    key: str | None = None


@dataclass(frozen=True)
class Plain:
    """One value that is no list, perhaps the group's value of ``key``."""

    key: str | None = None


@dataclass(frozen=True)
class Constant:
    """A constant: text, number, or a list or dict of such."""

    value: object


@dataclass(frozen=True)
class Parts:
    """A list or tuple. ``repeated``: it has its one part any number of times."""

    parts: tuple[KeyValue, ...]
    repeated: bool = False


@dataclass(frozen=True)
class Entries:
    """A dict with texts for keys."""

    entries: tuple[tuple[str, KeyValue], ...]


@dataclass(frozen=True)
class Own:
    """A list or dict that was made in the function."""


@dataclass(frozen=True)
class Other:
    """Any other value. ``kinds``: the kinds of objects that it may be of, by the names of ``libraries.entry``; empty
    if nothing is known."""

    kinds: frozenset[str] = frozenset()


OTHER = Other()
PLAIN = Plain()
KeyValue = Union[Ref, Column, Array, Plain, Constant, Parts, Entries, Own, Other]


@dataclass
class State:
    """What the names hold at one place of the code."""

    names: dict[str, KeyValue]
    heap: dict[int, KeyFacts]

    def copy(self) -> State:
        """For another path."""
        return State(dict(self.names), dict(self.heap))


class Numbers:
    """Fresh numbers for frames and their rows."""

    def __init__(self) -> None:
        self._last = 0

    def fresh(self) -> int:
        """A number that nothing has yet."""
        self._last += 1
        if self._last > 20_000:
            raise Refusal("time-out", "the function has too many paths")
        return self._last


def join(states: list[State], numbers: Numbers) -> State | None:
    """What holds on each of several paths; None for no path."""
    if not states:
        return None
    found = states[0]
    for other in states[1:]:
        found = _join_two(found, other, numbers)
    return found


def _join_two(a: State, b: State, numbers: Numbers) -> State:
    heap = {at: joined(a.heap[at], b.heap[at], numbers) for at in a.heap.keys() & b.heap.keys()}
    pairs: dict[tuple[int, int], int] = {}
    names: dict[str, KeyValue] = {}
    for name in a.names.keys() & b.names.keys():
        left, right = a.names[name], b.names[name]
        if isinstance(left, Ref) and isinstance(right, Ref) and left != right:
            names[name] = Ref(_meet(a, b, (left.at, right.at), pairs, heap, numbers))
        else:
            names[name] = join_values(left, right)
    for value in names.values():
        if isinstance(value, Ref) and value.at not in heap:  # made on one path only, and yet held on both: never
            raise Refusal("opaque", "which frame a name holds is not known")
    return State(names, heap)


def _meet(
    a: State, b: State, pair: tuple[int, int], pairs: dict[tuple[int, int], int], heap: dict[int, KeyFacts],
    numbers: Numbers,
) -> int:  # fmt: skip
    """One frame for a name that holds another on each path. As each of these may have other names, none of the three
    may be changed in place from here on."""
    if pair not in pairs:
        at = pairs[pair] = numbers.fresh()
        heap[at] = replace(joined(a.heap[pair[0]], b.heap[pair[1]], numbers), merged=True)
        for old in pair:
            if old in heap:
                heap[old] = replace(heap[old], merged=True)
    return pairs[pair]


def joined(a: KeyFacts, b: KeyFacts, numbers: Numbers) -> KeyFacts:
    """What holds of a frame that is one or the other."""
    if a == b:
        return a
    keys = b.keys if a.empty else a.keys if b.empty else tuple(p for p in a.keys if p in b.keys)
    rows = a.rows if a.rows == b.rows else numbers.fresh()
    return KeyFacts(keys, rows, a.some and b.some, a.empty and b.empty, a.merged or b.merged)


def join_values(a: KeyValue, b: KeyValue) -> KeyValue:
    """What holds of a value that is one or the other."""
    if a == b:
        return a
    if isinstance(a, Column) and isinstance(b, Column):
        if a.accessor == b.accessor:
            key = a.key if a.key == b.key else None
            return Column(a.rows if a.rows == b.rows else None, key, a.accessor)
        return OTHER
    if is_plain(a) and is_plain(b):
        return PLAIN
    if isinstance(a, Parts) and isinstance(b, Parts) and () in (a.parts, b.parts):
        return Parts(a.parts or b.parts, repeated=True)
    return OTHER


def is_plain(value: KeyValue) -> bool:
    """Whether it is one value that is no list."""
    return isinstance(value, Plain) or (
        isinstance(value, Constant) and not isinstance(value.value, (list, tuple, dict))
    )
