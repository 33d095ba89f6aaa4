"""Spark's filters: which of them a reader is handed, and which rows pass.

Law: the meaning is that of Spark's own comparison, as ``headwater.semantics`` has it: NULL is neither true nor false,
NaN equals NaN and is greater than any number, -0.0 is 0.0. Spark hands over a list, to be read as AND; in front of a
comparison of a column that may be NULL it always puts ``IsNotNull`` of that column, but for ``In``, ``EqualNullSafe``
and their negations (``tests/data_sources``: measured).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headwater.semantics.interpreter import Env, holds
from headwater_ir.expr import Col, Compare, CompareOp, Expr, IsNull, Lit, Same, StringOp, StringTest
from headwater_ir.expr import In as IsIn
from headwater_ir.expr import Not as Denied
from headwater_ir.types import ANY, NULL

from .columns import Column

_COMPARED: dict[str, CompareOp] = {
    "EqualTo": "==", "GreaterThan": ">", "GreaterThanOrEqual": ">=", "LessThan": "<", "LessThanOrEqual": "<=",
}  # fmt: skip
_TESTED: dict[str, StringOp] = {
    "StringStartsWith": "startswith", "StringEndsWith": "endswith", "StringContains": "contains",
}  # fmt: skip
UNARY = ("IsNull", "IsNotNull")
BINARY = (*_COMPARED, "EqualNullSafe", "In", *_TESTED)
_NULL_TOLERANT = ("EqualNullSafe", "In", *UNARY)
_SIGNS = {"EqualTo": "=", "GreaterThan": ">", "GreaterThanOrEqual": ">=", "LessThan": "<", "LessThanOrEqual": "<="}


@dataclass(frozen=True)
class Filter:
    """One filter. ``kind``: its class; ``negated``: it is ``Not`` of that. ``value``: None of a unary one, a tuple of
    ``In``."""

    kind: str
    path: tuple[str, ...]
    value: Any = None
    negated: bool = False

    @property
    def name(self) -> str:
        """The class, as a reader tells it apart."""
        return f"Not({self.kind})" if self.negated else self.kind

    def __str__(self) -> str:
        column, value = ".".join(self.path), _sql(self.value)
        if self.kind in _SIGNS:
            sign = {"=": "<>"}.get(_SIGNS[self.kind], "") if self.negated else _SIGNS[self.kind]
            return f"{column} {sign} {value}"
        if self.kind in UNARY:
            return f"{column} IS {'NOT ' if self.kind == 'IsNotNull' else ''}NULL"
        if self.kind == "In":
            return f"{column} {'NOT ' if self.negated else ''}IN ({', '.join(map(_sql, self.value))})"
        name = {"StringStartsWith": "startswith", "StringEndsWith": "endswith", "StringContains": "contains"}
        said = f"{name[self.kind]}({column}, {value})" if self.kind in name else f"{column} <=> {value}"
        return f"NOT {said}" if self.negated else said


def _sql(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "NULL" if value is None else str(value).upper()
    if isinstance(value, float) and value != value:
        return "NaN"
    return "'" + str(value).replace("'", "''") + "'" if not isinstance(value, (int, float)) else repr(value)


def passes(filters: tuple[Filter, ...], row: dict[str, Any]) -> bool:
    """Whether Spark keeps a row. KeyError or TypeError where it has no such column."""
    return all(holds(_condition(f), Env({"x": value_at(row, f.path)})) for f in filters)


def value_at(row: dict[str, Any], path: tuple[str, ...]) -> Any:
    """The value at a path of columns: NULL in a struct that is NULL."""
    at: Any = row
    for name in path:
        if at is None:
            return None
        at = at[name]
    return at


def _condition(f: Filter) -> Expr:
    x = Col("x")
    made: Expr
    if f.kind in UNARY:
        made = IsNull(x) if f.kind == "IsNull" else Denied(IsNull(x))
    elif f.kind == "In":
        made = IsIn(x, tuple(map(_literal, f.value)), "sql")
    elif f.kind == "EqualNullSafe":
        made = Same(x, _literal(f.value))
    elif f.kind in _TESTED:
        made = StringTest(_TESTED[f.kind], x, _literal(f.value), "sql")
    else:
        made = Compare(_COMPARED[f.kind], x, _literal(f.value), "sql")
    return Denied(made) if f.negated else made


def _literal(value: Any) -> Lit:
    return Lit(value, NULL if value is None else ANY)


def as_pushed(parts: tuple[Filter, ...], columns: dict[tuple[str, ...], Column]) -> tuple[Filter, ...]:
    """What Spark hands over for a condition of these ``parts``."""
    tested = dict.fromkeys(f.path for f in parts if f.kind not in _NULL_TOLERANT and columns[f.path].nullable)
    return (*(Filter("IsNotNull", p) for p in tested), *parts)


def conditions(path: tuple[str, ...], column: Column, values: list[Any]) -> Iterator[tuple[Filter, ...]]:
    """Conditions to try of a column, those first whose failure is plainest. ``values``: of its type, no NULL."""
    if column.nullable:
        yield (Filter("IsNull", path),)
        yield (Filter("IsNotNull", path),)
    whole = column.type.name == "bool"
    for v in values:
        yield (Filter("EqualTo", path, v),) if v is not False else (Filter("EqualTo", path, True, True),)
        yield (Filter("EqualNullSafe", path, v),)
        yield (Filter("EqualNullSafe", path, v, True),)
        if whole:
            continue
        yield (Filter("EqualTo", path, v, True),)
        yield from ((Filter(kind, path, v),) for kind in _COMPARED if kind != "EqualTo")
        if column.type.name == "string":
            for kind in _TESTED:
                yield (Filter(kind, path, v),)
                yield (Filter(kind, path, v, True),)
    if whole or len(values) < 2:
        return
    for some in ((values[0], values[1]), (values[1], values[-1]), (values[0], None)):
        yield (Filter("In", path, some),)
        if None not in some:
            yield (Filter("In", path, some, True),)
    a, b = values[0], values[1]
    for kind in _COMPARED:
        if kind != "EqualTo":
            yield (Filter(kind, path, a), Filter(kind, path, b))
            yield (Filter(kind, path, b), Filter(kind, path, a))
    yield (Filter("EqualTo", path, a, True), Filter("EqualTo", path, b, True))
    if column.type.name == "string":
        yield (Filter("StringContains", path, a), Filter("StringContains", path, b))


__all__ = ["BINARY", "UNARY", "Filter", "as_pushed", "conditions", "passes", "value_at"]
