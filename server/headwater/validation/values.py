"""Values that are not Python's own: rows, functions, classes and instances of the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .library import Callee, Proxy
from .limits import NotEvaluated, UnknownColumn


class ModuleName(Proxy):
    """A module of the library, by its full name."""

    def __init__(self, name: str) -> None:
        self.name = name


class Row(tuple[Any, ...], Proxy):
    """A row as PySpark hands it over: a tuple with names. ``ordered``: the places of the columns are known."""

    names: tuple[str, ...]
    ordered: bool

    @staticmethod
    def of(values: Mapping[str, Any], ordered: bool) -> Row:
        """A row with these columns."""
        row = Row(values.values())
        row.names, row.ordered = tuple(values), ordered
        return row

    def attribute(self, name: str) -> Any:
        """A column, or what a method of ``Row`` gives."""
        if name in self.names:
            return tuple.__getitem__(self, self.names.index(name))
        if name == "asDict":
            return RowMethod(self)
        if name.startswith("_") or name in ("count", "index"):
            raise NotEvaluated(f"`.{name}` of a row")
        if not self.ordered:
            raise UnknownColumn(name)
        raise AttributeError(name)

    def item(self, key: Any) -> Any:
        """A column, by name or place."""
        if isinstance(key, str):
            if key in self.names:
                return tuple.__getitem__(self, self.names.index(key))
            if not self.ordered:
                raise UnknownColumn(key)
            raise ValueError(key)
        if not self.ordered:
            raise NotEvaluated("the place of a column that is not known")
        return tuple.__getitem__(self, key)


class RowMethod(Callee):
    """``row.asDict``."""

    def __init__(self, row: Row) -> None:
        self.row = row

    def __call__(self, *args: Any, **named: Any) -> Any:
        if args or named or not self.row.ordered:
            raise NotEvaluated("`asDict` of a row whose columns are not all known")
        return dict(zip(self.row.names, self.row, strict=True))


class UserClass(Callee, Proxy):
    """A class of the program: its members and what it inherits from."""

    fields: tuple[str, ...] | None = None
    """The attributes that positional patterns speak of, where the class says so."""

    def __init__(self, name: str, bases: tuple[UserClass, ...], members: dict[str, Any]) -> None:
        self.name, self.bases, self.members = name, bases, members

    def is_a(self, other: UserClass) -> bool:
        """Whether it is ``other`` or inherits from it."""
        return self is other or any(b.is_a(other) for b in self.bases)

    def find(self, name: str) -> Any:
        """The member ``name``. KeyError if there is none."""
        if name in self.members:
            return self.members[name]
        for base in self.bases:
            try:
                return base.find(name)
            except KeyError:
                continue
        raise KeyError(name)

    def __or__(self, other: Any) -> Kinds:
        return Kinds((self, *(other if isinstance(other, Kinds) else (other,))))

    def __call__(self, *args: Any, **named: Any) -> Any:
        made = Instance(self)
        try:
            init = self.find("__init__")
        except KeyError:
            if args or named:
                raise TypeError(f"{self.name}() takes no arguments") from None
            return made
        if init(made, *args, **named) is not None:
            raise TypeError("__init__() should return None")
        return made

    def attribute(self, name: str) -> Any:
        """A member as the class itself gives it."""
        try:
            found = self.find(name)
        except KeyError:
            raise AttributeError(name) from None
        if isinstance(found, Member):
            return found.of_class(self)
        return found


class Kinds(tuple[Any, ...]):
    """``A | B`` of classes, as ``isinstance`` takes it."""

    def __or__(self, other: Any) -> Kinds:
        return Kinds((*self, *(other if isinstance(other, Kinds) else (other,))))


class Member:
    """A member of a class with a decorator: ``kind`` is its name."""

    def __init__(self, kind: str, function: Callee) -> None:
        self.kind, self.function = kind, function

    def of_class(self, owner: UserClass) -> Any:
        """What ``Class.member`` is."""
        if self.kind == "staticmethod":
            return self.function
        if self.kind == "classmethod":
            return Bound(self.function, owner)
        raise NotEvaluated("a property of a class")


class Bound(Callee):
    """A method of an instance."""

    def __init__(self, function: Callee, instance: Any) -> None:
        self.function, self.instance = function, instance

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.function(self.instance, *args, **named)


class Instance(Proxy):
    """An object of a class of the program."""

    def __init__(self, kind: UserClass) -> None:
        self.kind = kind
        self.names: dict[str, Any] = {}

    def attribute(self, name: str) -> Any:
        """An attribute, or a member of the class."""
        if name in self.names:
            return self.names[name]
        return self.member(self.kind, name)

    def member(self, kind: UserClass, name: str) -> Any:
        """A member of ``kind`` as this instance gives it."""
        try:
            found = kind.find(name)
        except KeyError:
            if name.startswith("__"):
                raise NotEvaluated(f"`{name}` of an object") from None
            raise AttributeError(name) from None
        if isinstance(found, Member):
            return found.function(self) if found.kind == "property" else found.of_class(self.kind)
        return Bound(found, self) if isinstance(found, Callee) and not isinstance(found, UserClass) else found


class Parents(Proxy):
    """``super()``."""

    def __init__(self, bases: tuple[UserClass, ...], instance: Instance) -> None:
        self.bases, self.instance = bases, instance

    def attribute(self, name: str) -> Any:
        """A member of a base."""
        for base in self.bases:
            try:
                base.find(name)
            except KeyError:
                continue
            return self.instance.member(base, name)
        if name == "__init__":
            return Nothing()
        raise AttributeError(name)


class Nothing(Callee):
    """``object().__init__``."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        if args or named:
            raise TypeError("object.__init__() takes exactly one argument")
        return None
