"""Frames of RDDs: each value is verified against its type, or types are inferred of the first elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .column import Field, Schema
from .frame import DataFrame, schema_of
from .scalars import WIDTH, SparkError, printed
from .transfer import _fits

_INFERRED = {int: "bigint", float: "double", str: "string", bool: "boolean"}
_TAKEN = {"double": float, "boolean": bool}


def framed(rdd: Any, schema: Any) -> DataFrame:
    """``rdd.toDF(schema)``, ``spark.createDataFrame(rdd, schema)``."""
    named = schema is None or isinstance(schema, (list, tuple))
    declared = _inferred(rdd.rows(), schema) if named else schema_of(schema)
    parts = [[_row(e, declared, not named) for e in part] for part in rdd.parts]
    return DataFrame(declared, parts)


def _inferred(rows: Sequence[Any], names: Any) -> Schema:
    if not rows:
        raise SparkError("CANNOT_INFER_EMPTY_SCHEMA")
    width = len(rows[0])
    kinds = [next((_INFERRED[type(r[i])] for r in rows[:100] if r[i] is not None), None) for i in range(width)]
    if None in kinds:
        raise SparkError("CANNOT_DETERMINE_TYPE")
    fields = names or getattr(rows[0], "__fields__", [f"_{i + 1}" for i in range(width)])
    return tuple(Field(n, str(k)) for n, k in zip(fields, kinds, strict=True))


def _row(element: Any, schema: Schema, verified: bool) -> tuple[Any, ...]:
    if isinstance(element, dict):
        cells = [element.get(f.name) for f in schema]
    elif isinstance(element, (tuple, list)):
        cells = list(element)
    else:
        raise SparkError("no row")
    if len(cells) != len(schema):
        raise SparkError("another number of columns")
    return tuple(_value(v, f, verified) for v, f in zip(cells, schema, strict=True))


def _value(value: Any, field: Field, verified: bool) -> Any:
    if value is None:
        if not field.nullable:
            raise SparkError("FIELD_NOT_NULLABLE")
        return None
    if field.type == "string":
        return printed(value)
    whole = type(value) is int and field.type in WIDTH
    if whole:
        return _fits(value, field.type)
    if type(value) is _TAKEN.get(field.type):
        return value
    if verified:
        raise SparkError("FIELD_DATA_TYPE_UNACCEPTABLE")
    return None
