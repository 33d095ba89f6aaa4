"""Finding and reading source files: the text that Python itself would read, or one clear line why there is none."""

from __future__ import annotations

import codecs
import io
import os
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .positions import Lines
from .report import SourceProblem

MAX_BYTES = 5_000_000
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})


class Unreadable(Exception):
    """The file is not a source text; ``problem`` is the line to show."""

    def __init__(self, problem: SourceProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class SourceFile:
    """A text and how it was stored, so that it can be written back the same way."""

    text: str
    encoding: str
    bom: bool
    data: bytes

    def encode(self, text: str) -> bytes:
        """``text`` in this file's encoding; UnicodeEncodeError if it has no place there."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)


def discover(paths: Iterable[Path]) -> list[Path]:
    """The Python files of ``paths``: files as given, directories searched; each file once, in a stable order.

    Hidden directories, caches, virtual environments and ``node_modules`` are left out unless named themselves. Links to
    directories are followed, but no directory is entered twice.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            for child in _walk(path, set()):
                found.setdefault(child)
        else:
            found.setdefault(path)
    unique: dict[Path, Path] = {}
    for path in found:
        unique.setdefault(path.resolve(), path)
    return list(unique.values())


def _walk(directory: Path, entered: set[Path]) -> Iterator[Path]:
    real = directory.resolve()
    if real in entered:
        return
    entered.add(real)
    try:
        entries = sorted(os.scandir(directory), key=lambda e: e.name)
    except OSError:
        return
    for entry in entries:
        path = directory / entry.name
        if _is_directory(entry):
            if not _skipped(path):
                yield from _walk(path, entered)
        elif entry.name.endswith(".py") and path.exists():
            yield path


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _skipped(directory: Path) -> bool:
    name = directory.name
    return name.startswith(".") or name in _SKIPPED or (directory / "pyvenv.cfg").exists()


def read_source(path: Path) -> SourceFile:
    """The text of ``path``; ``Unreadable`` if it is none."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise Unreadable(SourceProblem(f"the file is too large ({size:,} bytes; the limit is {MAX_BYTES:,})"))
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(SourceProblem(f"cannot be read: {error.strerror or error}")) from None
    return decode_source(data)


def decode_source(data: bytes) -> SourceFile:
    """``data`` as Python would decode it: a byte order mark, a coding cookie (PEP 263), else UTF-8."""
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0].replace("utf-8-sig", "utf-8")
    except SyntaxError as error:
        encoding = "utf-8"
        if not _undecodable(body, encoding):
            raise Unreadable(SourceProblem(f"unknown encoding: {error.msg}")) from None
    problem = _undecodable(body, encoding)
    if problem:
        raise Unreadable(problem)
    return SourceFile(body.decode(encoding), encoding, bom, data)


def _undecodable(body: bytes, encoding: str) -> SourceProblem | None:
    try:
        body.decode(encoding)
    except UnicodeDecodeError as error:
        readable = body[: error.start].decode(encoding, "replace")
        at = Lines(readable).position(len(readable))
        message = f"not {encoding.upper()}: byte 0x{body[error.start]:02x} at offset {error.start}"
        return SourceProblem(message, at.line, at.character)
    except (UnicodeError, LookupError) as error:
        return SourceProblem(f"cannot be decoded as {encoding}: {error}")
    return None
