"""Offsets and LSP positions: UTF-16, and only three line ends."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from headwater.engine.report.positions import Lines, Position, utf16_length
from headwater_ir.span import Span

TEXTS = st.text(alphabet="ab\n\r\f\u2028\x85é🦆", max_size=20)


def test_surrogate_pairs_count_two() -> None:
    lines = Lines('a = "🦆"; b\n')
    assert lines.position(6) == Position(0, 7)
    assert lines.offset(Position(0, 7)) == 6
    assert lines.offset(Position(0, 6)) == 5  # inside the pair: the character itself
    assert utf16_length("é🦆") == 3


def test_only_three_line_ends() -> None:
    lines = Lines("a\r\nb\rc\nd\fe\u2028f\x85g")
    assert len(lines) == 4
    assert lines.line_text(0) == "a"
    assert lines.line_text(3) == "d\fe\u2028f\x85g"
    assert lines.range(Span(0, 3)) == (Position(0, 0), Position(1, 0))


def test_beyond_the_end() -> None:
    lines = Lines("ab\nc")
    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(99, 0)) == 4
    assert lines.position(99) == Position(1, 1)


@given(TEXTS)
def test_every_line_is_the_text_between_two_ends(text: str) -> None:
    ends = list(re.finditer("\r\n|\r|\n", text))
    lines = Lines(text)
    assert lines.starts == [0, *(m.end() for m in ends)]
    assert [lines.line_text(i) for i in range(len(lines))] == re.split("\r\n|\r|\n", text)


@given(TEXTS)
def test_there_and_back(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        inside_crlf = offset and text[offset - 1 : offset + 1] == "\r\n"
        if not inside_crlf:
            assert lines.offset(lines.position(offset)) == offset
