"""``headwater lsp``: the language server."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from .common import fail


def lsp(
    tcp: Annotated[
        Optional[int],  # noqa: UP045 (typer reads it at run time)
        typer.Option(metavar="PORT", min=1, max=65535, help="Listen on this port, not on standard input."),
    ] = None,
) -> None:
    """Run the language server, on standard input and output."""
    try:
        from headwater.lsp import start
    except ModuleNotFoundError as error:
        fail(f"the language server needs {error.name}: pip install 'headwater[lsp]'")
    if tcp is None:
        start.stdio()
    else:
        start.tcp(tcp)
