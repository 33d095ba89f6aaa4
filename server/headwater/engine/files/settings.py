"""``[tool.headwater]`` of the workspace's ``pyproject.toml``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

from .regular_file import read_regular
from .version_specifiers import is_understood

MAX_BYTES = 1_000_000
MAX_SECONDS = 3600.0
MOST_STEPS = 10_000_000
"""A dotted name takes its parser the square of its parts: 20,000 of them hold an editor up for ten seconds."""
MAX_MEGABYTES = 4096.0
SEVERITIES = ("error", "warning", "information", "hint", "off")

_KNOWN = frozenset(
    """schemas assumePure severity include exclude timeoutSeconds workers gitignore bounded baseline fileTimeoutSeconds
    fileMemoryMegabytes targetSpark eventLog showAll""".split()
)


class SettingsError(Exception):
    """The settings say something that is not a setting; the message has the file and the key."""


@dataclass(frozen=True)
class Settings:
    """What the workspace asks for. ``include`` and ``exclude`` are patterns on paths relative to the workspace.

    ``gitignore``: leave out what git ignores, by default so; ``bounded``: the quick check only; ``show_all``: as in
    ``Options``; ``baseline``: a file of known findings; ``file_seconds`` and ``file_memory``: what one file may take,
    in seconds of wall time and bytes;
    ``target_spark``: the versions of Spark that the code runs on, as a requirement; ``event_log``: where Spark's event
    logs lie.
    """

    root: Path | None = None
    schemas: Mapping[str, str] = field(default_factory=dict)
    assume_pure: frozenset[str] = frozenset()
    severity: Mapping[str, str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    timeout_seconds: float | None = None
    workers: int | None = None
    gitignore: bool | None = None
    bounded: bool | None = None
    show_all: bool | None = None
    baseline: Path | None = None
    file_seconds: float | None = None
    file_memory: int | None = None
    target_spark: str | None = None
    event_log: Path | None = None

    def enters(self, directory: Path) -> bool:
        """Whether to look for files in ``directory``; not if all that lies there is excluded."""
        relative = self._relative(directory)
        whole = (p.removesuffix("*").removesuffix("/*") for p in self.exclude if p.endswith(("/*", "/**")))
        return relative is None or not any(_matches(relative, p.removesuffix("/")) for p in whole)

    def wants(self, path: Path) -> bool:
        """Whether a file that a directory search found is to be looked at."""
        relative = self._relative(path)
        if relative is None:
            return True
        if self.include and not any(_matches(relative, p) for p in self.include):
            return False
        return not any(_matches(relative, p) for p in self.exclude)

    def _relative(self, path: Path) -> str | None:
        """``path`` as the patterns see it; None if they say nothing of it."""
        if self.root is None:
            return None
        try:
            return path.resolve().relative_to(self.root).as_posix()
        except ValueError:
            return None


def _matches(relative: str, pattern: str) -> bool:
    """Whether a path fits a pattern as editors write them: ``**/`` also stands for no directory at all."""
    return any(fnmatch(relative, p) for p in (pattern, pattern.removeprefix("**/"), pattern.replace("**/", "")))


def load_settings(start: Path) -> Settings:
    """The settings of the nearest ``pyproject.toml`` with a ``[tool.headwater]`` table, from ``start`` upwards."""
    start = start.resolve()
    for directory in (start, *start.parents) if start.is_dir() else start.parents:
        path = directory / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            if table is not None:
                return _Reader(path, table).settings()
    return Settings()


def settings_of(table: dict[str, Any], root: Path) -> Settings:
    """The same settings from an editor, for the folder ``root``; ``SettingsError`` names the key."""
    return _Reader(root / "settings", table, of_user=True).settings()


def merged(first: Settings, second: Settings) -> Settings:
    """What ``first`` says, and where it says nothing, ``second``."""
    said: dict[str, Any] = {f.name: getattr(first, f.name) for f in fields(Settings)}
    values: dict[str, Any] = {name: value for name, value in said.items() if value or value is False}
    return replace(second, **values)


def _table(path: Path) -> dict[str, Any] | None:
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8")
        if "headwater" not in text:
            return None
        data = _toml(text)
    except (OSError, ValueError, ImportError, RecursionError) as error:
        raise SettingsError(f"{path}: {_reason(error)}") from None
    tool = data.get("tool")
    table = tool.get("headwater") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def read_schemas(path: Path) -> Any:
    """What a file for ``headwater.schemas`` holds: TOML if its name ends so, else JSON. Raises OSError, ValueError or
    RecursionError if it cannot be read."""
    text = read_regular(path, MAX_BYTES).decode("utf-8")
    return _toml(text) if path.suffix.lower() == ".toml" else json.loads(text)


def _toml(text: str) -> dict[str, Any]:
    if sum(line.count(".") ** 2 for line in text.splitlines()) > MOST_STEPS:
        raise ValueError("a name has too many parts")
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    values: dict[str, Any] = toml.loads(text)
    return values


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


class _Reader:
    """``of_user``: the table is the user's own, and no file of the workspace."""

    def __init__(self, path: Path, table: dict[str, Any], of_user: bool = False) -> None:
        self.path, self.table, self.of_user = path, table, of_user

    def settings(self) -> Settings:
        for key in sorted(self.table.keys() - _KNOWN):
            raise self.error(key, f"is no setting; there are {', '.join(sorted(_KNOWN))}")
        severity = self.texts("severity")
        for code, value in severity.items():
            if value not in SEVERITIES:
                raise self.error(f"severity.{code}", f"must be one of {', '.join(SEVERITIES)}")
        workers = self.number("workers", os.cpu_count() or 1)
        megabytes = self.number("fileMemoryMegabytes", MAX_MEGABYTES)
        return Settings(
            root=self.path.parent,
            schemas=self.schemas(),
            assume_pure=frozenset(self.names("assumePure")),
            severity=severity,
            include=self.names("include"),
            exclude=self.names("exclude"),
            timeout_seconds=self.number("timeoutSeconds", MAX_SECONDS),
            workers=None if workers is None else max(1, int(workers)),
            gitignore=self.flag("gitignore"),
            bounded=self.flag("bounded"),
            show_all=self.flag("showAll"),
            baseline=self.inside("baseline"),
            file_seconds=self.number("fileTimeoutSeconds", MAX_SECONDS),
            file_memory=None if megabytes is None else int(megabytes * 2**20),
            target_spark=self.versions("targetSpark"),
            event_log=self.event_log(),
        )

    def error(self, key: str, problem: str) -> SettingsError:
        return SettingsError(f"{self.path}: [tool.headwater] {key} {problem}")

    def number(self, key: str, most: float) -> float | None:
        """More than ``most`` means ``most``: a workspace decides how to use this machine, not how to wear it out."""
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            raise self.error(key, "must be a positive number")
        return float(min(value, most))

    def flag(self, key: str) -> bool | None:
        value = self.table.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.error(key, "must be true or false")
        return value

    def versions(self, key: str) -> str | None:
        value = self.table.get(key)
        if value is not None and not (isinstance(value, str) and is_understood(value)):
            raise self.error(key, 'must be versions of Spark, such as "4.0" or ">=3.5,<4.2"')
        return value

    def event_log(self) -> Path | None:
        """A directory; a workspace may only name one of its own, for the server reads it unasked."""
        value = self.table.get("eventLog")
        if not self.of_user or value is None:
            return self.inside("eventLog")
        if not isinstance(value, str) or not value or "\0" in value:
            raise self.error("eventLog", "must be a directory")
        return self.path.parent / Path(value).expanduser()

    def inside(self, key: str) -> Path | None:
        """A file of the workspace: its settings may not have another one written, nor read unasked."""
        value = self.table.get(key)
        if value is None:
            return None
        root = self.path.parent.resolve()
        if (
            not isinstance(value, str)
            or not value
            or "\0" in value
            or not (root / value).resolve().is_relative_to(root)
        ):
            raise self.error(key, "must be a file of the workspace")
        return root / value

    def names(self, key: str) -> tuple[str, ...]:
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.error(key, "must be a list of texts")
        return tuple(value)

    def texts(self, key: str) -> dict[str, str]:
        value = self.table.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise self.error(key, "must be a table of texts")
        return value

    def schemas(self) -> dict[str, str]:
        """A table of its own, or the name of a JSON or TOML file that maps tables and paths to DDL."""
        if not isinstance(self.table.get("schemas"), str):
            return self.texts("schemas")
        path = self.path.parent / self.table["schemas"]
        try:
            value = read_schemas(path)
        except (OSError, ValueError, RecursionError) as error:
            raise self.error("schemas", f"({path}) cannot be read: {_reason(error)}") from None
        self.table = {**self.table, "schemas": value}
        return self.texts("schemas")
