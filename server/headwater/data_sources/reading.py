"""The readers of a file, and one run of one: the filters that it keeps, and the rows that it then returns."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headwater.syntax.names.monkeypatches import changes
from headwater.validation.limits import Meter, NotEvaluated
from headwater.validation.program import Program
from headwater.validation.values import Instance, Row, UserClass

from .arrow import Schema, Table, columns_of, type_of
from .columns import Column
from .databases import SqlError
from .filters import Filter
from .outside import Outer, Outside, shown
from .spark_objects import READER, SOURCE, GivenFilter, StructType, schema_of
from .world import SourceWorld

STEPS = 600_000
"""In all runs of the readers of one file."""
_STEPS_OF_A_RUN = 15_000
_MOST_ROWS = 200


@dataclass(frozen=True)
class Reader:
    """A reader. ``source``: the class of its data source; ``node``: its ``pushFilters``; ``columns``: those of the
    source."""

    source: ast.ClassDef
    name: str
    node: ast.FunctionDef
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Returned:
    """What a reader returns. ``kept``: the places of the filters that it does not hand back. ``rows``: their values;
    None in the place of those that are not known, by which ``signs`` tell two rows apart. ``asked``: the calls of the
    outside. ``error``: it raises instead; ``refused``: the database does."""

    kept: frozenset[int]
    rows: tuple[tuple[Any, ...], ...] = ()
    signs: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    used: bool = False
    decided: bool = False
    error: str | None = None
    refused: bool = False


class Endless(NotEvaluated):
    """A run takes too long, as where an answer has page after page."""


class Readers:
    """The readers of one text."""

    def __init__(self, text: str) -> None:
        self.program = Program(text)
        self.world = SourceWorld(self.program, Meter(STEPS))
        tree = self.program.tree
        self._classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
        attributes = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        self._changed = {path[0] for path, _ in changes(attributes, calls)}

    def found(self) -> Iterator[Reader]:
        """Readers that are made in this file, and push filters."""
        for node in self._classes:
            try:
                self.world.begin(Outer((), [], "never"))
                of = self.world.value(node)
                if not isinstance(of, UserClass) or not of.is_a(SOURCE) or of is SOURCE:
                    continue
                source = of()
                schema = source.attribute("schema")()
                columns = columns_of(schema) if isinstance(schema, Schema) else schema_of(schema)
                reader = self._reader(node, columns)
                pushes = self._pushes(reader.kind)
            except (NotEvaluated, Exception):
                continue
            if self._changed & {node.name, *_names(reader.kind)}:
                continue
            if pushes is not None and columns:
                self.world.traced |= {id(n) for n in ast.walk(pushes) if isinstance(n, ast.stmt)}
                yield Reader(node, reader.kind.name, pushes, columns)

    def _reader(self, source: ast.ClassDef, columns: tuple[Column, ...]) -> Instance:
        made = self.world.value(source)().attribute("reader")(StructType(columns))
        if not isinstance(made, Instance) or not made.kind.is_a(READER):
            raise NotEvaluated("what `reader` returns")
        return made

    def _pushes(self, kind: UserClass) -> ast.FunctionDef | None:
        code = getattr(kind.find("pushFilters"), "code", None)
        node = getattr(code, "node", None)
        return node if isinstance(node, ast.FunctionDef) else None

    def run(
        self, reader: Reader, filters: tuple[Filter, ...] | None, outer: Outer, through: bool = False
    ) -> Returned:  # fmt: skip
        """What the reader returns once ``filters`` are pushed, or where Spark asks it for all rows (None). Its rows are
        not asked for if it keeps no filter, unless all the way ``through``. NotEvaluated where that is not known."""
        meter = self.world.meter
        before = meter.left
        meter.left = min(before, _STEPS_OF_A_RUN)
        try:
            return self._run(reader, filters, outer, through)
        except NotEvaluated:
            if meter.left <= 0 < before - _STEPS_OF_A_RUN:
                raise Endless("it takes too many steps") from None
            raise
        finally:
            meter.left += before - min(before, _STEPS_OF_A_RUN)

    def _run(self, reader: Reader, filters: tuple[Filter, ...] | None, outer: Outer, through: bool) -> Returned:
        self.world.begin(outer)
        kept = frozenset[int]()
        try:
            made = self._reader(reader.source, reader.columns)
            if filters is not None:
                kept = self._kept(made, filters)
                if not kept and not through:
                    return Returned(kept)
        except RecursionError:
            raise NotEvaluated("a deep recursion") from None
        except Exception as error:
            return Returned(kept, error=_said(error))
        try:
            parts = [self._all(made.attribute("read")(p)) for p in self._all(made.attribute("partitions")())]
            values = [_values(reader, r) for part in parts for r in _rows(reader, part)]
        except RecursionError:
            raise NotEvaluated("a deep recursion") from None
        except Exception as error:
            return Returned(
                kept,
                used=outer.used,
                decided=bool(outer.decided),
                error=_said(error),
                refused=isinstance(error, SqlError),
            )
        return Returned(
            kept,
            tuple(v for v, _ in values),
            tuple(s for _, s in values),
            tuple(outer.asked),
            outer.used,
            bool(outer.decided),
        )

    def _kept(self, reader: Instance, filters: tuple[Filter, ...]) -> frozenset[int]:
        given = [GivenFilter(f) for f in filters]
        back = self._all(reader.attribute("pushFilters")([*given]))
        if not all(any(b is g for g in given) for b in back):
            raise NotEvaluated("what `pushFilters` returns")
        return frozenset(i for i, g in enumerate(given) if not any(b is g for b in back))

    def _all(self, value: Any) -> list[Any]:
        if value is None:
            raise TypeError("'NoneType' object is not iterable")
        found = list[Any]()
        for element in self.world.iterated(value):
            found.append(element)
            if len(found) > _MOST_ROWS:
                raise Endless("many rows")
        return found


def _names(kind: UserClass) -> Iterator[str]:
    """The names of a class and of those that it inherits from."""
    yield kind.name
    for base in kind.bases:
        yield from _names(base)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:120]


def _rows(reader: Reader, returned: list[Any]) -> list[Any]:
    """The rows that ``read`` yields, one by one or in batches of Arrow."""
    if not any(isinstance(r, Table) for r in returned):
        return returned
    names, found = [c.name for c in reader.columns], list[Any]()
    for batch in returned:
        if not isinstance(batch, Table) or not batch.batch:
            raise NotEvaluated("rows and batches, or a table that is none")
        types = [(type_of(c), a.type) for c, a in zip(reader.columns, batch.columns, strict=False)]
        if batch.names != names or any("any" not in (mine, its) and mine != its for mine, its in types):
            raise ValueError("a batch of other columns")
        if not all(c.nullable for c in reader.columns):
            raise NotEvaluated("whether a batch has the columns that are not nullable")
        found += [tuple(r[n] for n in names) for r in batch.rows]
    return found


def _values(reader: Reader, row: Any) -> tuple[tuple[Any, ...], str]:
    """The values of a row that ``read`` yields, in the order of the schema, and what tells it apart."""
    names = [c.name for c in reader.columns]
    if isinstance(row, Outside):
        return (UNKNOWN,) * len(names), shown(row)
    if isinstance(row, Row):
        if {*row.names} != {*names}:
            raise ValueError("a row of other columns")
        found = [row.item(n) for n in names]
    elif type(row) in (tuple, list):
        if len(row) != len(names):
            raise ValueError("a row of other columns")
        found = list(row)
    else:
        raise NotEvaluated("a row of another kind")
    values = tuple(_plain(c, v) for c, v in zip(reader.columns, found, strict=True))
    return values, repr([_sign(v) for v in found])


def _plain(column: Column, value: Any) -> Any:
    """The value in a form in which structs are dicts; ``UNKNOWN`` for one of which nothing is known."""
    if column.fields and value is not None:
        if isinstance(value, Row):
            value = dict(zip(value.names, value, strict=True))
        elif type(value) is tuple and len(value) == len(column.fields):
            value = {c.name: v for c, v in zip(column.fields, value, strict=True)}
        if type(value) is not dict or {*value} != {c.name for c in column.fields}:
            return UNKNOWN
        return {c.name: _plain(c, value[c.name]) for c in column.fields}
    return UNKNOWN if isinstance(value, Outside) else value


def _sign(value: Any) -> str:
    if isinstance(value, Row):
        return shown(dict(zip(value.names, value, strict=True)))
    return "NaN" if isinstance(value, float) and math.isnan(value) else shown(value)


class _Unknown:
    def __repr__(self) -> str:
        return "?"


UNKNOWN = _Unknown()
"""A value of which nothing is known."""

__all__ = ["UNKNOWN", "Endless", "Reader", "Readers", "Returned"]
