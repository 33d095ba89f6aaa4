"""Schemas that the source states: DDL strings and ``StructType`` literals.

A type without a model (struct, map, binary, …) becomes ``OPAQUE``. Whether ``not null`` may be believed
is the caller's business: Spark makes every column of a file source nullable whatever the read schema declares.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Field, Schema
from headwater_ir.types import (
    BOOL,
    DATE,
    DECIMAL,
    FLOAT,
    FLOAT32,
    INT8,
    INT16,
    INT32,
    INT64,
    NULL,
    OPAQUE,
    STRING,
    TIMESTAMP,
    Type,
    list_of,
)

_SIMPLE: dict[str, Type] = {
    "boolean": BOOL, "byte": INT8, "tinyint": INT8, "short": INT16, "smallint": INT16, "int": INT32, "integer": INT32,
    "long": INT64, "bigint": INT64, "float": FLOAT32, "real": FLOAT32, "double": FLOAT, "string": STRING, "date": DATE,
    "timestamp": TIMESTAMP, "timestamp_ltz": TIMESTAMP, "decimal": DECIMAL, "dec": DECIMAL, "numeric": DECIMAL,
    "void": NULL, "null": NULL,
}  # fmt: skip
_CLASSES: dict[str, Type] = {
    "BooleanType": BOOL, "ByteType": INT8, "ShortType": INT16, "IntegerType": INT32, "LongType": INT64,
    "FloatType": FLOAT32, "DoubleType": FLOAT, "StringType": STRING, "DateType": DATE, "TimestampType": TIMESTAMP,
    "DecimalType": DECIMAL, "NullType": NULL,
}  # fmt: skip

_PARTITIONS = re.compile(r"\s+partitioned\s+by\s*\(([\w$`,\s]+)\)$", re.IGNORECASE)
_ROWS = re.compile(r"\s+tblproperties\s*\(\s*'numRows'\s*=\s*'(\d{1,18})'\s*\)$", re.IGNORECASE)

Resolve = Callable[[ast.expr], "str | None"]
"""Maps a name or attribute to its dotted origin, as ``Names.resolve`` does."""


def parse_type(text: str) -> Type:
    """The type that a DDL type name spells; OPAQUE for one without a model."""
    bare = " ".join(text.split()).lower()
    if bare in _SIMPLE:
        return _SIMPLE[bare]
    if re.fullmatch(r"(decimal|dec|numeric) ?\([\d, -]+\)", bare):
        return DECIMAL
    if re.fullmatch(r"varchar ?\(\d+\)", bare):
        return STRING
    inside = re.fullmatch(r"array ?<(.*)>", bare)
    return list_of(parse_type(inside.group(1))) if inside else OPAQUE


def partitions_of(text: str) -> tuple[str, ...]:
    """The columns that a DDL string says are directories: ``… PARTITIONED BY (year, month)`` at its end."""
    found = _PARTITIONS.search(_ROWS.sub("", text.strip()))
    return tuple(n.strip().strip("`") for n in found.group(1).split(",")) if found else ()


def rows_of(text: str) -> int | None:
    """How many rows a DDL string says that the table has: ``… TBLPROPERTIES ('numRows' = '1200')`` at its end."""
    found = _ROWS.search(text.strip())
    return int(found.group(1)) if found else None


def parse_ddl(text: str) -> Schema:
    """The schema that a DDL string spells. Raises Refusal for what is not one."""
    body = _PARTITIONS.sub("", _ROWS.sub("", text.strip()))
    wrapped = re.fullmatch(r"struct\s*<(.*)>", body, re.IGNORECASE | re.DOTALL)
    parts = split_top_level(wrapped.group(1) if wrapped else body)
    found = tuple(_field(part) for part in parts)
    return Schema(_distinct(found))


def _field(text: str) -> Field:
    match = re.match(r"\s*(?:`([^`]+)`|([\w$]+))\s*(?:\s|:)\s*(.+)$", text, re.DOTALL)
    if not match:
        raise Refusal("opaque", f"`{text.strip()}` is not a column of a schema")
    rest = re.sub(r"\s+comment\s+('[^']*'|\"[^\"]*\")\s*$", "", match.group(3), flags=re.IGNORECASE).strip()
    required = re.search(r"\s+not\s+null\s*$", rest, re.IGNORECASE)
    type_text = rest[: required.start()] if required else rest
    if re.search(r"\b(default|generated|collate)\b", type_text, re.IGNORECASE):
        type_text = "unknown"
    return Field(match.group(1) or match.group(2), parse_type(type_text), nullable=required is None)


def split_top_level(text: str) -> list[str]:
    """The columns of a DDL string, one text each."""
    parts, depth, quote, start = [], 0, "", 0
    for i, ch in enumerate(text):
        if quote:
            quote = "" if ch == quote else quote
        elif ch in "'\"`":
            quote = ch
        elif ch in "<(":
            depth += 1
        elif ch in ">)":
            depth -= 1
        elif ch == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def _distinct(found: tuple[Field, ...]) -> tuple[Field, ...]:
    # Spark resolves names without regard to case, so two names that differ only in case are ambiguous.
    if len({f.name.lower() for f in found}) != len(found):
        raise Refusal("attribute-capture", "the schema has the same column twice")
    return found


def all_nullable(schema: Schema) -> Schema:
    """``schema`` as a file source has it: every column nullable."""
    return replace(schema, fields=tuple(replace(f, nullable=True) for f in schema.fields))


def read_schema(node: ast.expr, resolve: Resolve) -> Schema:
    """The schema that an expression spells: a DDL string, ``StructType([...])`` or ``StructType().add(...)``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return parse_ddl(node.value)
    return Schema(_distinct(_struct_fields(node, resolve)))


