"""``headwater explain``: everything about the filters and boundaries on one line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import BAD_INPUT, NoCache, NoData, Timeout, fail, make_cache, prepare, printable, say_problem

if TYPE_CHECKING:
    from headwater.engine.report.positions import Lines
    from headwater.engine.report.report import Opportunity
    from headwater_ir.span import Span


def explain(
    place: Annotated[
        str,
        typer.Argument(metavar="FILE:LINE", help="A file and a line, counted from 1; FILE:CELL:LINE of a notebook."),
    ],
    timeout: Timeout = None,
    no_cache: NoCache = False,
    no_data: NoData = False,
) -> None:
    """Explain what was found on a line, or why its filter stays where it is."""
    from headwater.engine.files.jupyter import CellLines, lines_of
    from headwater.engine.workers.pool import analyse_files
    from headwater.scan.shown import shown

    from .render import console_for, show

    path, cell, line = _parse(place)
    (file,) = analyse_files([path], prepare([path], timeout, data=not no_data).options, make_cache(no_cache))
    if file.report.error is not None:
        say_problem(file.path, file.report.error)
        raise typer.Exit(BAD_INPUT)
    lines = lines_of(file.path, file.text)
    if isinstance(lines, CellLines) and cell is not None:
        program_line = lines.program_line(cell - 1, line - 1)
        if program_line is None:
            fail(f"{path} has no line {line} of code in cell {cell}")
        line = program_line + 1
    if line > len(lines):
        fail(f"{path} has {len(lines)} lines")
    console = console_for()
    here = [o for o in file.report.opportunities if any(_touches(lines, s, line) for s in _spans(o))]
    for o in here:
        show(console, file.path, o.code, shown(lines, file.text, o))
        for label, text in _more(o):
            console.print(printable(f"{label:<12}{text}"))
        console.print()
    stays = [s for s in file.report.skipped if _touches(lines, s.span, line)]
    for skipped in stays:
        at = f"{path}:{lines.place(skipped.span.start)}"
        console.print(printable(f"{at} stays where it is ({skipped.obstruction}): {skipped.reason}"))
    if not here and not stays:
        where = f"line {line} of {path}" if cell is None else place
        console.print(printable(f"There is no filter on {where} that Headwater knows."))


def _parse(place: str) -> tuple[Path, int | None, int]:
    """File, cell and line of ``FILE:LINE``, or of a notebook's ``FILE:CELL:LINE``, also as ``scan`` prints it."""
    found = re.fullmatch(
        r"(.+\.ipynb):(?:cell )?(\d{1,9}):(\d{1,9})(?::\d+)?|(.+?):(\d{1,9})", place, re.ASCII | re.DOTALL
    )
    name, cell, line = (found[1] or found[4], found[2], found[3] or found[5]) if found else ("", None, "0")
    if int(line) < 1 or (name.endswith(".ipynb") and not int(cell or 0)):
        wanted = "FILE:CELL:LINE" if place.partition(".ipynb")[1] else "FILE:LINE"
        raise typer.BadParameter(f"{place!r} is not {wanted}", param_hint="FILE:LINE")
    path = Path(name)
    if not path.is_file():
        raise typer.BadParameter(f"{name!r} is not a file", param_hint="FILE:LINE")
    return path, int(cell) if cell else None, int(line)


def _spans(o: Opportunity) -> tuple[Span, ...]:
    return o.filter_span, o.boundary_span, o.prefilter_span


def _touches(lines: Lines, span: Span, line: int) -> bool:
    return lines.line_of(span.start) <= line - 1 <= lines.line_of(span.end)


def _more(o: Opportunity) -> list[tuple[str, str]]:
    """What the scan's output leaves out."""
    from headwater.engine.analysis.messages import STATUS_WORDS, kind_words, path_of, way

    found: list[tuple[str, str]] = [("Status", f"{o.status}: {STATUS_WORDS[o.status]}")]
    if o.prefilter_text:
        found.insert(0, ("Kind", f"{o.kind}: {kind_words(o.code, o.kind)}"))
    if o.prefilter_sql:
        found.append(("As SQL", o.prefilter_sql))
    found += [("Invariant" if i == 0 else "", atom) for i, atom in enumerate(o.atoms)]
    found += [
        ("Conditions" if i == 0 else "", f"{c.name:<8} {c.status} in {c.ms:.1f} ms") for i, c in enumerate(o.conditions)
    ]
    passed = way(path_of(o.certificate))
    found += [("Way" if i == 0 else "", f"{name}: {_becomes(*said)}") for i, (name, *said) in enumerate(passed)]
    if o.validation:
        found.append(("Evaluated", o.validation))
    found += [("Source" if i == 0 else "", f"{s.conjunct}: {s.use}, {s.why}") for i, s in enumerate(o.source)]
    found += [("Benefit" if i == 0 else "", f"{name}: {value}") for i, (name, value) in enumerate(o.benefit)]
    return found


def _becomes(before: str, after: str) -> str:
    return before if before == after else f"{before} becomes {after}"
