"""``headwater scan``: find opportunities."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from . import on_spark
from .common import (
    BAD_INPUT,
    FOUND,
    Jobs,
    NoCache,
    NoData,
    Run,
    Timeout,
    Which,
    fail,
    prepare,
    printable,
    with_progress,
)
from .on_spark import Engine
from .reporting import Format, write

if TYPE_CHECKING:
    from headwater.event_log.model import Logs
    from headwater.scan.limits import Limits
    from headwater.scan.result import FileResult

INTERRUPTED = 130
MOST_PROBLEMS = 10
"""Lines about event logs that are printed."""
_Texts = Optional[list[str]]  # noqa: UP045 (typer reads it at run time)
_Places = Annotated[
    list[on_spark.Place],
    typer.Argument(
        metavar="PATH",
        help="Files or directories, by default the current directory; with Spark also URIs.",
        parser=on_spark.place,
        show_default=False,
    ),
]


def scan(
    paths: _Places = [on_spark.HERE],  # noqa: B006
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print what is found.")] = Format.text,
    jobs: Jobs = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there.")] = None,
    bounded: Annotated[
        bool, typer.Option("--bounded", help="Only the quick check on small tables: no proofs.")
    ] = False,
    show_all: Annotated[
        bool, typer.Option("--all", help="Report findings too of kinds that no benchmark has shown to gain.")
    ] = False,
    include: Annotated[_Texts, typer.Option(metavar="PATTERN", help="Only files like this.")] = None,
    exclude: Annotated[_Texts, typer.Option(metavar="PATTERN", help="No files like this.")] = None,
    gitignore: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option("--gitignore/--no-gitignore", help="Leave out what git ignores, which is the default."),
    ] = None,
    force_exclude: Annotated[
        bool, typer.Option("--force-exclude", help="Leave out excluded files even if they are named.")
    ] = False,
    since: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(metavar="REV", help="Only files that changed since this revision, as git tells."),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Report only what is not in this file.", dir_okay=False)
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write what is found into the baseline.")
    ] = False,
    event_log: Annotated[
        Path | None,
        typer.Option(
            "--event-log", metavar="DIR", help="Spark's event logs: findings by what their jobs took in earlier runs."
        ),
    ] = None,
    timeout: Timeout = None,
    file_timeout: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(metavar="S", min=0.1, help="Seconds of wall time for one file."),
    ] = None,
    file_memory: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(metavar="MB", min=256, help="Megabytes of address space for one file."),
    ] = None,
    no_cache: NoCache = False,
    no_data: NoData = False,
    engine: Annotated[Engine, typer.Option("--engine", help="Where the scan runs.")] = Engine.local,
    master: on_spark.Master = None,
    table: on_spark.Tables = None,
    rows: on_spark.Rows = None,
    archives: on_spark.Archives = None,
    conf: on_spark.Conf = None,
) -> None:
    """Find work in PySpark code that nobody needs, with proof.

    Exit code 1 if there are any (with a baseline: new ones), 2 if a file that mentions Spark could not be read; the
    rest is reported all the same.
    """
    from headwater.scan.documents import Scan
    from headwater.scan.limits import Limits

    start = time.perf_counter()
    if output is not None and not output.absolute().parent.is_dir():
        fail(f"the directory of {output} does not exist")
    which = Which(tuple(include or ()), tuple(exclude or ()), gitignore, since, force_exclude)
    uris = [p.uri for p in paths if p.uri]
    if engine is Engine.local and (uris or master or table or rows or archives or conf):
        fail(f"{uris[0] if uris else '--master, --table, --rows, --archives and --conf'}: only with --engine spark")
    here = [p.path for p in paths if p.path is not None and not (table and p.path == Path())]
    run = prepare(here, timeout, jobs, bounded, which, show_all, not no_data)
    run = replace(run, options=replace(run.options, bounded=bounded or run.settings.bounded is True))
    baseline = baseline or run.settings.baseline
    if update_baseline and (baseline is None or since is not None):
        fail(
            "--update-baseline needs --baseline" if baseline is None else "--update-baseline needs a scan of all files"
        )
    logs = _logs(event_log or run.settings.event_log)
    limits = Limits(
        file_timeout or run.settings.file_seconds or run.options.file_seconds,
        file_memory * 2**20 if file_memory else run.settings.file_memory or Limits.memory,
    )
    if engine is Engine.spark:
        wants = on_spark.patterns(which.include, which.exclude)
        results = on_spark.results(
            run, uris, not no_cache, limits, wants, master, table or (), rows, archives or (), conf or ()
        )
    else:
        results = _local(run, no_cache, limits)
    done = _collect(results, len(run.files))
    known = _compare(done, baseline, update_baseline)
    if logs is not None:
        from headwater.scan.measured import with_costs

        done.results = with_costs(done.results, logs)
    seconds = time.perf_counter() - start
    write(format, Scan(done.results, seconds, run.options, known), output)
    if done.interrupted:
        typer.echo(f"Interrupted: {len(done.results)} of {len(run.files)} files were scanned.", err=True)
        raise typer.Exit(INTERRUPTED)
    if any(r["problem"] for r in done.results):
        raise typer.Exit(BAD_INPUT)
    if any(r["file"]["opportunities"] for r in done.results):
        raise typer.Exit(FOUND)


def _logs(place: Path | None) -> Logs | None:
    """The event logs, and a line on standard error for each that cannot be read."""
    if place is None:
        return None
    from headwater.engine.workers.isolated import WorkerLost
    from headwater.engine.workers.pool import run
    from headwater.event_log.limits import LIMITS
    from headwater.event_log.reading import read_or_problem

    (logs,) = run(read_or_problem, [(place.absolute(),)], 1, 2 * LIMITS.seconds)
    if isinstance(logs, WorkerLost):
        fail(f"{place}: the event logs cannot be read: {logs}")
    if isinstance(logs, str):
        fail(logs)
    for problem in logs.problems[:MOST_PROBLEMS]:
        typer.echo(printable(f"Warning: {problem}"), err=True)
    if len(logs.problems) > MOST_PROBLEMS:
        typer.echo(f"Warning: {len(logs.problems) - MOST_PROBLEMS:,} more event logs have problems", err=True)
    return logs


@dataclass
class _Done:
    """Results in the order of the files. ``interrupted``: some are missing."""

    results: list[FileResult]
    interrupted: bool


def _local(run: Run, no_cache: bool, limits: Limits) -> Iterator[tuple[int, FileResult]]:
    from headwater.engine.files.cache import default_directory
    from headwater.scan.local import scan_files
    from headwater.scan.store import Store

    store = None if no_cache else Store(default_directory())
    return scan_files(run.files, run.options, store, run.workers, limits)


def _collect(results: Iterator[tuple[int, FileResult]], total: int) -> _Done:
    """The results as long as they come, and until somebody stops us."""
    found: dict[int, FileResult] = {}
    interrupted = False
    try:
        with _terminable():
            for index, result in with_progress(results, total):
                found[index] = result
    except KeyboardInterrupt:
        interrupted = True
    return _Done([found[index] for index in sorted(found)], interrupted)


@contextmanager
def _terminable() -> Iterator[None]:
    """Being asked to end is being interrupted."""
    import signal

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _compare(done: _Done, path: Path | None, update: bool) -> int:
    """Leave only new findings in ``done``; the answer is how many others there are."""
    if path is None:
        return 0
    from headwater.scan.baseline import BaselineError, new_only, read_baseline, write_baseline

    try:
        known = read_baseline(path) if path.exists() or not update else []
        if update and not done.interrupted:
            written = write_baseline(path, done.results, known)
            typer.echo(printable(f"{path}: {written} findings are the baseline now."), err=True)
            known = read_baseline(path)
        compared = new_only(done.results, known)
    except BaselineError as error:
        fail(str(error))
    done.results = compared.results
    return compared.known
