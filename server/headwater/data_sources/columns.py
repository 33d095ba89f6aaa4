"""The columns of a data source, and values to try of them."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass, replace
from typing import Any

from headwater.pyspark.frames.schema import parse_ddl, parse_type, split_top_level
from headwater.syntax.refusal import Refusal
from headwater_ir.types import Type


@dataclass(frozen=True)
class Column:
    """A column as Spark is told of it. ``fields``: of a struct."""

    name: str
    type: Type
    nullable: bool = True
    fields: tuple[Column, ...] = ()


def columns_of_ddl(text: str) -> tuple[Column, ...]:
    """The columns that a DDL string spells. Refusal for what is not one."""
    wrapped = re.fullmatch(r"\s*struct\s*<(.*)>\s*", text, re.IGNORECASE | re.DOTALL)
    parts = split_top_level(wrapped.group(1) if wrapped else text)
    fields = parse_ddl(text).fields
    return tuple(Column(f.name, f.type, f.nullable, _inside(p)) for f, p in zip(fields, parts, strict=True))


def _inside(column: str) -> tuple[Column, ...]:
    found = re.fullmatch(r"\s*(?:`[^`]+`|[\w$]+)(?:\s|:)\s*(struct\s*<.*>)(\s+not\s+null)?\s*", column, re.I | re.S)
    return columns_of_ddl(found.group(1)) if found else ()


def column(name: str, type_text: str, nullable: bool) -> Column:
    """A column whose type is spelled. Refusal for what is no type."""
    return Column(name, parse_type(type_text), nullable, _inside(f"`{name}` {type_text}"))


def paths(
    columns: tuple[Column, ...], above: tuple[str, ...] = (), nullable: bool = False
) -> list[tuple[tuple[str, ...], Column]]:
    """The columns that hold single values, with the path that a filter names them by. One in a struct that is
    ``nullable`` is so itself."""
    found = list[tuple[tuple[str, ...], Column]]()
    for c in columns:
        path, c = (*above, c.name), replace(c, nullable=c.nullable or nullable)
        found += paths(c.fields, path, c.nullable) if c.fields else [(path, c)]
    return found


SAMPLED = ("bool", "int", "float", "string", "date")
_TEXTS = ("a", "A", "ab", "aXb", "a%b", "a_b", "xay", "O'Brien", "", "10", "9", "b")
_NUMBERS = (1, 0, 10, 9, -1, 5)
_DOUBLES = (1.5, 0.0, -0.0, 10.0, 9.0, -1.0, math.nan, math.inf)
_DAYS = (dt.date(2024, 1, 2), dt.date(2024, 1, 1), dt.date(2023, 12, 31))
_VALUES: dict[str, tuple[Any, ...]] = {
    "string": _TEXTS, "int": _NUMBERS, "float": _DOUBLES, "bool": (True, False), "date": _DAYS,
}  # fmt: skip
PLAIN, WITHOUT_NULL, ALL = 0, 1, 2
"""How odd the values are that a source is taken to hold: no NULL, NaN, infinity or empty text; no NULL; any."""


def rows(columns: tuple[Column, ...], oddity: int) -> list[dict[str, Any]]:
    """Rows that a source of these columns may hold, in which every value of every column occurs."""
    values = {c.name: _of(c, oddity) for c in columns}
    many = max((len(v) for v in values.values()), default=0)
    return [{name: v[i % len(v)] for name, v in values.items()} for i in range(many)]


def _of(column: Column, oddity: int) -> list[Any]:
    if column.fields:
        return [*rows(column.fields, oddity), *([None] if column.nullable and oddity == ALL else [])]
    found = list(_VALUES.get(column.type.name, ()))
    if oddity == PLAIN:
        found = [v for v in found if v != "" and not (isinstance(v, float) and not math.isfinite(v))]
    if (column.nullable and oddity == ALL) or not found:
        found.insert(min(2, len(found)), None)
    return found


def fits(column: Column, value: Any) -> bool:
    """Whether Spark stores ``value`` in the column as it is."""
    if value is None:
        return column.nullable
    match column.type.name:
        case "bool":
            return type(value) is bool
        case "int":
            return type(value) is int and abs(value) < 2 ** ((column.type.bits or 64) - 1)
        case "float":
            return type(value) is float and column.type.bits == 64
        case "string":
            return type(value) is str
        case "date":
            return type(value) is dt.date
    return False


__all__ = [
    "ALL",
    "PLAIN",
    "SAMPLED",
    "WITHOUT_NULL",
    "Column",
    "Refusal",
    "column",
    "columns_of_ddl",
    "fits",
    "paths",
    "rows",
]
