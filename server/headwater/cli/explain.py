"""``headwater explain``: everything about the filters and boundaries on one line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, NoCache, Timeout, fail, make_cache, prepare, printable, say_problem

if TYPE_CHECKING:
    from headwater.engine.positions import Lines
    from headwater.engine.report import Opportunity
    from headwater_ir.span import Span


def explain(
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="A file and a line, counted from 1.")],
    timeout: Timeout = None,
    no_cache: NoCache = False,
) -> None:
    """Explain what was found on a line, or why its filter stays where it is."""
    from headwater.engine.pool import analyse_files
    from headwater.engine.positions import Lines

    from .render import console_for, show

    path, line = _parse(place)
    (file,) = analyse_files([path], prepare([path], timeout).options, make_cache(no_cache))
    if file.report.error is not None:
        say_problem(file.path, file.report.error)
        raise typer.Exit(BAD_INPUT)
    lines = Lines(file.text)
    if line > len(lines):
        fail(f"{path} has {len(lines)} lines")
    console = console_for()
    here = [o for o in file.report.opportunities if any(_touches(lines, s, line) for s in _spans(o))]
    for o in here:
        show(console, file.path, lines, o)
        for label, text in _more(o):
            console.print(printable(f"{label:<12}{text}"))
        console.print()
    stays = [s for s in file.report.skipped if _touches(lines, s.span, line)]
    for skipped in stays:
        at = f"{path}:{lines.line_of(skipped.span.start) + 1}:{lines.column(skipped.span.start) + 1}"
        console.print(printable(f"{at} stays where it is ({skipped.obstruction}): {skipped.reason}"))
    if not here and not stays:
        console.print(printable(f"There is no filter on line {line} of {path} that Headwater knows."))


def _parse(place: str) -> tuple[Path, int]:
    name, colon, number = place.rpartition(":")
    if not colon or not name or not number.isascii() or not number.isdigit() or int(number) < 1:
        raise typer.BadParameter(f"{place!r} is not FILE:LINE", param_hint="FILE:LINE")
    path = Path(name)
    if not path.is_file():
        raise typer.BadParameter(f"{name!r} is not a file", param_hint="FILE:LINE")
    return path, int(number)


def _spans(o: Opportunity) -> tuple[Span, ...]:
    return o.filter_span, o.boundary_span, o.prefilter_span


def _touches(lines: Lines, span: Span, line: int) -> bool:
    return lines.line_of(span.start) <= line - 1 <= lines.line_of(span.end)


def _more(o: Opportunity) -> list[tuple[str, str]]:
    """What the scan's output leaves out."""
    from headwater.engine.words import KIND_WORDS

    found: list[tuple[str, str]] = [("Status", o.status)]
    if o.prefilter_text:
        found.insert(0, ("Kind", f"{o.kind}: {KIND_WORDS[o.kind]}"))
    if o.prefilter_sql:
        found.append(("As SQL", o.prefilter_sql))
    found += [("Invariant" if i == 0 else "", atom) for i, atom in enumerate(o.atoms)]
    found += [
        ("Conditions" if i == 0 else "", f"{c.name:<8} {c.status} in {c.ms:.1f} ms") for i, c in enumerate(o.conditions)
    ]
    found += [("Source" if i == 0 else "", f"{s.conjunct}: {s.use}, {s.why}") for i, s in enumerate(o.source)]
    found += [("Benefit" if i == 0 else "", f"{name}: {value}") for i, (name, value) in enumerate(o.benefit)]
    return found
