"""The footer of a Parquet file: columns, types as Spark has them, rows, and statistics.

Only the footer is read, never a page. Statistics are what the writer says: min and max may be truncated or wrong, so
that nothing of them is more than an assumption. Min and max count if the footer says that their order is that of the
type (``column_orders``); those of old writers, which may be of another order, do not. Law of types: what Spark's own
schema in the file says, else ``ParquetToSparkSchemaConverter``; what is neither has the type ``unknown``. Reference:
``parquet.thrift`` of apache/parquet-format; ``ParquetFileFormat.readSchemaFromFooter`` of Spark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from .bounds import Known, of_parquet
from .footer import Column, Footer
from .thrift import Malformed, read_struct

MAGIC = b"PAR1"
MOST_FOOTER = 8_000_000
_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
_BOOLEAN, _INT32, _INT64, _INT96, _FLOAT, _DOUBLE, _BYTES, _FIXED = range(8)
_REQUIRED, _REPEATED = 0, 2
_PLAIN = {_BOOLEAN: "boolean", _INT32: "int", _INT64: "bigint", _INT96: "timestamp", _FLOAT: "float", _DOUBLE: "double"}
_CONVERTED = {
    (_INT32, 6): "date", (_INT32, 15): "tinyint", (_INT32, 16): "smallint", (_INT32, 17): "int",
    (_INT32, 11): "smallint", (_INT32, 12): "int", (_INT32, 13): "bigint",
    (_INT64, 18): "bigint", (_INT64, 14): "decimal(20,0)",
    (_BYTES, 0): "string", (_BYTES, 4): "string", (_BYTES, 19): "string",
}  # fmt: skip
"""Of a physical and a converted type; a timestamp also needs to be one in UTC, and a decimal its digits."""
_LOGICAL = {1: 0, 4: 4, 6: 6, 12: 19}
"""Logical types without parameters (STRING, ENUM, DATE, JSON) as the converted types that mean the same."""
_OF_SPARK = {
    "boolean": "boolean", "byte": "tinyint", "short": "smallint", "integer": "int", "long": "bigint", "float": "float",
    "double": "double", "string": "string", "date": "date", "timestamp": "timestamp",
}  # fmt: skip


_OTHER_WORDS = frozenset({
    "comment", "delta.columnMapping.id", "delta.columnMapping.physicalName", "delta.generationExpression",
    "delta.identity.start", "delta.identity.step", "delta.identity.highWaterMark", "delta.identity.allowExplicitInsert",
    "delta.invariants", "CURRENT_DEFAULT",
})  # fmt: skip
"""What the metadata of a field may say that is not of its type."""


def read_footer(file: BinaryIO, size: int) -> tuple[Footer, int]:
    """The footer of a file of ``size`` bytes, and how many bytes it has; ``Malformed`` if there is none."""
    if size < 12:
        raise Malformed("it is too short for a Parquet file")
    file.seek(0)
    begins = file.read(4)
    file.seek(size - 8)
    end = file.read(8)
    if begins != MAGIC or end[4:] != MAGIC:
        raise Malformed("it is no whole Parquet file")
    length = int.from_bytes(end[:4], "little")
    if length > size - 12 or length > MOST_FOOTER:
        raise Malformed("its footer is longer than the file, or than what is read")
    file.seek(size - 8 - length)
    return _footer(read_struct(file.read(length))), length


def _footer(meta: dict[int, Any]) -> Footer:
    try:
        elements, rows, groups = meta[2], meta[3], meta.get(4, [])
        spark = _spark_types(meta.get(5, []))
        orders = [isinstance(o, dict) and 1 in o for o in meta.get(7) or []]  # TypeDefinedOrder
        columns = tuple(
            _column(name, element, leaf, groups, spark, orders) for name, element, leaf in _top_level(elements)
        )
        counts = tuple(_number(g[3]) for g in groups)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise Malformed("its footer is not that of a Parquet file") from error
    if _number(rows) != sum(counts):
        raise Malformed("its row groups have another number of rows than the file")
    return Footer(columns, sum(counts), counts)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Malformed("a number of rows is none")
    return value


def _top_level(elements: list[dict[int, Any]]) -> Iterator[tuple[str, dict[int, Any], int | None]]:
    """Name and element of each column below the root, and the place of its values in a row group; None if nested."""
    at, leaf = 1, 0
    for _ in range(elements[0].get(5, 0)):
        element = elements[at]
        end, leaves = _subtree(elements, at)
        nested = bool(element.get(5)) or element.get(3) == _REPEATED
        yield element[4].decode("utf-8"), element, None if nested else leaf
        at, leaf = end, leaf + leaves
    if at != len(elements):
        raise Malformed("its schema is no tree")


def _subtree(elements: list[dict[int, Any]], at: int) -> tuple[int, int]:
    """Where the element after the subtree at ``at`` stands, and how many leaves that has."""
    left, leaves = 1, 0
    while left:
        children = elements[at].get(5) or 0
        leaves += not children
        left += children - 1
        at += 1
    return at, leaves


def _column(
    name: str, element: dict[int, Any], leaf: int | None, groups: list[dict[int, Any]], spark: dict[str, str] | None,
    orders: list[bool],
) -> Column:  # fmt: skip
    ddl = spark.get(name, "unknown") if spark is not None else "unknown" if leaf is None else _type_of(element)
    if leaf is None:
        return Column(name, ddl, None)
    ordered = leaf < len(orders) and orders[leaf]
    known = tuple(_known(name, ddl, element, group[1][leaf][3], ordered) for group in groups)
    nulls = [k.nulls for k in known]
    return Column(name, ddl, None if None in nulls else sum(n or 0 for n in nulls), known)


def _known(name: str, ddl: str, element: dict[int, Any], chunk: dict[int, Any], ordered: bool) -> Known:
    """What a row group says of one of its columns."""
    if [part.decode("utf-8") for part in chunk[3]] != [name]:
        raise Malformed("its columns are in another order than its schema")
    statistics = chunk.get(12, {})
    nulls = 0 if element.get(3) == _REQUIRED else statistics.get(3)
    bounds = of_parquet(ddl, element, statistics) if ordered else None
    different = statistics.get(4) or None  # which few writers say
    size = chunk.get(16, {}).get(1) if ddl == "string" else None  # SizeStatistics.unencoded_byte_array_data_bytes
    return Known(_counted(nulls), bounds, _counted(different), _counted(size))


def _counted(value: object) -> int | None:
    return None if value is None else _number(value)


def _type_of(element: dict[int, Any]) -> str:
    """The type that Spark gives a column whose file has no schema of Spark's."""
    physical, converted, logical = element.get(1, -1), element.get(6), element.get(10) or {}
    if converted == 5 or 5 in logical:
        return "decimal"
    if 8 in logical:  # TIMESTAMP; in UTC or not, and Spark reads no nanoseconds
        stamp = logical[8]
        nanoseconds = 3 in stamp.get(2, {})
        return "timestamp" if physical == _INT64 and stamp.get(1) is True and not nanoseconds else "unknown"
    if converted in (9, 10) and not logical:
        return "timestamp" if physical == _INT64 else "unknown"
    if 10 in logical and converted is None:
        return "unknown"  # a whole number of some width that an old reader does not know
    if converted is None:
        converted = next((_LOGICAL[k] for k in logical if k in _LOGICAL), None)
        if logical and converted is None:
            return "unknown"
    if converted is None:
        return _PLAIN.get(physical, "unknown")
    return _CONVERTED.get((physical, converted), "unknown")


def _spark_types(pairs: list[dict[int, Any]]) -> dict[str, str] | None:
    """The types of the schema that Spark itself has written into the file, if it has."""
    for pair in pairs or []:
        if pair.get(1) == _SPARK:
            fields = json.loads(pair[2])["fields"]
            return {f["name"]: type_of_spark(f) for f in fields}
    return None


def type_of_spark(field: dict[str, Any]) -> str:
    """The type of a field in a schema that Spark has written as JSON."""
    said = field["type"]
    if not isinstance(said, str) or any(key not in _OTHER_WORDS for key in field.get("metadata") or ()):
        return "unknown"  # nested, or with a word on collation, CHAR(n) or the like
    return "decimal" if said.startswith("decimal(") else _OF_SPARK.get(said, "unknown")
