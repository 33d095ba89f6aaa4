"""The tokens of a source text with their offsets: strings, comments and brackets are never mistaken for code."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple, overload

from headwater_ir.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_F_STRING_START, _F_STRING_END = (getattr(tokenize, name, -1) for name in ("FSTRING_START", "FSTRING_END"))
"""Later Pythons split f-strings."""
_OPEN, _CLOSE = "([{", ")]}"


class CannotEdit(Exception):
    """The text has a form in which the rewrite cannot be made safely; the message says which."""


class Token(NamedTuple):
    """A token other than layout."""

    start: int
    end: int
    text: str


class _Read(NamedTuple):
    """The tokens of a text, its comments, and its f-strings as wholes."""

    tokens: Sequence[Token]
    comments: Sequence[Token]
    f_strings: Sequence[Token]


class Tokens:
    """The significant tokens and the comments of one text, in order. ``starts``: where the statements of its top level
    begin, each on lines of its own, so that the tokens of those that an earlier text had as well are known."""

    def __init__(self, source: str, starts: Sequence[int] = ()) -> None:
        self.source = source
        try:
            read = _in_pieces(source, starts) if starts else _read(source)
        except (tokenize.TokenError, SyntaxError, IndexError) as error:
            raise CannotEdit(f"the file cannot be split into tokens: {error}") from None
        self.tokens, self.comments, self._f_strings = read

    def index(self, offset: int) -> int:
        """Index of the first token that starts at or after ``offset``."""
        return bisect_left(self.tokens, offset, key=lambda t: t.start)

    def at(self, offset: int) -> Token | None:
        """The token around ``offset``, an f-string as a whole."""
        i = self.index(offset + 1) - 1
        near = self.tokens[i : i + 1] if i >= 0 else ()
        return next((t for t in (*self._f_strings, *near) if t.start <= offset < t.end), None)

    def within(self, span: Span) -> list[Token]:
        """The tokens inside ``span``."""
        return [t for t in self.tokens[self.index(span.start) : self.index(span.end)] if t.end <= span.end]

    def comments_within(self, span: Span) -> list[str]:
        """The comments inside ``span``."""
        return [c.text for c in self.comments if span.start <= c.start < span.end]

    def closing(self, i: int) -> int:
        """Index of the bracket that closes the one at index ``i``."""
        return closing(self.tokens, i)


def _in_pieces(source: str, starts: Sequence[int]) -> _Read:
    """As ``_read``, statement by statement."""
    bounds = [0, *starts, len(source)]
    read = [_read_piece(source[begin:end]) for begin, end in pairwise(bounds)]
    tokens, *others = (_InPieces(bounds, of_each) for of_each in zip(*read, strict=True))
    return _Read(tokens, *map(list, others))


class _InPieces(Sequence[Token]):
    """The tokens of a text whose pieces begin at ``starts`` and have the tokens ``read``: each is placed in the text
    when it is looked at, for few are."""

    def __init__(self, starts: Sequence[int], read: Sequence[Sequence[Token]]) -> None:
        self._pieces, self._behind = tuple(zip(starts, read, strict=False)), [*accumulate(map(len, read))]

    def __len__(self) -> int:
        return self._behind[-1]

    @overload
    def __getitem__(self, at: int) -> Token: ...

    @overload
    def __getitem__(self, at: slice) -> list[Token]: ...

    def __getitem__(self, at: int | slice) -> Token | list[Token]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        i = range(len(self))[at]
        number = bisect_right(self._behind, i)
        begin, read = self._pieces[number]
        token = read[i - self._behind[number]]
        return Token(begin + token.start, begin + token.end, token.text)


def _read(source: str) -> _Read:
    starts = [0, *(m.end() for m in _LINE_END.finditer(source))]
    tokens, comments, f_strings, opened = list[Token](), list[Token](), list[Token](), list[int]()
    for kind, text, start, end, _ in tokenize.generate_tokens(io.StringIO(source, newline="").readline):
        if kind in _LAYOUT:
            continue
        found = Token(starts[start[0] - 1] + start[1], starts[end[0] - 1] + end[1], text)
        if kind == _F_STRING_START:
            opened.append(found.start)
        elif kind == _F_STRING_END:
            begin = opened.pop()
            f_strings += [] if opened else [Token(begin, found.end, source[begin : found.end])]
        (comments if kind == tokenize.COMMENT else tokens).append(found)
    return _Read(tokens, comments, f_strings)


_read_piece = lru_cache(maxsize=2048)(_read)


def closing(tokens: Sequence[Token], i: int) -> int:
    """Index of the bracket that closes the one at index ``i``."""
    depth = 0
    for j in range(i, len(tokens)):
        if len(tokens[j].text) == 1:
            depth += (tokens[j].text in _OPEN) - (tokens[j].text in _CLOSE)
        if depth == 0:
            return j
    raise CannotEdit("a bracket is not closed")


def newline_of(source: str, near: int = 0) -> str:
    """The line end that ``source`` uses from ``near`` on, or else anywhere."""
    found = _LINE_END.search(source, near) or _LINE_END.search(source)
    return found.group() if found else "\n"


def line_start(source: str, offset: int) -> int:
    """Where the line of ``offset`` starts."""
    return max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1


def line_end(source: str, offset: int) -> int:
    """Where the line of ``offset`` ends, before its line end."""
    found = _LINE_END.search(source, offset)
    return found.start() if found else len(source)


def next_line(source: str, offset: int) -> int:
    """Where the next line starts."""
    found = _LINE_END.search(source, offset)
    return found.end() if found else len(source)


def indent_of(source: str, offset: int) -> str:
    """The white space that the line of ``offset`` starts with."""
    start = line_start(source, offset)
    text = source[start : line_end(source, start)]
    return text[: len(text) - len(text.lstrip())]