def _struct_fields(node: ast.expr, resolve: Resolve) -> tuple[Field, ...]:
    if not isinstance(node, ast.Call):
        raise Refusal("opaque", "the schema is not a literal", node)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "add" and _is_type(node.func, resolve) is None:
        return (*_struct_fields(node.func.value, resolve), _struct_field(node, resolve))
    if _is_type(node.func, resolve) != "StructType" or node.keywords or len(node.args) > 1:
        raise Refusal("opaque", "the schema is not a StructType literal", node)
    if not node.args:
        return ()
    if not isinstance(node.args[0], (ast.List, ast.Tuple)):
        raise Refusal("opaque", "the fields of the schema are not a literal list", node)
    return tuple(_listed_field(item, resolve) for item in node.args[0].elts)


def _listed_field(item: ast.expr, resolve: Resolve) -> Field:
    if not isinstance(item, ast.Call) or _is_type(item.func, resolve) != "StructField":
        raise Refusal("opaque", "the schema has a field that is not a StructField literal", item)
    return _struct_field(item, resolve)


def _struct_field(call: ast.Call, resolve: Resolve) -> Field:
    """The field of ``StructField(name, type, nullable)`` or ``.add(name, type, nullable)``."""
    given = dict(zip(("name", "dataType", "nullable", "metadata"), call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg}
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "the schema is not a literal", call)
    name, kind = given.get("name", given.get("field")), given.get("dataType", given.get("data_type"))
    nullable = given.get("nullable")
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str) or kind is None:
        raise Refusal("opaque", "the schema has a field without a literal name and type", call)
    required = isinstance(nullable, ast.Constant) and nullable.value is False
    return Field(name.value, read_type(kind, resolve), nullable=not required)


def read_type(node: ast.expr, resolve: Resolve) -> Type:
    """The type that ``IntegerType()``, ``"int"``, ``ArrayType(StringType())`` … spell; OPAQUE if it has no model
    here."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return parse_type(node.value)
    if isinstance(node, ast.Call):
        name = _is_type(node.func, resolve)
        if name == "ArrayType" and node.args:
            return list_of(read_type(node.args[0], resolve))
        return _CLASSES.get(name or "", OPAQUE)
    # `IntegerType` without the call is accepted by some of Spark's entry points.
    return _CLASSES.get(_is_type(node, resolve) or "", OPAQUE)


def _is_type(node: ast.expr, resolve: Resolve) -> str | None:
    origin = resolve(node) or ""
    module, _, name = origin.rpartition(".")
    return name if module == "pyspark.sql.types" else None
