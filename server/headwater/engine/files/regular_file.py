"""Reading a regular file, up to a limit."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path


class TooLarge(OSError):
    """The file has more bytes than anybody wants to read."""


def open_regular(path: Path) -> io.BufferedReader:
    """A regular file, open to be read; OSError for anything else. Never waits, as opening a pipe would."""
    if not stat.S_ISREG(path.stat().st_mode):  # a device may already mind being opened
        raise OSError("not a regular file")
    stream = open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")  # noqa: PTH123, SIM115
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError("not a regular file")
    return stream


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file, as ``open_regular`` opens it; TooLarge if it has more than ``limit``."""
    with open_regular(path) as stream:
        data = stream.read(limit + 1)
        if len(data) > limit:
            size = os.fstat(stream.fileno()).st_size
            raise TooLarge(f"{max(size, len(data)):,} bytes; the limit is {limit:,}")
    return data
