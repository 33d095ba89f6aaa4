"""The text of a frame's expression on one line, and where each part of it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from headwater_ir.span import Span

from ..tokens import Tokens


@dataclass(frozen=True)
class Piece:
    """A text, and of each part of it that is copied: where it starts there, how long it is, where it comes from."""

    text: str
    parts: tuple[tuple[int, int, int], ...]

    def with_inside(self, span: Span, inner: Piece) -> Piece:
        """This text with ``inner`` for what comes from ``span`` of the source."""
        at = next(start for start, length, origin in self.parts if origin == span.start)
        grown = len(inner.text) - (span.end - span.start)
        before = [p for p in self.parts if p[0] < at]
        after = [(start + grown, length, origin) for start, length, origin in self.parts if start > at]
        middle = [(start + at, length, origin) for start, length, origin in inner.parts]
        text = self.text[:at] + inner.text + self.text[at + span.end - span.start :]
        return Piece(text, (*before, *middle, *after))

    def broken(self, indent: str, newline: str, dots: tuple[int, ...]) -> Piece:
        """In parentheses, with a line for each of the calls whose dots come from ``dots``."""
        places = sorted(start for start, _, origin in self.parts if origin in dots)
        lead = f"({newline}{indent}    "
        breaks = f"{newline}{indent}    "
        parts = []
        for start, length, origin in self.parts:
            shift = len(lead) + len(breaks) * sum(p <= start for p in places)
            parts.append((start + shift, length, origin))
        bounds = [0, *places, len(self.text)]
        lines = [self.text[a:b] for a, b in pairwise(bounds)]
        return Piece(lead + breaks.join(lines) + f"{newline}{indent})", tuple(parts))

    def origin(self, span: Span) -> Span:
        """Where ``span`` of this text comes from; its ends must be those of copied parts."""
        start = next((o + span.start - s for s, n, o in self.parts if s <= span.start < s + n), 0)
        last = max((p for p in self.parts if p[0] < span.end), default=None)
        end = start if last is None or span.end == span.start else last[2] + min(span.end - last[0], last[1])
        return Span(min(start, end), max(start, end))


def piece_of(tokens: Tokens, span: Span) -> Piece:
    """The text at ``span`` without line breaks and comments."""
    found = tokens.within(span)
    text, parts, open_calls = "", list[tuple[int, int, int]](), list[bool]()
    for i, token in enumerate(found):
        before = found[i - 1] if i else None
        if before is not None:
            gap = tokens.source[before.end : token.start]
            if "\n" in gap or "\r" in gap:
                if before.text == "," and token.text == ")" and open_calls and open_calls[-1]:
                    text, parts = text[:-1], parts[:-1]
                tight = before.text in _OPENING or token.text in _CLOSING or token.text == "." or before.text == "."
                gap = "" if tight else " "
            text += gap
        if token.text in _OPENING:
            called = before is not None and (before.text.isidentifier() or before.text in _CLOSING)
            open_calls.append(token.text == "(" and called)
        elif token.text in _CLOSING and open_calls:
            open_calls.pop()
        parts.append((len(text), token.end - token.start, token.start))
        text += tokens.source[token.start : token.end]
    return Piece(text, tuple(parts))


_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
