"""What was found before, by content: the same text under the same tool and options is never analysed twice.

An entry is one JSON file in the codec's format. It is written to a temporary name and renamed, so that two processes
may share the directory; whatever cannot be read back exactly is deleted and computed again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache as once
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from headwater.engine.analysis.options import Options
from headwater.engine.report.report import Report
from headwater_ir.codec import CodecError, dumps, loads

from .regular_file import TooLarge, read_regular

FORMAT = "3"
MAX_BYTES = 50_000_000
ENV = "HEADWATER_CACHE_DIR"
_SHORT, _HELD = 200, 8000
"""Of so many keys of less characters, which are asked for again and again, it is kept where their entries are."""
T = TypeVar("T")


def default_directory() -> Path:
    """The directory from the environment, or the platform's own for caches."""
    named = os.environ.get(ENV)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("headwater", appauthor=False))


class Entries:
    """Values of the IR on disk, each under a text of its own. A directory that cannot be used makes every look-up a
    miss, never an error."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()  # workers live elsewhere
        self._paths: dict[tuple[str, str], Path] = {}

    def load(self, key: str, expected: type[T]) -> T | None:
        """What was stored under ``key``, if it can be read back exactly."""
        path = self._path(key)
        try:
            seal, _, text = read_regular(path, MAX_BYTES).decode("ascii").partition("\n")
            if seal != _seal(text):
                raise ValueError("the entry is not what was written")
            return loads(text, expected)
        except (CodecError, ValueError, RecursionError, TooLarge):
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        except OSError:
            return None

    def store(self, key: str, value: object) -> None:
        """Keep ``value`` under ``key``."""
        try:
            text = dumps(value)
        except (TypeError, ValueError, RecursionError):
            return
        try:
            write_atomically(self._path(key), f"{_seal(text)}\n{text}".encode("ascii"))
        except OSError:
            return

    def _path(self, key: str) -> Path:
        build = fingerprint()
        known = self._paths.get((build, key))
        if known is None:
            text = "\0".join((FORMAT, build, key))
            name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            known = self.directory / name[:2] / f"{name}.json"
            if len(key) < _SHORT:
                self._paths[build, key] = known
            if len(self._paths) > _HELD:
                self._paths.clear()
        return known


class Cache:
    """Reports by text and options."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = (directory or default_directory()).absolute()
        self._reports = Entries(self.directory / "reports")

    def load(self, source: str, options: Options) -> Report | None:
        """The report of an earlier run, if there is a sound one."""
        return self._reports.load(_key(source, options), Report)

    def store(self, source: str, options: Options, report: Report) -> None:
        """Keep ``report``, unless it says that time ran out: the next run may have more of it."""
        if not any(s.obstruction == "time-out" for s in report.skipped):
            self._reports.store(_key(source, options), report)


def _key(source: str, options: Options) -> str:
    return f"{options.key()}\0{source}"


def _seal(text: str) -> str:
    """A digest of the entry: one that still decodes after a bit has flipped would pass for proved."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@once
def fingerprint() -> str:
    """What decides about results besides text and options: the versions, and the code itself, for it changes between
    releases as well."""
    import headwater
    import headwater_ir

    parts = [f"z3 {_version('z3-solver')}", f"headwater {_version('headwater')}"]
    for package in (headwater, headwater_ir):
        for root in package.__path__:
            for path in sorted(Path(root).rglob("*.py")):
                status = path.stat()
                parts.append(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "?"


def write_atomically(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace ``path`` by ``data`` in one step: readers see the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
