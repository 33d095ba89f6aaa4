"""The words of a SQL text, each with its place in the file.

A literal is read that spells its text character by character, so that offsets in the text are offsets in the file.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.constant_text import assigned
from headwater.syntax.names.spelled_sql import is_filled_in
from headwater_ir.span import Span

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
def _words_of(text: str) -> tuple[Word, ...] | None:
    """The words of a text, comments left out; None for one that is no SQL."""
    import sqlglot

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
        trees = sqlglot.parse(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    return trees[0] if len(trees) == 1 and isinstance(trees[0], exp.Expression) else None


@dataclass(frozen=True)
class SqlText:
    """A SQL text and where it begins in the file."""

    text: str
    offset: int
    words: tuple[Word, ...]

    @staticmethod
    def of(node: ast.expr, reader: ApiContext) -> SqlText | None:
        """The text of a literal, if its characters are those of the file."""
        if isinstance(node, ast.Name) and reader.names.loads(node.id) == 1:
            node = assigned(node, reader.names, reader.lookup)  # who changes the text changes it for this one reader
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return None
        span, spelled = reader.names.ctx.span(node), reader.names.ctx.text(node)
        quotes = 3 if spelled[:3] in ('"""', "'''") else 1
        if "\\" in spelled or spelled[quotes:-quotes] != node.value or is_filled_in(spelled):
            return None
        words = _words_of(node.value)
        return None if words is None else SqlText(node.value, span.start + quotes, words)

    def span(self, part: Part) -> Span:
        """A part of the text as a part of the file."""
        return Span(self.offset + part[0], self.offset + part[1])

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
