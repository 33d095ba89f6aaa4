"""The words of a SQL text, each with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.pyspark.columns.parsing import LONGEST, parse_sql
from headwater.syntax.names.spelled_sql import is_filled_in
from headwater.syntax.refusal import Refusal
from headwater_ir.span import Span

from .written import Piece

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokens import Token  # type: ignore[attr-defined]

AFTER_WHERE = tuple(
    "GROUP HAVING ORDER SORT CLUSTER DISTRIBUTE LIMIT OFFSET UNION INTERSECT EXCEPT MINUS"
    " WINDOW QUALIFY LATERAL |> ;".split()
)
"""Words that begin what may come behind a condition."""
IN_TEXT = "a condition in SQL text, which stays"
"""Why a condition is not all read: it is never taken out of its text."""
Part = tuple[int, int]
"""From where to where in a text."""


@dataclass(frozen=True)
class Word:
    """One word of a text, and from where to where it stands there."""

    spelled: str
    start: int
    end: int


def _words(text: str, token: Token) -> list[Word]:
    """The words of a token: of keywords like ``PARTITION BY`` two."""
    whole = text[token.start : token.end + 1]
    if not _KEYWORDS.fullmatch(whole):
        return [Word(whole, token.start, token.end + 1)]
    return [Word(m[0], token.start + m.start(), token.start + m.end()) for m in _KEYWORD.finditer(whole)]


@lru_cache(maxsize=2048)
def words_of(text: str) -> tuple[Word, ...] | None:
    """The words of a text, comments left out; None for one that is no SQL, or too long."""
    import sqlglot

    if len(text) > LONGEST:
        return None
    try:
        tokens = sqlglot.tokenize(text, read="spark")
    except sqlglot.errors.SqlglotError:
        return None
    found = [word for t in tokens for word in _words(text, t)]
    while found and found[-1].spelled == ";":
        found.pop()
    return tuple(found)


_KEYWORD = re.compile(r"[A-Za-z]+")
_KEYWORDS = re.compile(r"[A-Za-z]+(\s+[A-Za-z]+)+")


@lru_cache(maxsize=2048)
def parsed(text: str) -> exp.Expression | None:
    """What sqlglot reads, for looking at only: a text is read in each pass and after each edit."""
    import sqlglot
    from sqlglot import exp

    try:
        trees = parse_sql(text)
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    return trees[0] if len(trees) == 1 and isinstance(trees[0], exp.Expression) else None


@dataclass(frozen=True)
class SqlText:
    """A SQL text, the pieces that it is put together of, and its words."""

    text: str
    pieces: tuple[Piece, ...]
    words: tuple[Word, ...]

    @staticmethod
    def of(pieces: tuple[Piece, ...]) -> SqlText | None:
        """The text of ``pieces``; None if it does not mean itself, or has no words."""
        text = "".join(piece.text for piece in pieces)
        words = None if is_filled_in(text) else words_of(text)
        return SqlText(text, pieces, words) if words else None

    def span(self, part: Part) -> Span:
        """A part of the text, which is not empty, as a part of the file; of a constant the place of its name."""
        return Span(self._at(part[0], -1), self._at(part[1], 0))

    def place(self, part: Part) -> Span:
        """As ``span``, where characters may be put at both ends; Refusal if one end is inside of a constant."""
        if any(not self._written(end) for end in part):
            raise Refusal("opaque", "the pre-filter would go into the value of a constant, not into a literal")
        return self.span(part) if part[0] < part[1] else Span(self._at(part[1], 0), self._at(part[1], 0))

    def _at(self, offset: int, which: int) -> int:
        """The place in the file of what is at ``offset``: of two pieces that meet there the first, or the last."""
        written = self._written(offset)
        if written:
            return written[which]
        start = 0
        for piece in self.pieces:
            if offset <= start + len(piece.text):
                return piece.span.start if which else piece.span.end
            start += len(piece.text)
        return self.pieces[-1].span.end

    def _written(self, offset: int) -> list[int]:
        found, start = [], 0
        for piece in self.pieces:
            if piece.written and start <= offset <= start + len(piece.text):
                found.append(piece.span.start + offset - start)
            start += len(piece.text)
        return found

    def cut(self, part: Part) -> Iterator[Piece]:
        """The pieces of ``part``; a constant that is not all in it has the place of its name."""
        start = 0
        for piece in self.pieces:
            a, b = (min(max(end - start, 0), len(piece.text)) for end in part)
            at = piece.span.start
            if part[0] <= start + len(piece.text) and start <= part[1]:
                yield replace(piece, text=piece.text[a:b], span=Span(at + a, at + b) if piece.written else piece.span)
            start += len(piece.text)

    def within(self, part: Part) -> SqlText:
        """The same text of which only ``part`` is looked at."""
        return replace(self, words=tuple(w for w in self.words if part[0] <= w.start < part[1]))

    def spelled(self, part: Part) -> str:
        """The characters of a part."""
        return self.text[part[0] : part[1]]


class Tokens:
    """The tokens of a text, read from left to right. LookupError where the text is another one."""

    def __init__(self, text: SqlText) -> None:
        self.spelled, self.at = text.words, 0
        self.words = [w.spelled.upper() for w in text.words]

    def take(self, *words: str) -> None:
        """Pass ``words``."""
        for word in words:
            if not self.next_is(word):
                raise LookupError(word)
            self.at += 1

    def next_is(self, *words: str) -> bool:
        """Whether ``words`` come next."""
        return tuple(self.words[self.at : self.at + len(words)]) == words

    def name(self) -> str:
        """Pass a plain name."""
        word = self.spelled[self.at].spelled
        if not word.isidentifier():
            raise LookupError(word)
        self.at += 1
        return word

    def qualified_name(self) -> str:
        """Pass a plain name with those of its schema and catalog."""
        parts = [self.name()]
        while not self.done() and self.next_is("."):
            self.take(".")
            parts.append(self.name())
        return ".".join(parts)

    def skip(self, ends: tuple[str, ...] = ()) -> Part:
        """Pass everything up to the parenthesis that closes what is open here, or one of ``ends`` outside of others;
        from where to where that is in the text."""
        first, depth = self.at, 0
        while not self.done() and (depth or self.words[self.at] not in (")", *ends)):
            depth += (self.words[self.at] == "(") - (self.words[self.at] == ")")
            self.at += 1
        if self.at == first:
            raise LookupError("nothing")
        return self.spelled[first].start, self.spelled[self.at - 1].end

    def in_parentheses(self) -> Part:
        """Pass what stands in parentheses; from where to where it is, without them."""
        self.take("(")
        inside = self.skip()
        self.take(")")
        return inside

    def names_in_parentheses(self) -> tuple[str, ...]:
        """Pass plain names in parentheses."""
        self.take("(")
        found = [self.name()]
        while self.next_is(","):
            self.take(",")
            found.append(self.name())
        self.take(")")
        return tuple(found)

    def listed(self, ends: tuple[str, ...]) -> tuple[Part, ...]:
        """Pass parts with commas between them, up to one of ``ends``."""
        found = [self.skip((",", *ends))]
        while self.next_is(","):
            self.take(",")
            found.append(self.skip((",", *ends)))
        return tuple(found)

    def place(self) -> int:
        """Where the next word begins; LookupError if there is none."""
        return self.spelled[self.at].start

    def end(self) -> int:
        """Where the last word that was passed ends."""
        return self.spelled[self.at - 1].end

    def near(self) -> str:
        """The words that come next, a few of them."""
        return " ".join(w.spelled for w in self.spelled[self.at : self.at + 3])

    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at == len(self.words)
