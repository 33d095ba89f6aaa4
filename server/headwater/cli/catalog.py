"""``headwater catalog import``: schemas and row counts from a catalog's export."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

import typer

from .common import fail, printable

catalog = typer.Typer(help="Schemas of tables, for the setting `schemas`.", no_args_is_help=True)


@catalog.callback()
def _root() -> None:
    pass


@catalog.command("import")
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Exports, in JSON.", exists=True, dir_okay=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", dir_okay=False, help="The .json or .toml to write; names in it that no export has stay."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PATTERN", help="Tables such as `sales.*`; may be repeated."),
    ] = None,
) -> None:
    """Write schemas and row counts of tables as DDL, for the setting `schemas` of the workspace.

    Reads DESCRIBE TABLE EXTENDED of Spark (its rows as JSON objects, or AS JSON), information_schema.columns
    of Databricks, and manifest.json with catalog.json of a dbt project on Spark. It connects to nothing.
    """
    from headwater.catalog.exports import as_text, read_exports
    from headwater.catalog.model import NotAnExport
    from headwater.engine.files.cache import write_atomically
    from headwater.engine.files.settings import MAX_BYTES, read_schemas

    try:
        found = read_exports(files)
    except NotAnExport as why:
        fail(str(why))
    schemas = {n: ddl for n, ddl in found.schemas.items() if not only or any(fnmatch(n, p) for p in only)}
    for reason in found.left_out:
        typer.echo(printable(f"left out: {reason}"), err=True)
    if output is None:
        typer.echo(as_text(schemas, toml=False), nl=False)  # JSON escapes what is not to be printed
        return
    try:
        kept = read_schemas(output) if output.exists() else {}
    except (OSError, ValueError, RecursionError) as error:
        fail(f"{output} cannot be read: {error}")
    if not isinstance(kept, dict) or not all(isinstance(v, str) for v in kept.values()):
        fail(f"{output} is no table of texts")
    data = as_text({**kept, **schemas}, output.suffix.lower() == ".toml").encode()
    if len(data) > MAX_BYTES:
        fail(f"{output} would have {len(data):,} bytes; at most {MAX_BYTES:,} are read: choose tables with --only")
    try:
        write_atomically(output, data, 0o644)
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")
    stay = len(kept.keys() - schemas.keys())
    typer.echo(
        printable(f"{output}: {len(schemas)} names of tables written{f', {stay} kept' if stay else ''}"), err=True
    )
