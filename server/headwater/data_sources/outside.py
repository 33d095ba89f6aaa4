"""What a reader gets from outside of its file, of which nothing is known: modules, files, answers of services.

A value of the outside is named by how it was made. Whatever is done with it makes another one, and every call is noted
with its arguments: a reader that asks the outside something else once a filter is pushed has told it of the filter, and
what comes back is then not known. Iterating over one gives rows as the source may hold them. What a condition on one
decides is up to a ``Policy``, of which several are tried.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Any

from headwater.validation.library import Callee, Proxy, is_plain
from headwater.validation.limits import NotEvaluated
from headwater.validation.values import Instance, UserClass

from .columns import Column

POLICIES: dict[str, Callable[[int], bool]] = {
    "never": lambda _: False, "once": lambda n: n == 0, "always": lambda _: True, "not at first": lambda n: n > 0,
}  # fmt: skip
"""What a condition on values of the outside decides the nth time that it is asked."""


class Outer:
    """The outside in one run of a reader. ``rows``: what a source of these ``columns`` holds, by column; ``asked``: the
    calls so far; ``used``: any of the rows were."""

    def __init__(self, columns: tuple[Column, ...], rows: list[dict[str, Any]], policy: str) -> None:
        self.columns, self.rows, self._policy = columns, rows, POLICIES[policy]
        self.asked: list[str] = []
        self.decided: dict[str, int] = {}
        self.used = False

    def decide(self, about: str) -> bool:
        """Whether the condition ``about`` is true. The pages of an answer are asked about like one thing."""
        about = re.sub(r"\d+", "#", about)
        n = self.decided[about] = self.decided.get(about, -1) + 1
        return self._policy(n)

    def ask(self, call: str) -> None:
        """Note a call."""
        self.asked.append(call)


def shown(value: Any, depth: int = 6) -> str:
    """What tells a value apart. NotEvaluated where nothing does."""
    if depth < 0:
        raise NotEvaluated("a value that is nested too deeply")
    if isinstance(value, Outside):
        return value.path
    if isinstance(value, (list, tuple, set, frozenset)) and type(value) in (list, tuple, set, frozenset):
        parts = [shown(v, depth - 1) for v in value]
        return f"{type(value).__name__}({', '.join(sorted(parts) if isinstance(value, (set, frozenset)) else parts)})"
    if type(value) is dict:
        return "{" + ", ".join(f"{shown(k, depth - 1)}: {shown(v, depth - 1)}" for k, v in value.items()) + "}"
    if isinstance(value, UserClass):
        return f"class {value.name}"
    if isinstance(value, Instance):
        return f"{value.kind.name}({', '.join(f'{k}={shown(v, depth - 1)}' for k, v in value.names.items())})"
    if is_plain(value):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, Proxy) and hasattr(value, "path"):
        return str(value.path)
    raise NotEvaluated("a function is handed to code that is not known")


class Outside(Callee, Proxy):
    """A value of the outside. ``row``: the row of the source that it stands for, if it is an element of one;
    ``text``: of which all values are texts."""

    def __init__(self, outer: Outer, path: str, row: dict[str, Any] | None = None, text: bool = False) -> None:
        self.outer, self.path, self.row, self.text = outer, path, row, text

    def made(self, path: str) -> Outside:
        """A value that is made of this one."""
        if self.row is not None and "[*" not in path:
            raise NotEvaluated("what is made of a row")
        return Outside(self.outer, path)

    def _leaf(self, name: str) -> Any:
        assert self.row is not None
        value = self.row[name]
        if not self.text:
            return value
        if isinstance(value, (bool, dict)):
            raise NotEvaluated("a text for a value that has several")
        return "" if value is None else value.isoformat() if isinstance(value, dt.date) else str(value)

    def attribute(self, name: str) -> Any:
        if self.row is not None:
            if name in self.row:
                return self._leaf(name)
            if name == "get":
                return RowGet(self)
        return Outside(self.outer, f"{self.path}.{name}")

    def item(self, key: Any) -> Any:
        if self.row is not None and isinstance(key, str) and key in self.row:
            return self._leaf(key)
        return Outside(self.outer, f"{self.path}[{shown(key)}]")

    def set(self, name: str, value: Any) -> None:
        """``self.name = value``: the outside is told of it."""
        self.outer.ask(f"{self.path}.{name} = {shown(value)}")

    def __call__(self, *args: Any, **named: Any) -> Any:
        parts = [*map(shown, args), *(f"{k}={shown(v)}" for k, v in named.items())]
        call = f"{self.path}({', '.join(parts)})"
        self.outer.ask(call)
        return Outside(self.outer, call)

    def elements(self) -> Iterator[Any]:
        """Rows of the source."""
        self.outer.used = True
        if self.row is not None:
            raise NotEvaluated("the parts of a row")
        for i, row in enumerate(self.outer.rows):
            yield Outside(self.outer, f"{self.path}[*{i}]", row, self.text)

    def _known_to_be(self, what: str) -> bool:
        return self.outer.decide(f"{what} {self.path}")

    def __bool__(self) -> bool:
        return True if self.row is not None else self._known_to_be("truth of")

    def _compared(self, sign: str, other: Any) -> Outside:
        return Outside(self.outer, f"({self.path} {sign} {shown(other)})")

    def __eq__(self, other: object) -> Any:
        return self._compared("==", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("!=", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("<", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(">=", other)

    def __contains__(self, other: Any) -> bool:
        if self.row is not None and isinstance(other, str) and other in self.row:
            return True
        return self.outer.decide(f"({shown(other)} in {self.path})")

    def __add__(self, other: Any) -> Any:
        return self._compared("+", other)

    def __radd__(self, other: Any) -> Any:
        return Outside(self.outer, f"({shown(other)} + {self.path})")

    def __sub__(self, other: Any) -> Any:
        return self._compared("-", other)

    def __truediv__(self, other: Any) -> Any:
        return self._compared("/", other)

    def __hash__(self) -> int:
        raise NotEvaluated("a value of the outside as a key")

    def _refuse(self, *_: Any) -> Any:
        raise NotEvaluated("a value of the outside where Python's own is needed")

    __iter__ = __len__ = __int__ = __float__ = __index__ = __str__ = __repr__ = __format__ = _refuse


class RowGet(Callee):
    """``row.get`` of a row of the outside."""

    def __init__(self, of: Outside) -> None:
        self.of = of

    def __call__(self, key: Any, default: Any = None) -> Any:
        return self.of.item(key)


class Options(Proxy):
    """The options of a source: those without a default are "1", the others are not given."""

    path = "the options"

    def attribute(self, name: str) -> Any:
        if name == "get":
            return OptionOr()
        raise NotEvaluated(f"`{name}` of the options")

    def item(self, key: Any) -> Any:
        return "1"

    def __contains__(self, key: Any) -> bool:
        return False

    def __iter__(self) -> Any:
        raise NotEvaluated("all options")

    def elements(self) -> Iterator[Any]:
        """They are not known."""
        raise NotEvaluated("all options")


class OptionOr(Callee):
    """``options.get``."""

    def __call__(self, key: Any, default: Any = None) -> Any:
        return "1" if default is None else default


class Silent(Callee, Proxy):
    """A logger: whatever is called of it does nothing."""

    path = "a logger"

    def attribute(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self

    def __bool__(self) -> bool:
        raise NotEvaluated("the state of a logger")
