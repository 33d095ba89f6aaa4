"""Arrays and maps, functions of their elements, and generators, which make a row of each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from pyspark.sql import Row as PysparkRow

from .column import Column, Row, Schema, Typed, as_column, col, pointwise
from .scalars import SparkError

_ELEMENTS = ("\0element", "\0element2")


@dataclass(frozen=True, eq=False)
class Generator(Column):
    """``explode`` of ``of``; ``outer``: a row also for no elements. ``places``: numbered."""

    of: Column | None = None
    names: tuple[str, ...] = ()
    outer: bool = False
    places: bool = False

    def alias(self, *names: str) -> Generator:
        return Generator(self.resolve, None, (), self.of, names, self.outer, self.places)

    def rows(self, row: Row, typed: Typed) -> Iterable[tuple[Any, ...]]:
        """What comes of ``row``."""
        held = typed.value(row)
        if typed.type.startswith("stack"):
            return list(held)
        elements = [(e,) for e in held] if isinstance(held, list) else list((held or {}).items())
        if self.places:
            elements = [(i, *e) for i, e in enumerate(elements)]
        return elements or ([(None,) * self.width(typed.type)] if self.outer else [])

    def width(self, kind: str) -> int:
        """How many columns it makes."""
        return (1 if kind.startswith("array") else 2) + self.places

    def columns(self, kind: str) -> list[tuple[str, str]]:
        """Their names and types."""
        inner = kind[kind.index("<") + 1 : -1].split(",")
        kinds = ["int", *inner] if self.places else inner
        plain = ["col"] if len(inner) == 1 else ["key", "value"] if len(inner) == 2 else []
        names = list(self.names) or ["pos", *plain][not self.places :]
        if len(names) != len(kinds):
            raise SparkError("another number of names")
        return list(zip(names, kinds, strict=True))


def _generator(value: Any, outer: bool = False, places: bool = False) -> Generator:
    of = _column(value)
    return Generator(of.resolve, None, (), of, (), outer, places)


def explode(value: Any) -> Generator:
    return _generator(value)


def explode_outer(value: Any) -> Generator:
    return _generator(value, True)


def posexplode(value: Any) -> Generator:
    return _generator(value, False, True)


def posexplode_outer(value: Any) -> Generator:
    return _generator(value, True, True)


def _column(value: Any) -> Column:
    return col(value) if isinstance(value, str) else as_column(value)


def array(*values: Any) -> Column:
    """An array of columns of one type."""
    columns = [_column(v) for v in values]

    def resolve(schema: Schema) -> Typed:
        typed = [c.resolve(schema) for c in columns]
        kinds = {t.type for t in typed} - {"void"}
        if len(kinds) != 1:
            raise SparkError("an array of several types")
        return Typed(f"array<{kinds.pop()}>", lambda row: [t.value(row) for t in typed])

    return Column(resolve)


def struct(*values: Any) -> Column:
    """A struct of columns, under their names."""
    columns = [_column(v) for v in values]

    def resolve(schema: Schema) -> Typed:
        typed = [c.resolve(schema) for c in columns]
        names = [c.name or f"col{i + 1}" for i, c in enumerate(columns)]
        kinds = ",".join(f"{n}:{t.type}" for n, t in zip(names, typed, strict=True))
        make = PysparkRow(*names)
        return Typed(f"struct<{kinds}>", lambda row: make(*(t.value(row) for t in typed)))

    return Column(resolve)


def sequence(start: Any, end: Any) -> Column:
    """The days from one to the other, or back."""

    def days(first: Any, last: Any) -> Any:
        if first is None or last is None:
            return None
        number = (last - first).days
        return [first + dt.timedelta(n if number >= 0 else -n) for n in range(abs(number) + 1)]

    return pointwise(days, "array<date>", _column(start), _column(end))


def create_map(*values: Any) -> Column:
    """A map; keys are literals here."""
    columns = [_column(v) for v in values]

    def resolve(schema: Schema) -> Typed:
        typed = [c.resolve(schema) for c in columns]
        kinds = (typed[0].type, typed[1].type)
        if {t.type for t in typed[1::2]} != {kinds[1]}:
            raise SparkError("a map of several types")
        pairs = list(zip(typed[::2], typed[1::2], strict=True))
        return Typed(f"map<{','.join(kinds)}>", lambda row: {k.value(row): v.value(row) for k, v in pairs})

    return Column(resolve)


def split(value: Any, pattern: str) -> Column:
    """The parts of a text, at a plain separator."""
    text = _column(value)

    def resolve(schema: Schema) -> Typed:
        typed = text.resolve(schema)

        def found(row: Row) -> Any:
            held = typed.value(row)
            return None if held is None else held.split(pattern)

        return Typed("array<string>", found)

    return Column(resolve)


def filter(value: Any, test: Callable[..., Column]) -> Column:
    """The elements of which ``test`` is TRUE."""
    return _chosen(value, test)


map_filter = filter


def exists(value: Any, test: Callable[..., Column]) -> Column:
    """Whether ``test`` is TRUE of an element; NULL if it is NULL of one and TRUE of none."""
    of = _column(value)

    def resolve(schema: Schema) -> Typed:
        typed = of.resolve(schema)
        passed = test(_variable(typed.type[typed.type.index("<") + 1 : -1], _ELEMENTS[0])).resolve(schema)

        def found(row: Row) -> Any:
            held = typed.value(row)
            told = [passed.value({**row, _ELEMENTS[0]: e}) for e in held or []]
            return None if held is None or (None in told and True not in told) else True in told

        return Typed("boolean", found)

    return Column(resolve)


def _chosen(value: Any, test: Callable[..., Column]) -> Column:
    of = _column(value)

    def resolve(schema: Schema) -> Typed:
        typed = of.resolve(schema)
        kinds = typed.type[typed.type.index("<") + 1 : -1].split(",")
        passed = test(*map(_variable, kinds, _ELEMENTS)).resolve(schema)

        def found(row: Row) -> Any:
            held = typed.value(row)
            if held is None:
                return None
            if isinstance(held, list):
                return [e for e in held if passed.value({**row, _ELEMENTS[0]: e}) is True]
            bound = {k: {**row, _ELEMENTS[0]: k, _ELEMENTS[1]: v} for k, v in held.items()}
            return {k: v for k, v in held.items() if passed.value(bound[k]) is True}

        return Typed(typed.type, found)

    return Column(resolve)


def forall(value: Any, test: Callable[..., Column]) -> Column:
    """Whether ``test`` is FALSE of no element; NULL if it is NULL of one."""
    return ~exists(value, lambda v: ~test(v))


def stack(names: Sequence[str], rows: Sequence[Sequence[Column]]) -> Generator:
    """Rows that are written out: an array of structs of columns that have one type each."""

    def resolve(schema: Schema) -> Typed:
        typed = [[c.resolve(schema) for c in row] for row in rows]
        kinds = [reduce(_alike, (t.type for t in column)) for column in zip(*typed, strict=True)]

        def value(row: Row) -> Any:
            return [tuple(t.value(row) for t in cells) for cells in typed]

        return Typed(f"stack<{','.join(kinds)}>", value)

    return Generator(resolve, None, (), None, tuple(names))


def _alike(a: str, b: str) -> str:
    if a != b and "void" not in (a, b):
        raise SparkError("STACK_COLUMN_DIFF_TYPES")
    return a if b == "void" else b


def _variable(kind: str, name: str) -> Column:
    return Column(lambda _: Typed(kind, lambda row: row[name]))
