"""Connections to databases, as values of the evaluator: ``sqlite3`` of Python's library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.validation.library import Callee, Proxy
from headwater.validation.limits import NotEvaluated

from .columns import Column
from .outside import Outer
from .sqlite import SqlError, answer

MODULES = ("sqlite3",)


class Managed(Proxy):
    """A value that a ``with`` may hold."""

    path = "a connection"

    def set(self, name: str, value: Any) -> None:
        """``self.name = value``."""
        raise NotEvaluated(f"`{name}` of a connection is set")


class Method(Callee):
    """A method of one of these values."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        if named:
            raise NotEvaluated("named arguments of a method of a connection")
        return self.function(*args)


class Connection(Managed):
    """``sqlite3.connect(…)``: every table holds the rows of the source."""

    def __init__(self, outer: Outer) -> None:
        self.outer = outer
        self.by_name = False

    def set(self, name: str, value: Any) -> None:
        if name != "row_factory" or not isinstance(value, RowFactory):
            super().set(name, value)
        self.by_name = True

    def attribute(self, name: str) -> Any:
        match name:
            case "execute":
                return Method(lambda *args: Cursor(self).execute(*args))
            case "cursor":
                return Method(lambda: Cursor(self))
            case "close" | "commit" | "rollback":
                return Method(lambda: None)
        return super().attribute(name)


class Cursor(Managed):
    """A cursor, with what is left of its result."""

    def __init__(self, of: Connection) -> None:
        self.of = of
        self.left: list[Any] = []

    def execute(self, text: Any, given: Any = ()) -> Cursor:
        """Answer a query."""
        if not isinstance(text, str):
            raise NotEvaluated("SQL text that is not known")
        self.of.outer.used = True
        names, rows = answer(text, given, self.of.outer.columns, self.of.outer.rows)
        self.left = [NamedRow(names, r) for r in rows] if self.of.by_name else rows
        return self

    def _taken(self, many: int) -> list[Any]:
        taken, self.left = self.left[:many], self.left[many:]
        return taken

    def elements(self) -> Iterator[Any]:
        """The rows that are left."""
        return iter(self._taken(len(self.left)))

    def attribute(self, name: str) -> Any:
        match name:
            case "execute":
                return Method(self.execute)
            case "fetchall":
                return Method(lambda: self._taken(len(self.left)))
            case "fetchone":
                return Method(lambda: next(iter(self._taken(1)), None))
            case "fetchmany":
                return Method(lambda many=1: self._taken(many))
            case "close":
                return Method(lambda: None)
        return super().attribute(name)


class NamedRow(Managed):
    """``sqlite3.Row``."""

    def __init__(self, names: list[str], values: tuple[Any, ...]) -> None:
        self.names, self.values = names, values

    def item(self, key: Any) -> Any:
        if isinstance(key, str):
            found = {n.lower(): v for n, v in zip(self.names, self.values, strict=True)}
            if key.lower() not in found:
                raise IndexError("No item with that key")
            return found[key.lower()]
        return self.values[key]

    def elements(self) -> Iterator[Any]:
        """Its values."""
        return iter(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


class RowFactory(Managed):
    """The class ``sqlite3.Row``."""


class Connect(Callee):
    """``sqlite3.connect``."""

    def __init__(self, outer: Outer) -> None:
        self.outer = outer

    def __call__(self, *args: Any, **named: Any) -> Any:
        if len(args) > 1 or not {*named} <= _HARMLESS:
            raise NotEvaluated("a connection that converts values")
        return Connection(self.outer)


_HARMLESS = frozenset({"database", "timeout", "check_same_thread", "uri", "isolation_level"})


def imported_of(full: str, outer: Outer) -> Any:
    """What a full name of one of ``MODULES`` stands for."""
    match full:
        case "sqlite3":
            return Database(outer)
        case "sqlite3.connect":
            return Connect(outer)
        case "sqlite3.Row":
            return RowFactory()
        case "sqlite3.Error" | "sqlite3.OperationalError" | "sqlite3.DatabaseError":
            return SqlError
        case "contextlib.closing":
            return Method(_closing)
    raise NotEvaluated(f"`{full}`")


def _closing(value: Any) -> Any:
    return value


class Database(Managed):
    """The module ``sqlite3``."""

    def __init__(self, outer: Outer) -> None:
        self.outer = outer

    def attribute(self, name: str) -> Any:
        return imported_of(f"sqlite3.{name}", self.outer)


__all__ = ["MODULES", "Column", "Connection", "Managed", "SqlError", "imported_of"]
