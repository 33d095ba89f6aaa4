"""The files that Spark reads for a path, up to limits.

Law: names that begin with ``_`` or ``.`` are hidden, unless they begin with ``_`` and hold ``=``; a directory
``name=value`` is a value of the partition column ``name``; below a path all files are as deep. Where another directory
stands among them, nothing is said. Reference: ``HadoopFSUtils.shouldFilterOutPathName`` and
``PartitioningUtils.parsePartitions`` of Spark. Errors: ``Unclear`` with the reason why nothing is said of the path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

MOST_FILES, MOST_ENTRIES = 1000, 20_000


class Unclear(Exception):
    """Why the files of a path say nothing."""


@dataclass(frozen=True)
class Listed:
    """A file, and the values of the directories above it, below the path that is read."""

    path: Path
    values: tuple[tuple[str, str], ...]


class Budget:
    """What one look at the data of a text may cost: entries of directories, files, bytes and seconds."""

    def __init__(self, clock: Callable[[], float], seconds: float, most_bytes: int) -> None:
        self._clock, self._end = clock, clock() + seconds
        self.entries, self.files, self.bytes = MOST_ENTRIES, MOST_FILES, most_bytes

    def spend(self, entries: int = 0, files: int = 0, bytes: int = 0) -> None:
        """Take so much of it; ``Unclear`` if that is more than there is."""
        self.entries, self.files, self.bytes = self.entries - entries, self.files - files, self.bytes - bytes
        if self.entries < 0 or self.files < 0 or self.bytes < 0:
            raise Unclear(f"there is more than is looked at ({MOST_FILES:,} files, {MOST_ENTRIES:,} directory entries)")
        if self._clock() > self._end:
            raise Unclear("to look at it takes too long")


def files_of(path: Path, root: Path, budget: Budget) -> tuple[Listed, ...]:
    """The files that a read of ``path``, a file or a directory, gives Spark; none of them lies outside of ``root``."""
    if path.is_file():
        budget.spend(files=1)
        return (Listed(inside(path, root), ()),)
    found = tuple(sorted(_below(path, root, (), budget), key=lambda f: f.path))
    if len({tuple(n for n, _ in f.values) for f in found}) > 1:
        raise Unclear("its files are not all below the same partition columns")
    return found


def inside(path: Path, root: Path) -> Path:
    """``path`` without links; ``Unclear`` if it leads out of ``root``."""
    real = path.resolve()
    if not real.is_relative_to(root):
        raise Unclear("it leads out of the workspace")
    return real


def _below(path: Path, root: Path, values: tuple[tuple[str, str], ...], budget: Budget) -> Iterator[Listed]:
    with os.scandir(inside(path, root)) as entries:
        for entry in entries:
            budget.spend(entries=1)
            if _is_hidden(entry.name):
                continue
            if entry.is_dir():
                name, equals, value = entry.name.partition("=")
                if not equals or not name or len(values) > 20:
                    raise Unclear(f"it holds the directory `{entry.name}`, which is no value of a partition column")
                more = (*values, (unquote(name), unquote(value)))
                yield from _below(Path(entry.path), root, more, budget)
            else:
                budget.spend(files=1)
                yield Listed(inside(Path(entry.path), root), values)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name) or name.endswith("._COPYING_")
