"""What a Spark task does: files in, results out. Every file is analysed in a process beside the task, which it may
crash, exhaust or keep busy for too long without the task's failing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.engine.analysis.options import Options
from headwater.engine.files.imports import placed
from headwater.engine.report.report import SourceProblem
from headwater.engine.workers.isolated import Worker, WorkerLost
from headwater.scan.limits import Limits, scan_within
from headwater.scan.result import FileResult, failed

if TYPE_CHECKING:
    import pandas as pd

FOUND = (
    "id string, code string, name string, kind string, status string, message string, line bigint, operator string, "
    "`function` string, `filter` string, prefilter string, prefilter_sql string, residual string"
)
RESULT = (
    "`index` bigint, path string, error string, lines bigint, seconds double, "
    f"opportunities array<struct<{FOUND.replace(' string', ': string').replace(' bigint', ': bigint')}>>, result string"
)
"""A row per file. ``result`` is the whole result as JSON; the other columns are for people who query."""

_WORKER = Worker()
"""Of this process; Spark uses it for one task after the other."""


@dataclass(frozen=True)
class Task:
    """What is the same for every file. ``cached``: proofs may be kept in the cache of the machine that finds them.
    ``local``: so many files, the first ones, lie on this machine; what they import is read where a worker sees it."""

    options: Options
    limits: Limits
    cached: bool
    local: int = 0

    def over(self) -> Callable[[Iterable[pd.DataFrame]], Iterator[pd.DataFrame]]:
        """What ``mapInPandas`` wants."""

        def scan(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
            return self.batches(batches)

        return scan

    def batches(self, batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """``index``, ``path`` and ``content`` in, ``RESULT`` out."""
        import pandas as pd

        names = [part.split()[0].strip("`") for part in RESULT.split(", opportunities")[0].split(", ")]
        for batch in batches:
            rows = zip(batch["index"], batch["path"], batch["content"], strict=True)
            results = [(int(index), self.one(int(index), str(path), bytes(content))) for index, path, content in rows]
            yield pd.DataFrame(
                [as_row(index, result) for index, result in results], columns=[*names, "opportunities", "result"]
            )

    def one(self, index: int, path: str, content: bytes) -> FileResult:
        """The result of one file, whatever it does to the process that looks at it."""
        options = placed(Path(path), self.options) if index < self.local else self.options
        try:
            result, worn = _WORKER.call(
                self.limits.seconds, scan_within, self.limits.memory, path, content, options, self._verdicts()
            )
        except WorkerLost as lost:
            return failed(path, SourceProblem(str(lost)), content)
        if worn:
            _WORKER.close()
        return result

    def _verdicts(self) -> Path | None:
        from headwater.engine.files.cache import default_directory

        return default_directory().absolute() if self.cached else None


def as_row(index: int, result: FileResult) -> dict[str, Any]:
    """One row."""
    file = result["file"]
    found = zip(file["opportunities"], result["shown"], strict=True)
    return {
        "index": index,
        "path": file["path"],
        "error": file["error"],
        "lines": result["lines"],
        "seconds": result["seconds"],
        "opportunities": [_found(o, s["message"]) for o, s in found],
        "result": json.dumps(result, separators=(",", ":")),
    }


def _found(o: dict[str, Any], message: str) -> dict[str, Any]:
    residual = o["residual"]
    return {
        **{key: o[key] for key in ("id", "code", "name", "kind", "status")},
        "message": message,
        "line": o["filter"]["range"]["start"]["line"] + 1,
        "operator": o["boundary"]["operator"],
        "function": o["boundary"]["function"],
        "filter": o["filter"]["text"],
        "prefilter": o["prefilter"]["text"],
        "prefilter_sql": o["prefilter"]["sql"],
        "residual": None if residual is None else residual["text"],
    }
