"""The footer of an ORC file: columns, types as Spark has them, rows, and statistics of stripes.

Only the end of the file is read, never a stripe: postscript, footer, and the statistics of stripes in front of it. They
are what the writer says, and no more than an assumption. Law: of a column that is no part of another one,
``numberOfValues`` counts what is not NULL. Before HIVE-8732 (writer version 1) the least and greatest texts were not in
the order of UTF-8; other writers than Java's begin with version 6. The double of a stripe that begins with NaN is NaN,
and says nothing. Reference: ``orc_proto.proto`` and the ORC specification v1; ``OrcUtils.toCatalystSchema`` of Spark.
Errors: ``Malformed``, ``Unclear``.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from .bounds import Bounds, Known, between
from .footer import Column, Footer
from .listing import Unclear
from .protobuf import Message, data_of, messages, number, numbers, read_message, signed
from .thrift import Malformed
from .unpack import unpacked

MAGIC = b"ORC"
MOST_TAIL, MOST_UNPACKED = 8_000_000, 8_000_000
_CODECS = {0: "", 1: "deflate", 2: "snappy", 3: "lzo", 4: "lz4", 5: "zstd"}
_TYPES = {
    0: "boolean", 1: "tinyint", 2: "smallint", 3: "int", 4: "bigint", 5: "float", 6: "double", 7: "string",
    9: "timestamp", 14: "decimal", 15: "date",
}  # fmt: skip
_STRUCT = 12
_SPARK_TYPE = b"spark.sql.catalyst.type"
_INTEGERS, _DOUBLES, _TEXTS, _DAYS = 2, 3, 4, 7
_STATISTICS = {
    "tinyint": _INTEGERS, "smallint": _INTEGERS, "int": _INTEGERS, "bigint": _INTEGERS, "float": _DOUBLES,
    "double": _DOUBLES, "string": _TEXTS, "date": _DAYS,
}  # fmt: skip
"""Of a type, the field of ``ColumnStatistics`` that its least and greatest values are in."""


def read_footer(file: BinaryIO, size: int) -> tuple[Footer, int]:
    """The footer of a file of ``size`` bytes, and how many bytes were read."""
    if size < 16:
        raise Malformed("it is too short for an ORC file")
    file.seek(size - 1)
    length = file.read(1)[0]
    if length > size - 4:
        raise Malformed("it is no whole ORC file")
    file.seek(size - 1 - length)
    end = read_message(file.read(length))
    if data_of(end, 8000) != MAGIC:
        raise Malformed("it is no whole ORC file")
    footer, metadata = number(end, 1) or 0, number(end, 5) or 0
    if footer + metadata > size - 4 - length or footer + metadata > MOST_TAIL:
        raise Malformed("its footer is longer than the file, or than what is read")
    file.seek(size - 1 - length - footer - metadata)
    data = file.read(footer + metadata)
    codec = _CODECS.get(number(end, 2) or 0)
    if codec is None:
        raise Unclear("its footer is compressed by a codec that is not read")
    said = read_message(_whole(codec, data[metadata:]))
    stripes = list(messages(read_message(_whole(codec, data[:metadata])), 1))
    return _footer(said, stripes, number(end, 6) or 0), footer + metadata + length + 1


def _whole(codec: str, data: bytes) -> bytes:
    """The chunks of a part of the file together; each has three bytes in front, for its length and whether it is as it
    was."""
    if not codec:
        return data
    found, at = bytearray(), 0
    while at < len(data):
        head = int.from_bytes(data[at : at + 3], "little")
        chunk = data[at + 3 : at + 3 + (head >> 1)]
        if len(chunk) != head >> 1:
            raise Malformed("a part of it is cut off")
        found += chunk if head & 1 else unpacked(codec, chunk, MOST_UNPACKED - len(found))
        at += 3 + len(chunk)
    return bytes(found)


def _footer(said: Message, stripes: list[Message], version: int) -> Footer:
    if said.get(10):
        raise Unclear("it is encrypted")
    groups = [number(s, 5) or 0 for s in messages(said, 3)]
    rows = number(said, 6) or 0
    if rows != sum(groups):
        raise Malformed("its stripes have another number of rows than the file")
    statistics = [list(messages(s, 1)) for s in stripes]
    if len(stripes) != len(groups):  # none, or not of all
        groups, statistics = [rows], [list(messages(said, 7))]
    ordered = version >= (1 if (number(said, 9) or 0) == 0 else 6)
    types = list(messages(said, 4))
    if not types or number(types[0], 1) != _STRUCT:
        raise Malformed("its rows have no columns")
    names, places = [_text(n) for n in types[0].get(3, [])], list(numbers(types[0], 2))
    if len(names) != len(places) or any(not 0 < place < len(types) for place in places):
        raise Malformed("its schema is no tree")
    if names and all(name.startswith("_col") for name in names):
        raise Unclear("its columns have no names, and Spark goes by their place")
    columns = []
    for name, place in zip(names, places, strict=True):
        ddl = _type(types[place])
        of_column = [s[place] if place < len(s) else {} for s in statistics]
        known = tuple(_known(ddl, s, n, ordered) for s, n in zip(of_column, groups, strict=True))
        nulls = [k.nulls for k in known]
        columns.append(Column(name, ddl, None if None in nulls else sum(n or 0 for n in nulls), known))
    return Footer(tuple(columns), rows, tuple(groups))


def _type(said: Message) -> str:
    """The type that Spark reads. In the attributes it says of its own files which one that is: a text, a moment without
    a time zone, an interval; of any other word the type is not known."""
    kind = number(said, 1)
    plain = _TYPES.get(0 if kind is None else kind, "unknown")
    own = [(data_of(a, 1), data_of(a, 2)) for a in messages(said, 7)]
    return plain if not own or own == [(_SPARK_TYPE, plain.encode())] else "unknown"


def _known(ddl: str, said: Message, rows: int, ordered: bool) -> Known:
    """What a stripe of so many ``rows`` says of a column."""
    values, null = number(said, 1), number(said, 10)
    if values is None:
        return Known()
    if values > rows:
        raise Malformed("a column has more values than there are rows")
    if null is not None and bool(null) != (values < rows):
        return Known()
    return Known(rows - values, _bounds(ddl, said) if ordered else None, text_bytes=_text_bytes(ddl, said))


def _text_bytes(ddl: str, said: Message) -> int | None:
    """``StringStatistics.sum``; writers may leave it out, or not."""
    data = data_of(said, _TEXTS) if ddl == "string" else None
    found = None if data is None else number(read_message(data), 3)
    return None if found is None or signed(found) < 0 else signed(found)


def _bounds(ddl: str, said: Message) -> Bounds | None:
    field = _STATISTICS.get(ddl)
    data = data_of(said, field) if field is not None else None
    if data is None:
        return None
    found = read_message(data)
    if field == _TEXTS:  # a text that was cut off is in another field
        low, high = (data_of(found, n) if n in found else data_of(found, n + 3) for n in (1, 2))
        return between(ddl, _decoded(low), _decoded(high))
    if field == _DOUBLES:
        return between(ddl, *(_double(data_of(found, n)) for n in (1, 2)))
    ends = [number(found, n) for n in (1, 2)]
    return None if None in ends else between(ddl, *(signed(n or 0) for n in ends))


def _double(data: bytes | None) -> float | None:
    return struct.unpack("<d", data)[0] if data is not None and len(data) == 8 else None


def _decoded(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _text(value: int | bytes) -> str:
    found = _decoded(value) if isinstance(value, bytes) else None
    if found is None:
        raise Malformed("a name is none")
    return found
