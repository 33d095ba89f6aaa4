"""Blocks that are compressed, up to a size. Deflate is Python's, LZ4 and LZO are ours; Snappy and zstd are pyarrow's,
where it is installed.

Errors: ``Unclear`` for what cannot be unpacked here, ``Malformed`` for what is broken or greater than said.
"""

from __future__ import annotations

import io
import zlib

from .listing import Unclear
from .lz_blocks import of_lz4, of_lzo
from .protobuf import varint
from .thrift import Malformed


def unpacked(codec: str, data: bytes, most: int) -> bytes:
    """``data`` without its compression (``deflate`` without a header, ``snappy`` without chunks, ``zstd``,
    ``lz4`` and ``lzo`` without frames)."""
    if codec == "lz4":
        return of_lz4(data, most)
    if codec == "lzo":
        return of_lzo(data, most)
    if codec == "deflate":
        try:
            stream = zlib.decompressobj(-zlib.MAX_WBITS)
            found = stream.decompress(data, most + 1)
        except zlib.error:
            raise Malformed("a part of it cannot be unpacked") from None
        whole = stream.eof
    else:
        found, whole = _by_pyarrow(codec, data, most), True
    if len(found) > most or not whole:
        raise Malformed("a part of it is cut off, or longer than what is read")
    return found


def _by_pyarrow(codec: str, data: bytes, most: int) -> bytes:
    try:
        import pyarrow
    except ImportError:
        raise Unclear(f"it is compressed by {codec}, which is unpacked where pyarrow is installed") from None
    try:
        if codec == "snappy":
            size, _ = varint(data, 0)
            if size > most:
                raise Malformed("a part of it is longer than what is read")
            return bytes(pyarrow.Codec("snappy").decompress(data, size, asbytes=True))
        with pyarrow.CompressedInputStream(pyarrow.PythonFile(io.BytesIO(data), mode="r"), codec) as stream:
            return bytes(stream.read(most + 1))
    except (pyarrow.ArrowException, OSError, ValueError):
        raise Malformed("a part of it cannot be unpacked") from None
