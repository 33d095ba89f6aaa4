"""The scan as a whole, from a master's URL to results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headwater.scan.result import FileResult

from .job import Job
from .session import CannotStart, session
from .sources import local, read_local, reader_of, table, under
from .task import Task

__all__ = ["CannotStart", "Cluster", "Inputs", "scan_on_spark"]


@dataclass(frozen=True)
class Cluster:
    """Where Spark runs, and with what. ``rows``: where results are written as rows, by the workers."""

    master: str = "local[*]"
    archives: tuple[str, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    rows: str | None = None
    progress: bool = False


@dataclass(frozen=True)
class Inputs:
    """What to scan: files of this machine, then URIs of which ``wants`` tells the files (by the path below the URI),
    then tables."""

    paths: Sequence[Path] = ()
    uris: Sequence[str] = ()
    tables: Sequence[str] = ()
    wants: Callable[[str], bool] = lambda relative: True


def scan_on_spark(cluster: Cluster, task: Task, inputs: Inputs) -> Iterator[tuple[int, FileResult]]:
    """The result of every file with its index. CannotStart if Spark does not run, or not to the end."""
    first = 0
    with session(cluster.master, cluster.archives, cluster.conf, cluster.progress) as spark:
        job = Job(spark, task, cluster.rows)
        try:
            if inputs.paths:
                files = local(inputs.paths)
                first += len(files)
                yield from job.listed(files, read_local)
            if inputs.uris:
                files = under(spark, inputs.uris, inputs.wants, first)
                first += len(files)
                yield from job.listed(files, reader_of(spark))
            for name in inputs.tables:
                found = list(job.table(table(spark, name)))
                yield from ((first + index, result) for index, result in found)
                first += len(found)
        except CannotStart:
            raise
        except Exception as error:
            raise CannotStart(f"the Spark job failed: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """The line of a Spark error that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for line in lines:
        if "ModuleNotFoundError" in line:
            return f"{line}: install headwater[spark] on the workers, or send an environment with --archives"
    return lines[0] if lines else type(error).__name__
