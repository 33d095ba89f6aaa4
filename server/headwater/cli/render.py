"""Findings on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from .common import printable

if TYPE_CHECKING:
    from rich.console import Console

    from headwater.engine.positions import Lines
    from headwater.engine.report import Opportunity
    from headwater.engine.service import FileReport

_STYLES = {"HW104": "yellow", "HW190": "yellow", "HW302": "red"}


def console_for(stream: TextIO | None = None) -> Console:
    """A console that never breaks lines: they are for grep as much as for eyes."""
    from rich.console import Console

    return Console(file=stream or sys.stdout, highlight=False, markup=False, soft_wrap=True, emoji=False)


def show_file(console: Console, file: FileReport) -> None:
    """Every opportunity of one file."""
    from headwater.engine.jupyter import lines_of

    lines = lines_of(file.path, file.text)
    for opportunity in file.report.opportunities:
        show(console, file.path, lines, opportunity)


def show(console: Console, path: str, lines: Lines, o: Opportunity) -> None:
    """Place, code, message; the line with a squiggle; what moves and why."""
    from rich.text import Text

    line = lines.line_of(o.filter_span.start)
    colour = _STYLES.get(o.code, "cyan")
    column = lines.column(o.filter_span.start)
    at = printable(f"{path}:{lines.place(o.filter_span.start)}")
    head = Text.assemble((at, "bold"), " ", (o.code, f"bold {colour}"), printable(f" {o.message}"))
    console.print(head)
    number = lines.line_for_people(o.filter_span.start).partition(" ")[0]
    edge = " " * len(number) + " │"
    text = lines.line_text(line)
    end = lines.column(o.filter_span.end) if lines.line_of(o.filter_span.end) == line else len(text)
    pad = "".join("\t" if c == "\t" else " " * _width(c) for c in printable(text[:column]))
    marks = "~" * max(1, sum(_width(c) for c in printable(text[column:end])))
    console.print(Text.assemble((f"{number} │ ", "dim"), printable(text)))
    console.print(Text.assemble((f"{edge} ", "dim"), pad, (marks, colour)))
    for label, value in details(lines, o):
        for i, piece in enumerate(_wrapped(console, printable(value), len(edge) + 10)):
            console.print(Text.assemble((f"{edge} ", "dim"), (f"{'' if i else label:<9}", "bold"), piece))
    console.print()


def _wrapped(console: Console, text: str, taken: int) -> list[str]:
    """``text`` in lines that fit beside ``taken`` columns; on one line where nobody's eyes read it."""
    import textwrap

    if not console.is_terminal:
        return [text]
    return textwrap.wrap(text, max(console.width - taken, 40), break_long_words=False) or [""]


def details(lines: Lines, o: Opportunity) -> list[tuple[str, str]]:
    """What a reader wants to know next, label and text."""
    found: list[tuple[str, str]] = []
    place = lines.line_for_people(o.prefilter_span.start)
    if o.prefilter_text:
        found.append(("before", f"{o.prefilter_text}   (line {place}, in front of {_boundary(o)})"))
        stays = "nothing" if o.residual_text is None else o.residual_text
        found.append(("after", stays if o.kind != "partial" else "the filter as it is"))
    if o.invariant_text:
        found.append(("why", o.invariant_text))
    found.extend(("assuming", a) for a in o.assumptions)
    return found


def _boundary(o: Opportunity) -> str:
    from headwater.engine.words import boundary_label

    return boundary_label(o.operator, o.function)


def _width(char: str) -> int:
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def plural(n: int, noun: str, plural_noun: str | None = None) -> str:
    """``1 file``, ``2 files``."""
    return f"{n} {noun if n == 1 else plural_noun or noun + 's'}"
