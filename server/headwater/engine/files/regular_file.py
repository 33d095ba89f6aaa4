"""Reading a regular file, up to a limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class TooLarge(OSError):
    """The file has more bytes than anybody wants to read."""


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file; OSError for anything else. Never waits, as reading a pipe would."""
    if not stat.S_ISREG(path.stat().st_mode):  # a device may already mind being opened
        raise OSError("not a regular file")
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as stream:  # noqa: PTH123
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("not a regular file")
        data = stream.read(limit + 1)
        if len(data) > limit:
            raise TooLarge(f"{max(status.st_size, len(data)):,} bytes; the limit is {limit:,}")
    return data
