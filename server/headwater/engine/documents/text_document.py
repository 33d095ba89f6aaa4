"""A text as an editor changes it. Our own, because libraries split lines where the protocol does not (form feeds,
U+2028), and from then on every position is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate

from headwater.engine.report.positions import Lines, Position
from headwater.rewrite.edit import Edit
from headwater_ir.span import Span


@dataclass(frozen=True)
class Change:
    """One edit: the text between two positions, or everything where there are none, becomes ``text``."""

    start: Position | None
    end: Position | None
    text: str


@dataclass(frozen=True)
class Replaced:
    """One edit in code-point offsets of the text before it."""

    start: int
    end: int
    length: int

    def carry(self, span: Span) -> Span | None:
        """Where ``span`` is afterwards; None if the edit touches it."""
        if span.end < self.start or (span.end == self.start and self.start < self.end):
            return span
        if span.start > self.end or (span.start == self.end and self.start < self.end):
            moved = self.length - (self.end - self.start)
            return Span(span.start + moved, span.end + moved)
        return None


@dataclass(frozen=True)
class TextDocument:
    """One version of a text."""

    uri: str
    version: int
    text: str

    def changed(self, changes: Iterable[Change], version: int) -> tuple[TextDocument, tuple[Replaced, ...]]:
        """The next version, and the edits that lead to it, one after another."""
        text, replaced = self.text, list[Replaced]()
        for change in changes:
            edit = _replaced(text, change)
            text = text[: edit.start] + change.text + text[edit.end :]
            replaced.append(edit)
        return replace(self, text=text, version=version), tuple(replaced)


def _replaced(text: str, change: Change) -> Replaced:
    if change.start is None or change.end is None:
        return Replaced(0, len(text), len(change.text))
    lines = Lines(text)
    start, end = sorted((lines.offset(change.start), lines.offset(change.end)))
    return Replaced(start, end, len(change.text))


def carried(span: Span, edits: Iterable[Replaced]) -> Span | None:
    """``span`` after all ``edits``; None if one of them touches it."""
    found: Span | None = span
    for edit in edits:
        found = None if found is None else edit.carry(found)
    return found


def difference(before: str, after: str) -> Replaced:
    """The one edit that makes ``after`` of ``before`` and leaves what both begin and end with."""
    start = 0
    most = min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Replaced(start, len(before) - end, len(after) - end - start)


def hunks(before: str, after: str) -> tuple[Edit, ...]:
    """Edits that make ``after`` of ``before``, line by line, so that what stays keeps its place in the editor."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, old))]
    found = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append(Edit(Span(starts[i], starts[j]), "".join(new[k:m])))
    return tuple(found)
