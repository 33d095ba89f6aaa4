"""What evaluation may use: steps, and sizes of values. Whatever would use more is not evaluated."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

STEPS = 60_000
"""In the evaluation of all samples of one boundary."""
BITS = 4096
"""Of an integer."""
LENGTH = 4000
"""Of a text or a container."""
DEPTH = 25
"""Of calls of the user's functions."""
NESTED = (list, tuple, dict, set, frozenset, deque, BaseException)
"""Types of values that Python compares, hashes and prints by what is in them."""
_SIZED = (str, list, tuple, dict, set, frozenset, deque)


CHECKS: list[Callable[[Meter, Any], None]] = []
"""Of the sizes of values of installed libraries."""


class NotEvaluated(BaseException):
    """Evaluation ended without a result: ``str()`` is the reason. No ``except`` of the user's code catches it."""


class UnknownColumn(NotEvaluated):
    """The function reads the column ``name``, of which the schema says nothing: it may be sampled too."""

    def __init__(self, name: str) -> None:
        super().__init__(f"whether the row has a column `{name}`")
        self.name = name


class Meter:
    """Counts steps. NotEvaluated at the first one too many."""

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps
        self.depth = 0

    def charge(self, steps: int = 1) -> None:
        """Count ``steps`` more."""
        self.left -= steps
        if self.left < 0:
            raise NotEvaluated("it takes too many steps")

    def checked(self, value: Any) -> Any:
        """``value``, if it is small enough."""
        kind = type(value)
        if kind is int:
            if value.bit_length() > BITS:
                raise NotEvaluated("an integer grows too large")
        elif isinstance(value, _SIZED):
            size = len(value)
            if size > 64:
                require(size)
                self.charge(size // 64)
        else:
            for check in CHECKS:
                check(self, value)
        return value

    def weigh(self, *values: Any) -> None:
        """Count what Python visits when it compares, hashes or prints ``values``: each element as often as it is
        reached, so that a container that is in another one twice counts twice."""
        todo = [v for v in values if isinstance(v, NESTED)]
        while todo:
            at = todo.pop()
            parts = at.args if isinstance(at, BaseException) else at
            self.charge(1 + len(parts) // 32)
            todo += [v for v in parts if isinstance(v, NESTED)]
            if isinstance(parts, dict):
                todo += [v for v in parts.values() if isinstance(v, NESTED)]


def require(size: int) -> None:
    """NotEvaluated if a text or container of ``size`` is too large."""
    if size > LENGTH:
        raise NotEvaluated("a text or a container grows too large")
