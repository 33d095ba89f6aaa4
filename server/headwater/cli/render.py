"""Findings on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from headwater.rules.registry import RULES
from headwater.rules.rule import Severity

from .common import printable

if TYPE_CHECKING:
    from rich.console import Console

    from headwater.scan.result import FileResult
    from headwater.scan.shown import Shown

INTERNAL = "internal error"
"""What the reason begins with where an error of Headwater's own keeps something from being looked at."""
_COLOURS: dict[Severity, str] = {"error": "red", "warning": "red", "hint": "yellow"}


def console_for(stream: TextIO | None = None) -> Console:
    """A console that never breaks lines: they are for grep as much as for eyes."""
    from rich.console import Console

    return Console(file=stream or sys.stdout, highlight=False, markup=False, soft_wrap=True, emoji=False)


def show_costly(console: Console, results: Sequence[FileResult]) -> None:
    """The opportunities whose cost is known, in whatever file, the one first that took longest."""
    from headwater.scan.measured import seconds_of

    found = [
        (seconds_of(o), result["file"]["path"], o["code"], shown)
        for result in results
        for o, shown in zip(result["file"]["opportunities"], result["shown"], strict=True)
        if seconds_of(o) >= 0
    ]
    for _, path, code, shown in sorted(found, key=lambda f: -f[0]):
        show(console, path, code, shown)


def show_file(console: Console, result: FileResult) -> None:
    """Every opportunity of one file whose cost is not known, the comments that hide none, and a line if an error of
    Headwater's own kept it from looking at something."""
    from headwater.scan.measured import seconds_of

    path = result["file"]["path"]
    for opportunity, shown in zip(result["file"]["opportunities"], result["shown"], strict=True):
        if seconds_of(opportunity) < 0:
            show(console, path, opportunity["code"], shown)
    for unused in result["file"]["unused"]:
        console.print(printable(f"{_place(path, unused)} {unused['code']} {unused['message']}"))
    ours = [s for s in result["file"]["skipped"] if s["reason"].startswith(INTERNAL)]
    if ours:
        more = f"; {plural(len(ours) - 1, 'more place')} in this file" if len(ours) > 1 else ""
        console.print(printable(f"{_place(path, ours[0])} left as it is: {ours[0]['reason']}{more}"))


def _place(path: str, thing: Mapping[str, Any]) -> str:
    """Where ``thing`` starts in the file, for people."""
    at = thing["range"]["start"]
    cell = f"cell {at['cell'] + 1}:" if "cell" in at else ""
    return f"{path}:{cell}{at['line'] + 1}:{at['character'] + 1}"


def show(console: Console, path: str, code: str, shown: Shown) -> None:
    """Place, code, message; the line with a squiggle; what moves and why."""
    from rich.text import Text

    colour = _COLOURS.get(RULES[code].severity, "cyan")
    at = printable(f"{path}:{shown['place']}")
    console.print(Text.assemble((at, "bold"), " ", (code, f"bold {colour}"), printable(f" {shown['message']}")))
    number, text, (column, end) = shown["line"], shown["text"], shown["columns"]
    edge = " " * len(number) + " │"
    pad = "".join("\t" if c == "\t" else " " * _width(c) for c in printable(text[:column]))
    marks = "~" * max(1, sum(_width(c) for c in printable(text[column:end])))
    console.print(Text.assemble((f"{number} │ ", "dim"), printable(text)))
    console.print(Text.assemble((f"{edge} ", "dim"), pad, (marks, colour)))
    for label, value in shown["details"]:
        for i, piece in enumerate(_wrapped(console, printable(value), len(edge) + 10)):
            console.print(Text.assemble((f"{edge} ", "dim"), (f"{'' if i else label:<9}", "bold"), piece))
    console.print()


def _wrapped(console: Console, text: str, taken: int) -> list[str]:
    """``text`` in lines that fit beside ``taken`` columns; on one line where nobody's eyes read it."""
    import textwrap

    if not console.is_terminal:
        return [text]
    return textwrap.wrap(text, max(console.width - taken, 40), break_long_words=False) or [""]


def _width(char: str) -> int:
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def seen_line(files: int, spark_files: int, filters: int, unread: int) -> str:
    """What was looked at, in words; ``unread`` files could not be read and do not mention Spark."""
    skipped = f", {plural(unread, 'file')} without Spark not readable" if unread else ""
    return f"{plural(files, 'file')}, {spark_files} of them PySpark with {plural(filters, 'filter')}{skipped}"


def plural(n: int, noun: str, plural_noun: str | None = None) -> str:
    """``1 file``, ``2 files``."""
    return f"{n} {noun if n == 1 else plural_noun or noun + 's'}"
