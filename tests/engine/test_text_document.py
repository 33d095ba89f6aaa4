"""Edits as the protocol defines them, against a reference that counts UTF-16 units in bytes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from headwater.engine.documents.text_document import Change, Replaced, TextDocument, carried, difference, hunks
from headwater.engine.report.positions import Lines, Position
from headwater.rewrite.edit import apply_edits
from headwater_ir.span import Span

ALPHABET = ["a", "é", "😀", "\n", "\r\n", "\r", "\f", "\u2028", "\x85", "x = 1", " "]
TEXTS = st.lists(st.sampled_from(ALPHABET)).map("".join)
POSITIONS = st.builds(Position, st.integers(0, 6), st.integers(0, 8))


def reference(text: str, start: Position, end: Position, new: str) -> str:
    """The edit on UTF-16 code units."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2)

    def offset(p: Position) -> int:
        if p.line >= len(lines):
            return len(text.encode("utf-16-le")) // 2
        body = lines[p.line].rstrip("\r\n")
        units = body.encode("utf-16-le")
        at = min(p.character, len(units) // 2)
        if at * 2 < len(units) and 0xDC <= units[at * 2 + 1] <= 0xDF:  # in the middle of a pair: before it
            at -= 1
        return starts[p.line] + at

    data = text.encode("utf-16-le")
    a, b = sorted((offset(start), offset(end)))
    return (data[: 2 * a] + new.encode("utf-16-le") + data[2 * b :]).decode("utf-16-le")


@given(TEXTS, st.lists(st.tuples(POSITIONS, POSITIONS, TEXTS), max_size=4))
def test_edits_are_those_of_an_editor(text: str, edits: list[tuple[Position, Position, str]]) -> None:
    wanted = text
    for start, end, new in edits:
        wanted = reference(wanted, start, end, new)
    document, _ = TextDocument("u", 1, text).changed([Change(*e) for e in edits], 2)
    assert (document.text, document.version) == (wanted, 2)


def test_a_change_without_a_range_is_the_whole_text() -> None:
    document, edits = TextDocument("u", 1, "old").changed([Change(None, None, "newer")], 7)
    assert (document.text, document.version, edits) == ("newer", 7, (Replaced(0, 3, 5),))


@given(TEXTS.filter(bool), st.data())
def test_what_is_carried_is_the_same_text(text: str, data: st.DataObject) -> None:
    """A span that no edit touches covers the same characters afterwards; one that an edit touches is gone."""
    a, b = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    lines = Lines(text)
    document, edits = TextDocument("u", 1, text).changed(
        [Change(data.draw(POSITIONS), data.draw(POSITIONS), data.draw(TEXTS))], 2
    )
    span = Span(a, b)
    found = carried(span, edits)
    (edit,) = edits
    if found is not None:
        assert found.text(document.text) == span.text(text)
    else:
        assert edit.start <= b
        assert a <= edit.end
    assert len(lines) >= 1


@given(TEXTS, TEXTS)
def test_differences_lead_to_the_other_text(before: str, after: str) -> None:
    one = difference(before, after)
    assert before[: one.start] + after[one.start : one.start + one.length] + before[one.end :] == after
    assert apply_edits(before, hunks(before, after)) == after
