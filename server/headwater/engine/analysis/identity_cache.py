"""What was computed of a value that is the same object still."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")


class ByIdentity(Generic[K, V]):
    """The latest values, by objects that cannot change: ``1`` and ``True`` are two of them, though they are equal."""

    def __init__(self, most: int) -> None:
        self._most, self._known = most, OrderedDict[int, tuple[K, V]]()

    def get(self, key: K) -> V | None:
        """What was put there for this very object."""
        known = self._known.get(id(key))  # kept with the value, so nothing else can have got its identity
        return None if known is None or known[0] is not key else known[1]

    def take(self, key: K) -> V | None:
        """As ``get``; it is forgotten."""
        found = self.get(key)
        if found is not None:
            del self._known[id(key)]
        return found

    def carry(self, old: object, new: object) -> None:
        """What is known of ``old`` is so of ``new``, which takes its place."""
        known = self._known.get(id(old))
        if known is not None and known[0] is old:
            self.put(cast(K, new), known[1])
            if new is not old:
                del self._known[id(old)]

    def put(self, key: K, value: V) -> V:
        """Keep ``value``, which is the answer, for ``key``."""
        self._known[id(key)] = key, value
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return value
