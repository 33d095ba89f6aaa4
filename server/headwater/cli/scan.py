"""``headwater scan``: find opportunities."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    BAD_INPUT,
    FOUND,
    Jobs,
    NoCache,
    Paths,
    Timeout,
    fail,
    make_cache,
    prepare,
    say_problem,
    with_progress,
)

if TYPE_CHECKING:
    from rich.console import Console

    from headwater.engine.service import FileReport


class Format(str, Enum):
    """The output formats."""

    text = "text"
    json = "json"


def scan(
    paths: Paths = [Path()],  # noqa: B006
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print what is found.")] = Format.text,
    jobs: Jobs = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there.")] = None,
    bounded: Annotated[
        bool, typer.Option("--bounded", help="Only the quick check on small tables: no proofs.")
    ] = False,
    timeout: Timeout = None,
    no_cache: NoCache = False,
) -> None:
    """Find filters that can run earlier, with proof.

    Exit code 1 if there are any, 2 if a file could not be analysed; the rest is reported all the same.
    """
    from headwater.engine.pool import analyse_files

    start = time.perf_counter()
    if output is not None and not output.absolute().parent.is_dir():
        fail(f"the directory of {output} does not exist")
    run = prepare(paths, timeout, jobs, bounded)
    reports: list[FileReport] = []
    for report in with_progress(
        analyse_files(run.files, run.options, make_cache(no_cache), run.workers), len(run.files)
    ):
        if report.report.error is not None and format is Format.text:
            say_problem(report.path, report.report.error)
        reports.append(report)
    seconds = time.perf_counter() - start
    _write(_as_json(reports, seconds, output) if format is Format.json else None, reports, seconds, output)
    if any(r.report.error for r in reports):
        raise typer.Exit(BAD_INPUT)
    if any(r.report.opportunities for r in reports):
        raise typer.Exit(FOUND)


def _as_json(reports: list[FileReport], seconds: float, output: Path | None) -> str:
    from headwater.engine.cache import default_directory
    from headwater.engine.json_report import render

    directory = (
        output.absolute().parent / f"{output.stem}-certificates" if output else default_directory() / "certificates"
    )
    return render(reports, seconds, directory)


def _write(text: str | None, reports: list[FileReport], seconds: float, output: Path | None) -> None:
    """Print the report (``text`` if it is ready, else the one for people), or put it into ``output``."""
    import io

    from .render import console_for

    stream = io.StringIO() if output is not None else None
    if text is None:
        _show(console_for(stream), reports, seconds)
    elif output is None:
        typer.echo(text, nl=False)
    if output is not None and stream is not None:
        from headwater.engine.cache import write_atomically

        data = (text or stream.getvalue()).encode("utf-8", "backslashreplace")
        try:
            write_atomically(output, data, 0o644)
        except OSError as error:
            fail(f"cannot write {output}: {error.strerror}")


def _show(console: Console, reports: list[FileReport], seconds: float) -> None:
    """The report for people."""
    from .render import plural, show_file

    for report in reports:
        show_file(console, report)
    found = [o for r in reports for o in r.report.opportunities]
    proved = sum(o.status == "verified" and bool(o.edits) for o in found)
    scanned = f"{plural(len(reports), 'file')}, {seconds:.1f} s"
    if not found:
        console.print(f"Nothing found in {scanned}.")
        return
    fixable = f", {proved} with a proved rewrite: run `headwater fix`" if proved else ""
    console.print(f"{plural(len(found), 'opportunity', 'opportunities')} in {scanned}{fixable}.")
