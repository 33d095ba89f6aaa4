"""Structures in Thrift's compact protocol, as dictionaries from the number of a field to its value.

Everything is bounded by the bytes given: a list of booleans takes a byte each, all else at least as much. Errors:
``Malformed`` for what is no structure. Reference: ``doc/specs/thrift-compact-protocol.md`` of Apache Thrift.
"""

from __future__ import annotations

import struct
from typing import Any

MOST_NESTED = 64
_STOP, _TRUE, _FALSE = 0, 1, 2
_INTEGERS = (4, 5, 6)


class Malformed(Exception):
    """The bytes are not what they should be."""


def read_struct(data: bytes) -> dict[int, Any]:
    """The structure that ``data`` begins with."""
    return _Reader(data).struct(0)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise Malformed("it ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def taken(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise Malformed("it ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise Malformed("a number is too long")

    def signed(self) -> int:
        value = self.unsigned()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int) -> dict[int, Any]:
        if depth > MOST_NESTED:
            raise Malformed("it is nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while (head := self.byte()) != _STOP:
            number = number + (head >> 4) if head >> 4 else self.signed()
            kind = head & 0x0F
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if kind in _INTEGERS:
            return self.signed()
        match kind:
            case 1 | 2:  # in a list each has a byte of its own
                return self.byte() == _TRUE
            case 3:
                return self.byte()
            case 7:
                return struct.unpack("<d", self.taken(8))[0]
            case 8:
                return self.taken(self.unsigned())
            case 9 | 10:
                return self.listed(depth)
            case 12:
                return self.struct(depth + 1)
        raise Malformed(f"type {kind} of Thrift is not read")

    def listed(self, depth: int) -> list[Any]:
        head = self.byte()
        count = head >> 4
        if count == 15:
            count = self.unsigned()
        if count > len(self.data) - self.at:
            raise Malformed("a list is longer than what is left")
        if depth > MOST_NESTED:
            raise Malformed("it is nested too deeply")
        return [self.value(head & 0x0F, depth + 1) for _ in range(count)]
