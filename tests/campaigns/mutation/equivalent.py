"""The mutants that no test can kill, each with the argument: ``equivalent.toml``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from .operators import Mutant

FILE = Path(__file__).with_name("equivalent.toml")
Key = tuple[str, str, str, str, int]


class Equivalents:
    """Which mutants are known to be equivalent."""

    def __init__(self, arguments: dict[Key, str]) -> None:
        self._arguments = arguments

    @classmethod
    def load(cls, path: Path = FILE) -> Equivalents:
        """Read the file. ValueError for an entry without an argument or one that is there twice."""
        found: dict[Key, str] = {}
        toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
        for group in toml.loads(path.read_text("utf-8")).get("equivalent", []):
            for change in group["changes"]:
                before, after = change[:2]
                key = (group["file"], group["scope"], before, after, change[2] if len(change) > 2 else 0)
                if key in found or len(group["because"].split()) < 5:
                    raise ValueError(f"{key}: twice, or without an argument")
                found[key] = group["because"]
        return cls(found)

    def __contains__(self, key: Key) -> bool:
        return key in self._arguments

    def unused(self, survived: Iterable[Mutant], files: list[str]) -> list[Key]:
        """Entries that no surviving mutant of ``files`` (all, if empty) corresponds to."""
        alive = {m.key for m in survived}
        return [k for k in self._arguments if k not in alive and (not files or k[0] in files)]
