"""The text of an event log, whatever it is compressed with, as its first bytes tell.

Spark writes zstd, LZ4 in the blocks of lz4-java, Snappy in the chunks of snappy-java, and LZF, which is not read; gzip
is what people make of old logs. pyarrow decompresses the first three, where it is installed beside the server.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from typing import IO, Any

MOST_OF_A_BLOCK = 64 << 20
"""Bytes of one block of LZ4 or chunk of Snappy; Spark writes 32 KiB, lz4-java at most 32 MiB."""
_LZ4_RAW, _LZ4_COMPRESSED = 0x10, 0x20
_SNAPPY_HEADER = b"\x82SNAPPY\0"


class NotReadable(Exception):
    """Why there is no text."""


def text_of(data: io.BufferedReader) -> io.BufferedReader:
    """The decompressed text of a log; NotReadable. Reading broken data raises ``OSError``, ``EOFError``, ``ValueError``
    or ``zlib.error``."""
    start = data.read(8)
    data.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.GzipFile(fileobj=data))
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return io.BufferedReader(_zstd(data))
    if start == b"LZ4Block":
        return io.BufferedReader(_Blocks(data, _lz4_block))
    if start == _SNAPPY_HEADER:
        return io.BufferedReader(_Blocks(data, _snappy_chunk))
    if start.startswith(b"ZV"):
        raise NotReadable("LZF is not read; Spark writes zstd with `spark.eventLog.compression.codec=zstd`")
    if start and not start.startswith(b"{"):
        raise NotReadable("not an event log")
    return data


def _zstd(data: IO[bytes]) -> io.RawIOBase:
    pyarrow = _pyarrow()
    stream: io.RawIOBase = pyarrow.CompressedInputStream(pyarrow.PythonFile(data, mode="r"), "zstd")
    return stream


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise NotReadable("compressed logs need pyarrow: pip install pyarrow") from None
    return pyarrow


class _Blocks(io.RawIOBase):
    """Blocks, one at a time; ``following`` gives the next, or nothing at the end."""

    def __init__(self, data: IO[bytes], following: Callable[[IO[bytes]], bytes | None]) -> None:
        _pyarrow()
        self._data, self._following = data, following
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            block = self._following(self._data)
            if block is None:
                return 0
            self._left = memoryview(block)
        target = memoryview(buffer).cast("B")
        count = min(len(target), len(self._left))
        target[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


def _exactly(data: IO[bytes], count: int) -> bytes:
    if count > MOST_OF_A_BLOCK:
        raise ValueError("a block is too large")
    found = data.read(count)
    if len(found) < count:
        raise EOFError("the end is missing")
    return found


def _lz4_block(data: IO[bytes]) -> bytes | None:
    """``LZ4Block``, a token, the lengths and a checksum; a block of length 0 ends a stream, after which another one may
    begin."""
    head = data.read(21)
    if not head:
        return None
    if len(head) < 21:
        raise EOFError("the end is missing")
    packed, unpacked = (int.from_bytes(head[at : at + 4], "little") for at in (9, 13))
    if not head.startswith(b"LZ4Block") or unpacked > MOST_OF_A_BLOCK:
        raise ValueError("a block is broken")
    payload = _exactly(data, packed)
    if head[8] & 0xF0 == _LZ4_RAW:
        return payload
    if head[8] & 0xF0 != _LZ4_COMPRESSED:
        raise ValueError("a block is broken")
    return _decompressed("lz4_raw", payload, unpacked)


def _snappy_chunk(data: IO[bytes]) -> bytes | None:
    """A length and a chunk, which begins with the length that it has unpacked; headers may stand between."""
    head = data.read(4)
    while head == _SNAPPY_HEADER[:4]:
        _exactly(data, 12)
        head = data.read(4)
    if not head:
        return None
    if len(head) < 4:
        raise EOFError("the end is missing")
    payload = _exactly(data, int.from_bytes(head, "big"))
    unpacked = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(_varint(payload)))
    if unpacked > MOST_OF_A_BLOCK:
        raise ValueError("a block is too large")
    return _decompressed("snappy", payload, unpacked)


def _varint(payload: bytes) -> bytes:
    end = next((i for i, byte in enumerate(payload[:5]) if byte < 0x80), None)
    if end is None:
        raise ValueError("a block is broken")
    return payload[: end + 1]


def _decompressed(codec: str, payload: bytes, size: int) -> bytes:
    found: bytes = _pyarrow().Codec(codec).decompress(payload, size, asbytes=True)
    return found
