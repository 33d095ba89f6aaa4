"""``headwater schema``: what it believes the schemas are, and from where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, prepare, printable, say_problem

if TYPE_CHECKING:
    from headwater_ir.plan import Schema


def schema(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file.", exists=True, dir_okay=False)],
) -> None:
    """Show the schema of every frame variable, as far as the source says."""
    from headwater.engine.files.service import read_frames
    from headwater.engine.report.report import SourceProblem
    from headwater.engine.workers.isolated import WorkerLost
    from headwater.engine.workers.pool import run

    options = prepare([file], None).options
    (answer,) = run(read_frames, [(file.absolute(), options)], 1, options.file_seconds)
    if isinstance(answer, (SourceProblem, WorkerLost)):
        say_problem(str(file), SourceProblem(str(answer)) if isinstance(answer, WorkerLost) else answer)
        raise typer.Exit(BAD_INPUT)
    for said in answer.notes:
        typer.echo(printable(f"{file}: {said}"), err=True)
    if not answer.frames:
        typer.echo("No frame variables found.")
    for name, line, frame, origin in answer.frames:
        typer.echo(printable(f"{file}:{line + 1}: {name}: {_columns(frame)}   (from {origin})"))


def _columns(frame: Schema) -> str:
    columns = [f"{f.name} {f.type}{'' if f.nullable else ' not null'}" for f in frame.fields]
    if not frame.complete:
        columns.append("…" if columns else "unknown")
    return ", ".join(columns)
