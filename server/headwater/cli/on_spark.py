"""``headwater scan --engine spark``: what the command line says of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from .common import Run, fail

if TYPE_CHECKING:
    from headwater.scan.limits import Limits
    from headwater.scan.result import FileResult

_Texts = Optional[list[str]]  # noqa: UP045 (typer reads it at run time)


class Engine(str, Enum):
    """Where a scan runs."""

    local = "local"
    spark = "spark"


@dataclass(frozen=True)
class Place:
    """What the command line names: a path that exists, or the URI of a place that Spark reads."""

    path: Path | None
    uri: str = ""


HERE = Place(Path())


def place(value: Any) -> Place:
    """The place of an argument."""
    from headwater.scan.uris import is_uri

    if isinstance(value, Place):
        return value
    if is_uri(str(value)):
        return Place(None, str(value))
    if not Path(str(value)).exists():
        raise typer.BadParameter(f"Path '{value}' does not exist.")
    return Place(Path(str(value)))


Master = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--master", metavar="URL", help="Spark's master [default: local\\[*]]."),
]
Tables = Annotated[
    _Texts,
    typer.Option("--table", metavar="NAME", help="With Spark: a table of path and content, or FORMAT:PLACE of one."),
]
Rows = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--rows", metavar="PLACE", help="With Spark: write a row per file, Parquet, or JSON if so named."),
]
Archives = Annotated[
    _Texts,
    typer.Option("--archives", metavar="FILE#NAME", help="With Spark: packed Python environments for the workers."),
]
Conf = Annotated[_Texts, typer.Option("--conf", metavar="KEY=VALUE", help="With Spark: a setting of Spark.")]


def results(
    run: Run,
    uris: Sequence[str],
    cached: bool,
    limits: Limits,
    wants: Callable[[str], bool],
    master: str | None,
    tables: Sequence[str],
    rows: str | None,
    archives: Sequence[str],
    conf: Sequence[str],
) -> Iterator[tuple[int, FileResult]]:
    """The results of the scan; one line and exit code 2 if Spark does not run."""
    from headwater.scan.spark.engine import CannotStart, Cluster, Inputs, scan_on_spark
    from headwater.scan.spark.task import Task

    settings = dict(_pair(text) for text in conf)
    sent = tuple(map(_absolute, archives))
    written = None if rows is None else _absolute(rows)
    progress = sys.stderr.isatty() and len(run.files) < 2  # else there is a bar of ours
    cluster = Cluster(master or "local[*]", sent, settings, written, progress)
    inputs = Inputs([p.absolute() for p in run.files], uris, [_table(name) for name in tables], wants)
    try:
        task = Task(replace(run.options, data_root=None), limits, cached, len(run.files))
        for index, result in scan_on_spark(cluster, task, inputs):
            yield index, _named(run, index, result)
    except CannotStart as error:
        fail(str(error))


def _absolute(place: str) -> str:
    """A place as Spark understands it, which does not run in this directory."""
    return place if "://" in place else str(Path(place).absolute())


def _table(name: str) -> str:
    form, sign, place = name.partition(":")
    return f"{form}:{_absolute(place)}" if sign else name


def _named(run: Run, index: int, result: FileResult) -> FileResult:
    """As the user named the file."""
    from headwater.scan.result import placed

    return placed(result, str(run.files[index])) if index < len(run.files) else result


def patterns(include: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    """Which files under a URI are looked at."""

    def wants(relative: str) -> bool:
        return (not include or any(fnmatch(relative, p) for p in include)) and not any(
            fnmatch(relative, p) for p in exclude
        )

    return wants


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not (key and sign):
        raise typer.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--conf")
    return key, value
