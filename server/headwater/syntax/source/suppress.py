"""Comments that switch Headwater off: ``# headwater: ignore``, ``# headwater: ignore[HW101,HW102]``, ``#
headwater: ignore-file``."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate

from .top_level import first_line

COMMENT = re.compile(r"#\s*headwater:\s*ignore(?P<file>-file)?(?![\w-])(?:\s*\[(?P<codes>[^]#[]*)\])?", re.IGNORECASE)
Suppressions = tuple[tuple[tuple[int, tuple[str, ...]], ...], bool]


def read_suppressions(source: str, body: Sequence[ast.stmt] | None = None) -> Suppressions:
    """Zero-based lines with the codes suppressed there (empty: all), and whether the whole file is.

    Text inside a string is no comment. A source that does not tokenize to its end keeps what was found so far.
    ``body``: its statements, if it parses. Then only those are tokenized that hold such a text, for that takes longer
    than parsing; and one that ``tokenize`` cannot read, though Python can, costs the others nothing.
    """
    places = [m.start() for m in COMMENT.finditer(source)]
    lines: dict[int, tuple[str, ...]] = {}
    whole = False
    for first, text in _pieces(source, places, body):
        for line, comment in _comments(text):
            for match in COMMENT.finditer(comment):
                if match["file"]:
                    whole = True
                else:
                    lines[first + line] = _codes(match["codes"])
    return tuple(sorted(lines.items())), whole


def _comments(text: str) -> Iterator[tuple[int, str]]:
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0] - 1, token.string


def _pieces(source: str, places: Sequence[int], body: Sequence[ast.stmt] | None) -> Iterator[tuple[int, str]]:
    """The statements, or lines between them, that hold ``places``, each with the line that it begins on: no string and
    no bracket is open where a statement begins a line, so the tokens in it are the same without the others."""
    if not places:
        return
    if body is None or source.count("\r") != source.count("\r\n"):  # lines that ``tokenize`` counts otherwise
        yield 0, source
        return
    spans: list[tuple[int, int]] = []
    for first, last in sorted((first_line(s), s.end_lineno or s.lineno) for s in body):
        if spans and first < spans[-1][1]:
            first, last = spans[-1][0], max(last, spans.pop()[1])
        spans.append((first, last))
    starts = [first for first, _ in spans]
    lines = source.split("\n")
    ends = list(accumulate(len(line) + 1 for line in lines))
    pieces = dict[int, int]()
    for line in (bisect_right(ends, place) for place in places):
        at = bisect_right(starts, line) - 1
        first, last = spans[at] if at >= 0 and line < spans[at][1] else (line, line + 1)
        pieces[first] = last
    for first, last in pieces.items():
        yield first, "\n".join(lines[first:last]) + "\n"


def _codes(text: str | None) -> tuple[str, ...]:
    found = tuple(c.strip().upper() for c in (text or "").split(",") if c.strip())
    # `ignore[]` names nothing; taking it for "everything" would hide more than was asked for.
    return found if found or text is None else ("",)
