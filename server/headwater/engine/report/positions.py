"""Code-point offsets ↔ the (line, character) pairs of the Language Server Protocol.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` and nowhere else (``str.splitlines`` also splits at form feeds and U+2028,
and then every later position is wrong). Characters count UTF-16 code units.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from headwater_ir.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, order=True)
class Position:
    """Zero-based line and UTF-16 character; in a notebook they count in the zero-based ``cell``."""

    line: int
    character: int
    cell: int | None = field(default=None, compare=False)


class Lines:
    """The line structure of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" in text:
            ends = list(_LINE_END.finditer(text))
            self.starts = [0, *(m.end() for m in ends)]
            self._ends = [*(m.start() for m in ends), len(text)]
        else:  # the same, several times as fast
            sums = accumulate(map(len, text.split("\n")))
            self._ends = [before + length for before, length in enumerate(sums)]
            self.starts = [0, *(end + 1 for end in self._ends[:-1])]

    def __len__(self) -> int:
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line that holds code point ``offset``."""
        return bisect_right(self.starts, min(max(offset, 0), len(self.text))) - 1

    def line_text(self, line: int) -> str:
        """The text of ``line`` without its line end."""
        return self.text[self.starts[line] : self._ends[line]]

    def column(self, offset: int) -> int:
        """Code points between the start of its line and ``offset``."""
        return min(max(offset, 0), len(self.text)) - self.starts[self.line_of(offset)]

    def position(self, offset: int) -> Position:
        """The LSP position of a code-point offset."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        return Position(line, utf16_length(self.text[self.starts[line] : offset]))

    def offset(self, position: Position) -> int:
        """The code-point offset of an LSP position.

        Beyond the end of a line means the end of that line (as in LSP); a position inside a surrogate pair means the
        character that the pair stands for.
        """
        if position.line >= len(self.starts):
            return len(self.text)
        if position.line < 0:
            return 0
        left = position.character
        at = self.starts[position.line]
        end = self._ends[position.line]
        while at < end and left > 0:
            width = 2 if ord(self.text[at]) > 0xFFFF else 1
            if width > left:
                break
            left -= width
            at += 1
        return at

    def place(self, offset: int) -> str:
        """``line:column`` for people, who count from one, and count characters."""
        return f"{self.line_of(offset) + 1}:{self.column(offset) + 1}"

    def line_for_people(self, offset: int) -> str:
        """The number of the line that holds ``offset``, as people count."""
        return f"{self.line_of(offset) + 1}"

    def range(self, span: Span) -> tuple[Position, Position]:
        """Start and end of ``span``."""
        return self.position(span.start), self.position(span.end)


def utf16_length(text: str) -> int:
    """How many UTF-16 code units ``text`` takes."""
    return len(text) if text.isascii() else sum(2 if ord(c) > 0xFFFF else 1 for c in text)
