"""The records of an Avro object container file, by the schema that it has in itself.

A record is a dictionary from the ``field-id`` of a field, as Iceberg writes it, else its name, to its value; an array
of pairs that is said to be a map is one. Everything is bounded by the bytes given, and by ``MOST_VALUES``. Errors:
``Malformed``, ``Unclear``. Reference: the Avro specification 1.11; appendix A of the Iceberg table spec.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

from .listing import Budget, Unclear
from .protobuf import signed, varint
from .thrift import Malformed
from .unpack import unpacked

MAGIC = b"Obj\1"
MOST_UNPACKED, MOST_VALUES = 16_000_000, 2_000_000
_CODECS = {"null": "", "deflate": "deflate", "zstandard": "zstd", "snappy": "snappy"}
_WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError, struct.error)
_HEADER = {"type": "map", "values": "bytes"}


def read_records(data: bytes, budget: Budget) -> tuple[dict[str, bytes], list[Any]]:
    """What the header says, and the records."""
    if data[:4] != MAGIC:
        raise Malformed("it is no Avro file")
    try:
        return _records(data, budget)
    except _WRONG:
        raise Malformed("it is no whole Avro file") from None


def _records(data: bytes, budget: Budget) -> tuple[dict[str, bytes], list[Any]]:
    file = _Reader(data, {})
    file.at = 4
    header: dict[str, bytes] = file.value(_HEADER)
    schema = json.loads(header["avro.schema"])
    name = header.get("avro.codec", b"null").decode()
    if (codec := _CODECS.get(name)) is None:
        raise Unclear(f"it is compressed by {name}, which is not read")
    sync = file.taken(16)
    names: dict[str, Any] = {}
    found, left, size = list[Any](), MOST_VALUES, 0
    while file.at < len(data):
        budget.spend()
        count, length = file.long(), file.long()
        block = _Reader(_whole(codec, file.taken(length), MOST_UNPACKED - size), names, left)
        size += len(block.data)
        if not 0 <= count <= len(block.data):
            raise Malformed("it has more records than bytes")
        found += [block.value(schema) for _ in range(count)]
        left = block.left
        if block.at != len(block.data) or file.taken(16) != sync:
            raise Malformed("a block of it does not end where it should")
    return header, found


def _whole(codec: str, data: bytes, most: int) -> bytes:
    if codec != "snappy":
        return unpacked(codec, data, most) if codec else data
    found = unpacked(codec, data[:-4], most)
    if zlib.crc32(found) != int.from_bytes(data[-4:], "big"):
        raise Malformed("the checksum of a block is another one")
    return found


class _Reader:
    def __init__(self, data: bytes, names: dict[str, Any], left: int = MOST_VALUES) -> None:
        self.data, self.at, self.names, self.left = data, 0, names, left

    def taken(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.at:
            raise Malformed("it ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def long(self) -> int:
        value, self.at = varint(self.data, self.at)
        return signed(value)

    def value(self, schema: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise Malformed("it has more values than are read")
        if isinstance(schema, list):
            return self.value(schema[self._choice(len(schema))])
        if isinstance(schema, dict):
            return self._composed(schema)
        match schema:
            case "null":
                return None
            case "boolean":
                return self.taken(1) != b"\0"
            case "int" | "long":
                return self.long()
            case "float" | "double":
                return struct.unpack("<f" if schema == "float" else "<d", self.taken(4 if schema == "float" else 8))[0]
            case "bytes":
                return self.taken(self.long())
            case "string":
                return self.taken(self.long()).decode("utf-8")
        return self._composed(self.names[schema])

    def _choice(self, of: int) -> int:
        found = self.long()
        if not 0 <= found < of:
            raise Malformed("a choice is none")
        return found

    def _composed(self, schema: dict[str, Any]) -> Any:
        kind = schema["type"]
        if "name" in schema:
            self.names[schema["name"]] = schema
        match kind:
            case "record":
                return {f.get("field-id", f["name"]): self.value(f["type"]) for f in schema["fields"]}
            case "array":
                items = self._items(schema["items"])
                if schema.get("logicalType") != "map":
                    return items
                return dict(tuple(item.values()) for item in items)
            case "map":
                entry = {
                    "type": "record",
                    "fields": [{"name": 0, "type": "string"}, {"name": 1, "type": schema["values"]}],
                }
                return {item[0]: item[1] for item in self._items(entry)}
            case "fixed":
                return self.taken(schema["size"])
            case "enum":
                return schema["symbols"][self._choice(len(schema["symbols"]))]
        return self.value(kind)

    def _items(self, schema: Any) -> list[Any]:
        found = list[Any]()
        while count := self.long():
            if count < 0:
                count = -count
                self.long()
            if count > len(self.data) - self.at:
                raise Malformed("a list is longer than what is left")
            found += [self.value(schema) for _ in range(count)]
        return found
