"""Finding and reading source files: the text that Python itself would read, or one clear line why there is none."""

from __future__ import annotations

import codecs
import io
import os
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.engine.report.positions import Lines
from headwater.engine.report.report import SourceProblem

from .jupyter import MAX_BYTES as MAX_NOTEBOOK_BYTES
from .jupyter import SUFFIX as NOTEBOOK
from .jupyter import decode_notebook
from .regular_file import TooLarge, read_regular
from .source_file import SourceFile, Unreadable

if TYPE_CHECKING:
    from .gitignore import Rules

__all__ = [
    "SourceFile",
    "Unreadable",
    "decode_source",
    "discover",
    "read_source",
]

MAX_BYTES = 5_000_000
_SUFFIXES = (".py", NOTEBOOK)
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})
_CHARSETS = re.compile(
    r"utf-8|ascii|(iso8859|cp|koi8|kz|ptcp|hp|tis|mac)-?\w+|big5(hkscs)?|gbk|gb2312|gb18030|(shift|euc)_\w+|johab"
)
"""Encodings that are character sets. Python would also read source through UTF-7, Punycode or string escapes, in which
the code is not what an editor shows."""
_ASCII = bytes(range(32, 127))


def discover(
    paths: Iterable[Path], gitignore: bool = True, enter: Callable[[Path], bool] = lambda directory: True
) -> list[Path]:
    """The Python files and notebooks of ``paths``: files as given, directories searched; each once, in a stable order.

    Hidden directories, caches, virtual environments and ``node_modules`` are left out unless named themselves, and so
    is what git ignores (with ``gitignore``) and every directory that ``enter`` is not for. Links are followed as long
    as they stay inside the directory that is searched, and no directory is entered twice.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            for child in _walk(path, gitignore, enter):
                found.setdefault(child)
        else:
            found.setdefault(path)
    unique: dict[Path, Path] = {}
    for path in found:
        unique.setdefault(path.resolve(), path)
    return list(unique.values())


def _walk(top: Path, gitignore: bool, enter: Callable[[Path], bool]) -> Iterator[Path]:
    from .gitignore import rules_of

    root = top.resolve()
    entered: set[Path] = set()
    waiting = [(top, rules_of(top) if gitignore else None)]
    while waiting:
        path, rules = waiting.pop()
        if path.name.endswith(_SUFFIXES) and not path.is_dir():
            yield path
            continue
        real = path.resolve()
        if real in entered or not (path == top or enter(path)):
            continue
        entered.add(real)
        if rules is not None and path != top:
            rules = rules.below(path)
        entries = sorted(_entries(path, root, rules), key=lambda p: p.name, reverse=True)
        waiting += [(entry, rules) for entry in entries]


def _entries(directory: Path, root: Path, rules: Rules | None) -> Iterator[Path]:
    """What to look at in ``directory``: its files to read and the directories to enter."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        path = directory / entry.name
        try:
            if entry.is_symlink() and not path.resolve(strict=True).is_relative_to(root):
                continue
            inner = entry.is_dir()
            wanted = not _skipped(path) if inner else entry.name.endswith(_SUFFIXES)
        except (OSError, RuntimeError):  # a link to nowhere, or to itself
            continue
        if wanted and not (rules is not None and rules.ignores(entry.name, inner)):
            yield path


def _skipped(directory: Path) -> bool:
    name = directory.name
    return name.startswith(".") or name in _SKIPPED or (directory / "pyvenv.cfg").exists()


def read_source(path: Path) -> SourceFile:
    """The text of ``path``; ``Unreadable`` if it is none."""
    notebook = path.suffix == NOTEBOOK
    try:
        data = read_regular(path, MAX_NOTEBOOK_BYTES if notebook else MAX_BYTES)
    except TooLarge as error:
        raise Unreadable(SourceProblem(f"the file is too large ({error})")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise Unreadable(SourceProblem(f"cannot be read: {reason or error}")) from None
    return decode_notebook(data) if notebook else decode_source(data)


def decode_source(data: bytes) -> SourceFile:
    """``data`` as Python would decode it: a byte order mark, a coding cookie (PEP 263), else UTF-8."""
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    encoding = _encoding(data, body)
    problem = _undecodable(body, encoding)
    if problem:
        raise Unreadable(problem)
    return SourceFile(body.decode(encoding), encoding, bom, data)


def _encoding(data: bytes, body: bytes) -> str:
    try:
        named = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        encoding = codecs.lookup(named).name.replace("utf-8-sig", "utf-8")
    except (SyntaxError, LookupError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        if len(body) < len(data):
            message = f"the coding cookie contradicts the byte order mark: {message}"
        raise Unreadable(_undecodable(body, "utf-8") or SourceProblem(message)) from None
    if not _CHARSETS.fullmatch(encoding) or _ASCII.decode(encoding, "replace") != _ASCII.decode("ascii"):
        raise Unreadable(SourceProblem(f"source in {encoding} is not read"))
    return encoding


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
