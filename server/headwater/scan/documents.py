"""What is written of a scan: certificates beside it, and the document in JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.files.cache import write_atomically

from .json_report import whole
from .result import FileResult


@dataclass(frozen=True)
class Scan:
    """What every report is made of. ``known``: findings that a baseline holds, which are not among the results."""

    results: Sequence[FileResult]
    seconds: float
    options: Options = field(default_factory=Options)
    known: int = 0

    @property
    def spark_files(self) -> int:
        """How many files mention Spark."""
        return sum(r["spark"] for r in self.results)

    @property
    def filters(self) -> int:
        """How many filters of PySpark code the files have."""
        return sum(r["filters"] for r in self.results)

    @property
    def unread(self) -> int:
        """How many files could not be read and are no errors, for they do not mention Spark."""
        return sum(r["unread"] for r in self.results)


def json_text(scan: Scan) -> str:
    """The document of docs/report.schema.json, in ASCII, so that no terminal's encoding makes it something else."""
    files = [r["file"] for r in scan.results]
    return json.dumps(whole(files, scan.spark_files, scan.filters, scan.seconds), indent=2) + "\n"


def with_certificates(results: Sequence[FileResult], directory: Path) -> list[FileResult]:
    """The results with the paths of their certificates, which are written into ``directory``."""
    return [_with_certificates(result, directory) for result in results]


def _with_certificates(result: FileResult, directory: Path) -> FileResult:
    if not any(result["certificates"]):
        return result
    file = result["file"]
    paths = [
        _write(o["id"], text, directory) for o, text in zip(file["opportunities"], result["certificates"], strict=True)
    ]
    named = [{**o, "certificate": path} for o, path in zip(file["opportunities"], paths, strict=True)]
    return {**result, "file": {**file, "opportunities": named}}


def _write(id: str, text: str | None, directory: Path) -> str | None:
    """The path of the certificate's file, or None if there is no certificate or no place for it."""
    if text is None:
        return None
    path = directory / f"{id}.json"
    try:
        write_atomically(path, text.encode("ascii"))
    except OSError:
        return None
    return str(path)
