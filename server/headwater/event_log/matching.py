"""Which costs belong to which files: a log names the files of the machine that ran the program.

A file and a path of a log belong together if each shares more of its end with the other than with anything else: of the
files that are scanned, and of the paths of that log. If two share as much, neither is taken. And the text must have
every call that the log has of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePath

from .model import Application, Cost, Logs
from .spark_calls import Call


@dataclass(frozen=True)
class Measured:
    """The cost of the jobs of a finding in its last run, the log of which calls it ``application``; ``runs``: of how
    many runs there are logs that have it."""

    application: str
    day: str
    runs: int
    cost: Cost


class Measurements:
    """The costs of ``files``, by what ``logs`` say; both by name, and the name of a file is the one it was given."""

    def __init__(self, logs: Logs, files: Iterable[str]) -> None:
        names = {_parts(name): name for name in files}
        self._runs: dict[str, list[tuple[Application, str]]] = defaultdict(list)
        for run in sorted(logs.applications, key=lambda a: (a.started, a.name)):
            for name, path in _pairs(names, {site.path for site in run.costs}):
                self._runs[name].append((run, path))

    def know(self, file: str) -> bool:
        """Whether a run has jobs of a file with this path."""
        return file in self._runs

    def of(self, file: str, calls: Sequence[Call], all: Set[Call]) -> Measured | None:
        """What the jobs of ``calls`` took together in the last run that has one of them. ``all``: the calls of the
        file's text. A run that has jobs of other calls was one of another text, whose lines mean something else."""
        found = []
        for run, path in self._runs.get(file, ()):
            sites = {(site.method, site.line): cost for site, cost in run.costs.items() if site.path == path}
            cost = sum((sites[call] for call in calls if call in sites), Cost())
            if cost.jobs and sites.keys() <= all:
                found.append((run, cost))
        if not found:
            return None
        run, cost = found[-1]
        return Measured(run.name, run.day, len(found), cost)


def _parts(path: str) -> tuple[str, ...]:
    """The parts of a path, the last one first."""
    return tuple(part for part in reversed(PurePath(path.replace("\\", "/")).parts) if part != ".")


def _pairs(files: dict[tuple[str, ...], str], paths: set[str]) -> list[tuple[str, str]]:
    """The pairs of a file and a path that belong together."""
    ends: dict[str, tuple[list[tuple[str, ...]], list[str]]] = defaultdict(lambda: ([], []))
    for parts in files:
        if parts:
            ends[parts[0]][0].append(parts)
    for path in paths:
        if (parts := _parts(path)) and parts[0] in ends:
            ends[parts[0]][1].append(path)
    found = []
    for here, there in ends.values():
        for path in there:
            file = _closest(_parts(path), here)
            if file is not None and _closest(file, [_parts(p) for p in there]) == _parts(path):
                found.append((files[file], path))
    return found


def _closest(to: tuple[str, ...], among: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The one that shares the longest beginning with ``to``, None if several do."""
    shared = sorted(((_common(to, parts), parts) for parts in among), reverse=True)
    if not shared or (len(shared) > 1 and shared[0][0] == shared[1][0]):
        return None
    return shared[0][1]


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
