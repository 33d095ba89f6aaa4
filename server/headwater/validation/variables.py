"""The variables of a call, and which names a function binds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .values import UserClass

Code = Callable[["Frame"], Any]


class Frame:
    """The variables of one call, and the frame of the function around it. ``yielded``: what a generator has made."""

    __slots__ = ("error", "names", "outer", "result", "yielded")

    def __init__(self, outer: Frame | None) -> None:
        self.names: dict[str, Any] = {}
        self.outer = outer
        self.result: Any = None
        self.yielded: list[Any] = []
        self.error: Exception | None = None


class Scope:
    """The names that a function or comprehension binds, while it is compiled. ``function``: the nearest function's
    scope. ``owner``: the name of its first parameter, in a method of a class."""

    def __init__(self, bound: frozenset[str], outer: Scope | None, owner: str | None = None, own: bool = True) -> None:
        self.bound, self.outer, self.own = bound, outer, own
        self.owner: str | None = owner if owner is not None or outer is None else outer.owner
        self.kind: list[UserClass] = outer.kind if outer is not None else []
