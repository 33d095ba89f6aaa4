"""The application: the list of sub-commands."""

from __future__ import annotations

from typing import Annotated

import typer

from . import bench, catalog, explain, fix, lsp, scan, schema, verify

app = typer.Typer(
    name="headwater",
    help="Finds work in PySpark code that nobody needs, above all filters that run too late, proves it, and rewrites.",
    epilog="Exit codes: 0 nothing found (or all fixed), 1 opportunities found, 2 usage or input error.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("scan")(scan.scan)
app.command("fix")(fix.fix)
app.command("explain")(explain.explain)
app.command("verify")(verify.verify)
app.command("bench")(bench.bench)
app.command("schema")(schema.schema)
app.add_typer(catalog.catalog, name="catalog")
app.command("lsp")(lsp.lsp)


def _version(wanted: bool) -> None:
    if wanted:
        from headwater.engine.report.version import version

        typer.echo(f"headwater {version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass
