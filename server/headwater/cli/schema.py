"""``headwater schema``: what it believes the schemas are, and from where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, prepare, say_problem

if TYPE_CHECKING:
    from headwater_ir.plan import Schema


def schema(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file.", exists=True, dir_okay=False)],
) -> None:
    """Show the schema of every frame variable, as far as the source says."""
    from headwater.engine.analyse import SourceFailure, read
    from headwater.engine.files import Unreadable, read_source

    options = prepare([file], None).options
    try:
        module = read(read_source(file).text, options)
    except (Unreadable, SourceFailure) as error:
        say_problem(str(file), error.problem)
        raise typer.Exit(BAD_INPUT) from None
    if not module.frames:
        typer.echo("No frame variables found.")
    for name, line, frame, origin in module.frames:
        typer.echo(f"{file}:{line + 1}: {name}: {_columns(frame)}   (from {origin})")


def _columns(frame: Schema) -> str:
    columns = [f"{f.name} {f.type}{'' if f.nullable else ' not null'}" for f in frame.fields]
    if not frame.complete:
        columns.append("…" if columns else "unknown")
    return ", ".join(columns)
