"""A baseline: findings that are known, so that a check fails on new ones only.

A finding is known by its id, which speaks of what was found and not of where it stands: moved lines, and a moved file,
leave it known; a second copy of it is new.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.engine.files.cache import write_atomically
from headwater.engine.files.regular_file import read_regular

from .result import FileResult

VERSION = 1
MAX_BYTES = 50_000_000


class BaselineError(Exception):
    """The file is no baseline, or cannot be written; the text says why."""


@dataclass(frozen=True, order=True)
class BaselineEntry:
    """One finding. ``path`` and ``code`` are for people, and tell which entries a scan of a part may replace."""

    path: str
    code: str
    id: str


@dataclass(frozen=True)
class Compared:
    """Results with new findings only; how many others were ``known``, and how many of the baseline were not found."""

    results: list[FileResult]
    known: int
    gone: int


def read_baseline(path: Path) -> list[BaselineEntry]:
    """The findings in the file ``path``."""
    try:
        document = json.loads(read_regular(path, MAX_BYTES).decode("utf-8"))
        if document["version"] != VERSION:
            raise BaselineError(f"{path} is a baseline of version {document['version']!r}, and not of {VERSION}")
        return [BaselineEntry(str(f["path"]), str(f["code"]), str(f["id"])) for f in document["findings"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BaselineError(f"{path} is no baseline: {type(error).__name__}: {error}") from None
    except OSError as error:
        raise BaselineError(f"{path} cannot be read: {error.strerror or error}") from None


def new_only(results: Sequence[FileResult], baseline: Sequence[BaselineEntry]) -> Compared:
    """``results`` without what the baseline knows; of equal findings it knows as many as it lists."""
    left = Counter(k.id for k in baseline)
    kept, known = [], 0
    for result in results:
        new = []
        for opportunity in result["file"]["opportunities"]:
            id = opportunity["id"]
            new.append(left[id] <= 0)
            left[id] -= not new[-1]
        known += len(new) - sum(new)
        kept.append(_only(result, new))
    return Compared(kept, known, sum(n for n in left.values() if n > 0))


def write_baseline(path: Path, results: Sequence[FileResult], before: Sequence[BaselineEntry] = ()) -> int:
    """Make the findings of ``results`` the baseline. Of those ``before``, the ones in other files stay, as long as
    there is the file. The answer is how many there are now."""
    scanned = {_name(path, r["file"]["path"]) for r in results}
    there = [k for k in before if k.path not in scanned and (path.parent / k.path).is_file()]
    found = [
        BaselineEntry(_name(path, r["file"]["path"]), o["code"], o["id"])
        for r in results
        for o in r["file"]["opportunities"]
    ]
    findings = [{"path": k.path, "code": k.code, "id": k.id} for k in sorted([*there, *found])]
    text = json.dumps({"version": VERSION, "findings": findings}, indent=2) + "\n"
    try:
        write_atomically(path, text.encode("ascii"), 0o644)
    except OSError as error:
        raise BaselineError(f"{path} cannot be written: {error.strerror or error}") from None
    return len(findings)


def _name(baseline: Path, path: str) -> str:
    """``path`` as the baseline has it: the same wherever the command is run, and wherever the checkout lies."""
    return Path(os.path.relpath(path, baseline.absolute().parent)).as_posix()


def _only(result: FileResult, wanted: Sequence[bool]) -> FileResult:
    if all(wanted):
        return result
    at = [i for i, w in enumerate(wanted) if w]
    opportunities = [result["file"]["opportunities"][i] for i in at]
    return {
        **result,
        "file": {**result["file"], "opportunities": opportunities},
        "shown": [result["shown"][i] for i in at],
        "certificates": [result["certificates"][i] for i in at],
    }
