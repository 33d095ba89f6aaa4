"""The event logs under a name: which there are, and what each says, within limits."""

from __future__ import annotations

import heapq
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from headwater.engine.files.regular_file import open_regular

from .compression import NotReadable, text_of
from .limits import LIMITS, Budget, Limits, OverLimit
from .model import Application, EventLogError, Logs
from .run import Run

MOST_NAMES = 100_000
"""Entries of a directory that are looked at."""
_ROLLED = "eventlog_v2_"
_PART = re.compile(r"events_(\d{1,9})_.*")
_COMPACT = ".compact"


def read_logs(place: Path, limits: Limits = LIMITS) -> Logs:
    """The runs whose logs lie in ``place``: a log, a directory of logs, or the directory of a rolled one. Raises
    ``EventLogError`` if there are none; a log that cannot be read is one of the problems."""
    logs, more = _found(place, limits.logs)
    applications: list[Application] = []
    problems = [f"{place}: only the newest {limits.logs:,} event logs are read"] if more else []
    budget = Budget(limits)
    for done, log in enumerate(logs):
        try:
            application, problem = _read(log, budget)
        except OverLimit as limit:
            problems.append(f"{place}: {done:,} of {len(logs):,} event logs are read: {limit}")
            break
        if application:
            applications.append(application)
        if problem and (application or problem != "not an event log" or len(logs) == 1):
            problems.append(f"{log}: {problem}")
    if not applications:
        raise EventLogError(problems[0] if problems else f"{place}: no event logs")
    return Logs(tuple(applications), tuple(problems))


def read_or_problem(place: Path, limits: Limits = LIMITS) -> Logs | str:
    """The same, for a worker process: why there are none is the answer."""
    try:
        return read_logs(place, limits)
    except EventLogError as error:
        return str(error)


def _found(place: Path, most: int) -> tuple[list[Path], bool]:
    """The newest logs, each a file or the directory of a rolled one, and whether there are more."""
    try:
        if not place.is_dir() or _is_rolled(place):
            place.stat()
            return [place], False
        times = [(path.stat().st_mtime_ns, path) for path in _entries(place) if path.is_file() or _is_rolled(path)]
    except (OSError, ValueError) as error:
        raise EventLogError(f"{place}: {_reason(error)}") from None
    return [path for _, path in heapq.nlargest(most, times)], len(times) > most


def _entries(directory: Path) -> Iterator[Path]:
    """What lies there, without what Hadoop hides."""
    for count, path in enumerate(directory.iterdir()):
        if count >= MOST_NAMES:
            raise ValueError(f"more than {MOST_NAMES:,} entries")
        if not path.name.startswith((".", "_")):
            yield path


def _is_rolled(path: Path) -> bool:
    return path.name.startswith(_ROLLED) and path.is_dir()


def _parts(log: Path) -> list[Path]:
    """The files of a log in order: those of a rolled one by number, from the last that sums up those before it."""
    if not log.is_dir():
        return [log]
    numbered = [(int(m[1]), p.name.endswith(_COMPACT), p) for p in _entries(log) if (m := _PART.fullmatch(p.name))]
    numbered.sort(key=lambda part: part[:2])
    first = max((i for i, part in enumerate(numbered) if part[1]), default=0)
    return [path for _, _, path in numbered[first:]]


def _read(log: Path, budget: Budget) -> tuple[Application | None, str]:
    """The run of ``log``, None if it is no log, and what could not be read of it."""
    run, problem = Run(budget.limits.entries), ""
    try:
        for part in _parts(log):
            problem = _read_part(part, run, budget) or problem
    except NotReadable as error:
        problem = str(error)
    except (OSError, EOFError, ValueError, MemoryError, zlib.error) as error:
        problem = f"not read to its end: {_reason(error)}"
    if not run.known:
        return None, problem or "not an event log"
    return run.finished(), problem


def _read_part(path: Path, run: Run, budget: Budget) -> str:
    """Take in one file; what is wrong with it, but for an end in the middle of a line, as a log has that is written."""
    broken = long = 0
    with open_regular(path) as data, text_of(data) as text:
        while line := text.readline(budget.limits.line):
            budget.take(len(line))
            ended = line.endswith(b"\n")
            if len(line) >= budget.limits.line and not ended:
                long += 1
                while line and not line.endswith(b"\n"):
                    line = text.readline(budget.limits.line)
                    budget.take(len(line))
            elif not run.line(line) and ended:
                broken += 1
                if broken > MOST_BROKEN and not run.known:
                    return "not an event log"
    said = [f"{broken:,} lines are broken"] if broken else []
    said += [f"{long:,} lines are longer than {budget.limits.line:,} bytes"] if long else []
    return " and ".join(said)


MOST_BROKEN = 20
"""Lines that are no events before a file is taken for none at all."""


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error) or type(error).__name__).splitlines()[0]
