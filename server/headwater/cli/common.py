"""What several sub-commands share: parameters, progress, the way errors are said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, Optional

import typer

from headwater.engine.report.printable import printable as printable

if TYPE_CHECKING:
    from headwater.engine.analysis.options import Options
    from headwater.engine.files.cache import Cache
    from headwater.engine.files.settings import Settings
    from headwater.engine.report.report import SourceProblem
    from headwater.scan.result import FileResult

FOUND, BAD_INPUT = 1, 2
DEFAULT_TIMEOUT = 10.0

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Files or directories; by default the current directory.", exists=True),
]
Timeout = Annotated[
    Optional[float],  # noqa: UP045 (typer reads it at run time)
    typer.Option(
        "--timeout",
        metavar="S",
        min=0.01,
        help=f"Processor seconds for one proof, by default {DEFAULT_TIMEOUT:g}.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache.")]
NoData = Annotated[
    bool, typer.Option("--no-data", help="Do not look at the data files of the workspace that the code names.")
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=0, help="Worker processes; 0: one per core.")]


@dataclass(frozen=True)
class Run:
    """What to analyse, and how."""

    files: list[Path]
    options: Options
    workers: int
    settings: Settings


@dataclass(frozen=True)
class Which:
    """Which files the command line asks for, beside the paths: patterns, and what git knows."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool | None = None
    since: str | None = None
    force_exclude: bool = False


def prepare(
    paths: list[Path],
    timeout: float | None,
    jobs: int = 1,
    bounded: bool = False,
    which: Which = Which(),
    show_all: bool = False,
    data: bool = True,
) -> Run:
    """The files and options of this run: the workspace's settings, and the command line where it says more.
    ``show_all`` as in ``Options``; ``data``: whether data files of the workspace may be looked at."""
    from headwater.engine.analysis.options import Options
    from headwater.engine.files.settings import SettingsError, load_settings
    from headwater.engine.files.targets import targets_at

    start = paths[0] if paths else Path()
    try:
        settings = load_settings(start)
    except SettingsError as error:
        fail(str(error))
    stated = targets_at(start, settings)
    for problem in stated.problems:
        typer.echo(printable(f"Warning: {problem}; every version of Spark is taken for a target"), err=True)
    files = _files(paths, settings, which)
    options = Options(
        timeout_seconds=timeout or settings.timeout_seconds or DEFAULT_TIMEOUT,
        bounded=bounded,
        schemas=settings.schemas,
        assume_pure=settings.assume_pure,
        severity=settings.severity,
        show_all=show_all or settings.show_all is True,
        targets=stated.targets,
        data_root=str(_workspace(start, settings)) if data else None,
    )
    wanted = jobs or settings.workers or os.cpu_count() or 1
    return Run(files, options, max(1, min(wanted, len(files))), settings)


def _workspace(start: Path, settings: Settings) -> Path:
    """Where paths of data begin: where the settings lie, else the current directory, if ``start`` lies in it."""
    here, start = Path.cwd().resolve(), start.resolve()
    return settings.root or (here if start.is_relative_to(here) else start if start.is_dir() else start.parent)


def _files(paths: list[Path], settings: Settings, which: Which) -> list[Path]:
    from headwater.engine.files.discovery import discover

    if which.include or which.exclude:
        root = settings.root or Path.cwd().resolve()
        exclude = (*settings.exclude, *which.exclude)
        settings = replace(settings, root=root, include=which.include or settings.include, exclude=exclude)
    gitignore = settings.gitignore is not False if which.gitignore is None else which.gitignore
    named = set() if which.force_exclude else {p.resolve() for p in paths}
    files = [p for p in discover(paths, gitignore, settings.enters) if p.resolve() in named or settings.wants(p)]
    if which.since is None:
        return files
    from headwater.scan.since import SinceError, changed_since

    try:
        changed = changed_since(which.since, paths)
    except SinceError as error:
        fail(str(error))
    return [path for path in files if path.resolve() in changed]


def make_cache(no_cache: bool) -> Cache | None:
    """The cache on disk, or None."""
    from headwater.engine.files.cache import Cache

    return None if no_cache else Cache()


def fail(message: str) -> NoReturn:
    """Say why the command cannot run, and leave with exit code 2."""
    typer.echo(printable(f"Error: {message}"), err=True)
    raise typer.Exit(BAD_INPUT)


def say_problem(path: str, problem: SourceProblem) -> None:
    """One line about a file that could not be analysed."""
    from headwater.scan.json_report import error_line

    typer.echo(printable(error_line(path, problem)), err=True)


def with_progress(results: Iterable[tuple[int, FileResult]], total: int) -> Iterator[tuple[int, FileResult]]:
    """The results as they come, under a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty() or total < 2:
        yield from results
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Scanning"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, TextColumn("{task.fields[at]}", markup=False), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task("scan", total=total, at="")
        for index, result in results:
            progress.update(task, advance=1, at=printable(result["file"]["path"]))
            yield index, result
