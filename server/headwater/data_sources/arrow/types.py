"""Types and schemas of pyarrow, as values of the evaluator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from headwater.validation.library import Proxy
from headwater.validation.limits import NotEvaluated

from ..columns import Column, column
from ..spark_objects import StructType
from .expressions import Function

_TYPES: dict[str, tuple[str, type]] = {
    "bool_": ("bool", bool), "string": ("string", str), "utf8": ("string", str), "large_string": ("large_string", str),
    "date32": ("date32", dt.date), "float64": ("double", float),
    **{f"{u}int{n}": (f"{u}int{n}", int) for u in ("", "u") for n in (8, 16, 32, 64)},
}  # fmt: skip
"""Makers of types: the name of the type, and of what its values are in Python."""
_PYTHONS = dict(_TYPES.values())
INFERRED: dict[type, str] = {bool: "bool", int: "int64", float: "double", str: "string", dt.date: "date32"}


def type_of(column: Column) -> str:
    """The type in Arrow of a column of Spark."""
    match column.type.name, column.type.bits:
        case "int", bits:
            return f"int{bits}"
        case "float", 64:
            return "double"
        case ("bool" | "string") as name, _:
            return name
        case "date", _:
            return "date32"
    return "any"


_SPARKS = {
    "bool": "boolean", "int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint", "double": "double",
    "string": "string", "date32": "date",
}  # fmt: skip


class ArrowType(Proxy):
    """A type."""

    def __init__(self, name: str) -> None:
        self.name, self.path = name, f"type {name}"

    def cast(self, value: Any) -> Any:
        """A value in an array of this type. NotEvaluated where it is another one, or an error."""
        if value is None:
            return None
        if self.name == "double" and type(value) is int:
            return float(value)
        if type(value) is not _PYTHONS.get(self.name) or (type(value) is int and not self._holds(value)):
            raise NotEvaluated("a value of another type in an array")
        return value

    def _holds(self, value: int) -> bool:
        signed, bits = not self.name.startswith("u"), int(self.name.rpartition("int")[2])
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
        return bool(low <= value < high)


class ArrowField(Proxy):
    """``pyarrow.field``."""

    def __init__(self, name: str, type_: ArrowType) -> None:
        self.name, self.type, self.path = name, type_, f"field {name} {type_.path}"

    def attribute(self, name: str) -> Any:
        return self.name if name == "name" else self.type if name == "type" else super().attribute(name)


class Schema(Proxy):
    """``pyarrow.schema``."""

    def __init__(self, fields: tuple[ArrowField, ...]) -> None:
        self.fields, self.path = fields, f"schema({', '.join(f.path for f in fields)})"

    @property
    def names(self) -> list[str]:
        """The names of its fields."""
        return [f.name for f in self.fields]

    def attribute(self, name: str) -> Any:
        return self.names if name == "names" else super().attribute(name)

    def elements(self) -> Iterator[Any]:
        """Its fields."""
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)


def columns_of(schema: Schema) -> tuple[Column, ...]:
    """The columns of a schema, which engines beside Spark take from ``schema()``. NotEvaluated for other types."""
    if not all(f.type.name in _SPARKS for f in schema.fields):
        raise NotEvaluated("a schema of Arrow of other types")
    return tuple(column(f.name, _SPARKS[f.type.name], True) for f in schema.fields)


def _type(name: str) -> Function:
    return Function(lambda: ArrowType(name))


def _field(name: Any, type_: Any, nullable: Any = True, metadata: Any = None) -> ArrowField:
    if not isinstance(name, str) or not isinstance(type_, ArrowType):
        raise NotEvaluated("a field of a schema of Arrow")
    return ArrowField(name, type_)


def _schema(fields: Any, metadata: Any = None) -> Schema:
    given = [*fields.items()] if type(fields) is dict else fields
    if type(given) not in (list, tuple):
        raise NotEvaluated("a schema of Arrow")
    return Schema(tuple(f if isinstance(f, ArrowField) else _field(*f) for f in given))


def _of_spark(schema: Any, *_: Any, **__: Any) -> Schema:
    """``pyspark.sql.pandas.types.to_arrow_schema``."""
    if not isinstance(schema, StructType):
        raise NotEvaluated("a schema that is not known")
    return Schema(tuple(ArrowField(c.name, ArrowType(type_of(c))) for c in schema.columns))


IMPORTED: dict[str, Any] = {
    **{f"pyarrow.{maker}": _type(name) for maker, (name, _) in _TYPES.items()},
    "pyarrow.field": Function(_field),
    "pyarrow.schema": Function(_schema),
    "pyspark.sql.pandas.types.to_arrow_schema": Function(_of_spark),
}
"""By full name."""

__all__ = ["INFERRED", "IMPORTED", "ArrowType", "Schema", "columns_of", "type_of"]
