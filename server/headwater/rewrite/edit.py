"""One replacement in a source text, and how several are applied together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headwater_ir.span import Span


class Overlap(ValueError):
    """Two edits want the same characters: applying both would garble the text."""


@dataclass(frozen=True)
class Edit:
    """Replace what ``span`` covers by ``text``. Offsets are code points of the text before any edit."""

    span: Span
    text: str


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """``source`` with all ``edits`` done at once; ``Overlap`` if two of them touch the same characters.

    Two insertions at one place are refused as well: nothing says which comes first.
    """
    ordered = sorted(set(edits), key=lambda e: (e.span.start, e.span.end))
    parts: list[str] = []
    at = 0
    previous: Edit | None = None
    for edit in ordered:
        if edit.span.end > len(source):
            raise Overlap(f"edit at {edit.span.start}..{edit.span.end} is outside the text")
        same_place = previous is not None and previous.span.start == previous.span.end == edit.span.start
        if edit.span.start < at or same_place:
            raise Overlap(f"two edits touch offset {edit.span.start}")
        parts += [source[at : edit.span.start], edit.text]
        at, previous = edit.span.end, edit
    return "".join([*parts, source[at:]])


def joined(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """``edits`` in order, where an insertion right in front of a replacement is part of it."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda e: e.span):
        if found and found[-1].span == Span(edit.span.start, edit.span.start) != edit.span:
            edit = Edit(edit.span, found.pop().text + edit.text)
        found.append(edit)
    return tuple(found)


def overlap(first: Iterable[Edit], second: Iterable[Edit]) -> bool:
    """Whether an edit of ``first`` touches what an edit of ``second`` touches (ends included: safe side)."""
    theirs = tuple(second)
    return any(a.span.start <= b.span.end and b.span.start <= a.span.end for a in first for b in theirs)
