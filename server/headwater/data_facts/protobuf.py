"""Messages of Protocol Buffers, as dictionaries from the number of a field to all of its values.

A value is a number (varint), or the bytes of what is fixed or has a length. Everything is bounded by the bytes given.
Errors: ``Malformed``. Reference: the encoding guide of Protocol Buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Union

from .thrift import Malformed

Message = dict[int, list[Union[int, bytes]]]
_FIXED = {1: 8, 5: 4}


def read_message(data: bytes) -> Message:
    """The message that ``data`` is."""
    fields: Message = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        value: int | bytes
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2 or kind in _FIXED:
            length, at = varint(data, at) if kind == 2 else (_FIXED[kind], at)
            if length > len(data) - at:
                raise Malformed("it ends too early")
            value, at = data[at : at + length], at + length
        else:
            raise Malformed(f"type {kind} of a message is not read")
        fields.setdefault(number, []).append(value)
    return fields


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at ``at``, and where it ends."""
    value = shift = 0
    while shift < 64:
        if at >= len(data):
            raise Malformed("it ends too early")
        byte, at = data[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise Malformed("a number is too long")


def signed(value: int) -> int:
    """A number that was written as ``sint32`` or ``sint64``."""
    return (value >> 1) ^ -(value & 1)


def number(message: Mapping[int, list[int | bytes]], field: int) -> int | None:
    """The number in a field, the last one if there are more; None if there is none."""
    value = message[field][-1] if message.get(field) else None
    if isinstance(value, bytes):
        raise Malformed("a number is none")
    return value


def data_of(message: Mapping[int, list[int | bytes]], field: int) -> bytes | None:
    """The bytes in a field, the last ones if there are more; None if there are none."""
    value = message[field][-1] if message.get(field) else None
    if isinstance(value, int):
        raise Malformed("a text is none")
    return value


def messages(message: Mapping[int, list[int | bytes]], field: int) -> Iterator[Message]:
    """The messages in a field."""
    for value in message.get(field, ()):
        if isinstance(value, int):
            raise Malformed("a message is none")
        yield read_message(value)


def numbers(message: Mapping[int, list[int | bytes]], field: int) -> Iterator[int]:
    """The numbers in a field, packed or not."""
    for value in message.get(field, ()):
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            found, at = varint(value, at)
            yield found
