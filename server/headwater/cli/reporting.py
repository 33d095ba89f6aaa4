"""The documents of ``headwater scan``: printed, or put into a file."""

from __future__ import annotations

import io
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .common import fail, printable

if TYPE_CHECKING:
    from rich.console import Console

    from headwater.scan.documents import Scan


class Format(str, Enum):
    """The output formats."""

    text = "text"
    json = "json"
    sarif = "sarif"
    html = "html"


def write(format: Format, scan: Scan, output: Path | None) -> None:
    """Print the report, or put it into ``output``. Beside what people read stand the files that could not be read."""
    from .render import console_for

    for result in scan.results:
        if result["problem"] and format in (Format.text, Format.html):
            typer.echo(printable(result["file"]["error"]), err=True)
    stream = io.StringIO() if output is not None else None
    text = None if format is Format.text else _document(format, scan, output)
    if text is None:
        _show(console_for(stream), scan)
    elif output is None:
        typer.echo(text, nl=False)
    if output is not None and stream is not None:
        from headwater.engine.files.cache import write_atomically

        data = (text or stream.getvalue()).encode("utf-8", "backslashreplace")
        try:
            write_atomically(output, data, 0o644)
        except OSError as error:
            fail(f"cannot write {output}: {error.strerror}")


def _document(format: Format, scan: Scan, output: Path | None) -> str:
    from headwater.engine.files.cache import default_directory
    from headwater.scan.documents import json_text, with_certificates

    if format is Format.sarif:
        from headwater.scan.sarif import sarif_text

        return sarif_text(scan)
    if format is Format.html:
        from headwater.scan.html import html_text

        return html_text(scan)
    beside = output.absolute().parent / f"{output.stem}-certificates" if output else None
    directory = beside or default_directory().absolute() / "certificates"
    return json_text(replace(scan, results=with_certificates(scan.results, directory)))


def _show(console: Console, scan: Scan) -> None:
    """The report for people."""
    from headwater.rules.registry import RULES

    from .render import plural, seen_line, show_costly, show_file

    show_costly(console, scan.results)
    for result in scan.results:
        show_file(console, result)
    found = [o for r in scan.results for o in r["file"]["opportunities"]]
    by_hand = sum(RULES[o["code"]].by_hand for o in found)
    edited = [o["status"] for o in found if o["edits"] and not RULES[o["code"]].by_hand]
    verified, assumed = edited.count("verified"), edited.count("assumed")
    known = f" ({scan.known} more in the baseline)" if scan.known else ""
    seen = seen_line(len(scan.results), scan.spark_files, scan.filters, scan.unread)
    scanned = f"{seen}, {scan.seconds:.1f} s"
    if not found:
        console.print(f"Nothing found in {scanned}{known}.")
        return
    fixable = f", {verified} with a verified rewrite: run `headwater fix`" if verified else ""
    if assumed:
        rests = "rests" if assumed == 1 else "rest"
        fixable += f", {assumed} {rests} on assumptions: `headwater fix --accept-assumptions`"
    if by_hand:
        fixable += f", {by_hand} to decide on in the editor, for the job then has other rows"
    console.print(f"{plural(len(found), 'opportunity', 'opportunities')} in {scanned}{known}{fixable}.")
