"""Results of earlier scans, by content: a file that is known is neither parsed nor proved again, whatever its name."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.files.cache import Entries
from headwater.engine.files.jupyter import SUFFIX as NOTEBOOK

from .result import FileResult, placed


@dataclass(frozen=True)
class Stored:
    """A result as it is stored: JSON, for a place that has no name."""

    text: str


class Store:
    """Results under content, options and, as for every entry, the version of the tool. Processes may share it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        self._entries = Entries(self.directory / "results")

    def load(self, path: str, content: bytes, options: Options) -> FileResult | None:
        """The result of an earlier scan, for a file named ``path``."""
        stored = self._entries.load(_key(path, content, options), Stored)
        if stored is None:
            return None
        result: FileResult = json.loads(stored.text)
        return placed(result, path)

    def store(self, path: str, content: bytes, options: Options, result: FileResult) -> None:
        """Keep ``result``, unless it says that time ran out: the next run may have more of it."""
        if not any(s["obstruction"] == "time-out" for s in result["file"]["skipped"]):
            text = json.dumps(placed(result, ""), separators=(",", ":"))
            self._entries.store(_key(path, content, options), Stored(text))


def _key(path: str, content: bytes, options: Options) -> str:
    digest = hashlib.sha256(content).hexdigest()
    return f"{options.key()}\0{path.endswith(NOTEBOOK)}\0{digest}"
