"""``pa.schema([...])`` and the types in it.

Spark takes a result only if the type of each of its columns is exactly the one that the declared column has in Arrow;
nothing is cast (measured: Spark 4.3, ``enforce_schema(arrow_cast=False)``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from headwater.libraries import models
from headwater.python.values.scope import AbstractObject
from headwater.syntax.refusal import Refusal
from headwater_ir.types import (
    BOOL,
    DATE,
    FLOAT,
    FLOAT32,
    INT8,
    INT16,
    INT32,
    INT64,
    STRING,
    TIMESTAMP,
    Type,
)

_TYPES: dict[str, Type] = {
    "bool_": BOOL, "int8": INT8, "int16": INT16, "int32": INT32, "int64": INT64, "float32": FLOAT32, "float64": FLOAT,
    "string": STRING, "utf8": STRING, "date32": DATE,
}  # fmt: skip
SCALARS = frozenset((*_TYPES.values(), TIMESTAMP))
"""The types whose values have a meaning in a result."""

Origin = Callable[[ast.expr], "str | None"]


@dataclass(frozen=True)
class ArrowSchema(AbstractObject):
    """``pa.schema(…)``: names and types, in order; None for a type without a model."""

    fields: tuple[tuple[str, Type | None], ...]


def read_arrow_type(node: ast.expr, origin: Origin) -> Type | None:
    """The Spark type whose Arrow type ``pa.int64()`` and its kin spell; None if there is none here."""
    if not isinstance(node, ast.Call):
        return None
    module, _, name = (origin(node.func) or "").rpartition(".")
    if module != "pyarrow":
        return None
    if name not in (*_TYPES, "timestamp"):
        return None
    bound = models.bind(f"pyarrow.{name}", node)
    if name == "timestamp":
        given = {n: a.value for n, a in bound.arguments.items() if isinstance(a, ast.Constant)}
        # Spark's own: microseconds in UTC, whatever the session's time zone is.
        return TIMESTAMP if given == {"unit": "us", "tz": "UTC"} else None
    return _TYPES[name]


def read_arrow_schema(node: ast.Call, origin: Origin) -> ArrowSchema:
    """The schema that a call of ``pa.schema`` spells."""
    fields = models.bind("pyarrow.schema", node).arguments["fields"]
    if isinstance(fields, ast.Dict):
        pairs = [_pair(k, v, origin) for k, v in zip(fields.keys, fields.values, strict=True)]
    elif isinstance(fields, (ast.List, ast.Tuple)):
        pairs = [_field(f, origin) for f in fields.elts]
    else:
        raise Refusal("opaque", "an Arrow schema that is not written as a literal", node)
    if len({name for name, _ in pairs}) != len(pairs):
        raise Refusal("may-throw", "an Arrow schema with the same column twice", node)
    return ArrowSchema(tuple(pairs))


def _field(node: ast.expr, origin: Origin) -> tuple[str, Type | None]:
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        return _pair(node.elts[0], node.elts[1], origin)
    if isinstance(node, ast.Call) and origin(node.func) == "pyarrow.field":
        # Whether a field is nullable is of no consequence: Arrow does not check it, and Spark does not look.
        given = models.bind("pyarrow.field", node).arguments
        if "type" in given:
            return _pair(given["name"], given["type"], origin)
    raise Refusal("opaque", "a field of an Arrow schema that is not written as a literal", node)


def _pair(name: ast.expr | None, kind: ast.expr, origin: Origin) -> tuple[str, Type | None]:
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        raise Refusal("opaque", "a field of an Arrow schema without a literal name", kind)
    return name.value, read_arrow_type(kind, origin)
