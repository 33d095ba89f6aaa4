"""Table functions that are called in SQL text: ``spark.sql("SELECT * FROM top2(TABLE(t) PARTITION BY k)")``.

Read is one form: ``SELECT * FROM f(TABLE(argument) …) [[AS] name] [WHERE condition]``, where the argument is the name
of a table or view, or a query, and ``…`` is ``PARTITION BY`` columns or ``WITH SINGLE PARTITION``, perhaps with
``ORDER BY``; The table function is the class that
``spark.udtf.register`` of this file, at its top level and before, gives that name; that nobody else gives it another
one in between is an assumption. A pre-filter goes into the argument: ``TABLE(SELECT * FROM t WHERE …)``.

A literal is read that spells its text character by character, so that offsets in the text are offsets in the file.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import named_table
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.sql import pieces, read_sql
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.session_names import reads_as
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.names.spelled_sql import is_filled_in
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import UNKNOWN_SCHEMA, Conjunct, Filter, Scan
from headwater_ir.span import Span

from . import udtf

if TYPE_CHECKING:
    from sqlglot.tokens import Token  # type: ignore[attr-defined]

_IN_TEXT = "a condition in SQL text, which stays"


def read(node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """What ``spark.sql`` of such a text yields; None if ``node`` is no such call."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "sql" or len(node.args) != 1 or node.keywords:
        return None
    text = _Text.of(node.args[0], reader)
    if text is None or not reads_as(node.func.value, "session", reader.names):
        return None
    found = _call_in(text)
    registered = None if found is None else _registered(found.function, node, reader)
    if found is None or registered is None:
        return None
    span = reader.names.ctx.span(node)
    source = _argument(text, found.argument, node, reader)
    if source is None:
        return None
    try:
        frame = _applied(found, registered, source, text, node, reader)
    except Refusal as refusal:
        return reader.opaque(source, refusal, span)
    if not found.where:
        return frame
    condition = text.span(found.where)
    return _filtered(frame, text, found.where, Span(text.offset + found.where_word, condition.end), reader)


def _applied(
    found: _Call, registered: ast.Call, source: TrackedFrame, text: _Text, node: ast.Call, reader: ApiContext
) -> TrackedFrame:
    definition, given = udtf.definition(registered.args[1], reader)
    use = udtf.use_of(source, found.keys, given, reader)
    certain = [Assumption("names", f"`{found.function}` in SQL is the table function that this file registers")]
    read = {word.spelled.lower(): word.spelled for word in text.words}
    views = sorted(reader.world.views.keys() & read)
    certain += [Assumption("names", f"`{read[n]}` in SQL is the view that this file registers") for n in views]
    span = reader.names.ctx.span(node)
    place = udtf.place_of(definition, span, text.offset + found.argument[1], reader)
    place = replace(place, sql_argument=text.span(found.argument))
    reader.world.bound_at[place] = reader.snapshot()
    return udtf.applied(source, definition, use, place, reader, tuple(certain))


@dataclass(frozen=True)
class _Word:
    """One word of a text, and from where to where it stands there."""

    spelled: str
    start: int
    end: int


def _words(text: str, token: Token) -> list[_Word]:
    """The words of a token: of keywords like ``PARTITION BY`` two."""
    whole = text[token.start : token.end + 1]
    if not _KEYWORDS.fullmatch(whole):
        return [_Word(whole, token.start, token.end + 1)]
    return [_Word(m[0], token.start + m.start(), token.start + m.end()) for m in _KEYWORD.finditer(whole)]


_KEYWORD = re.compile(r"[A-Za-z]+")
_KEYWORDS = re.compile(r"[A-Za-z]+(\s+[A-Za-z]+)+")


@dataclass(frozen=True)
class _Text:
    """A SQL text and where it begins in the file."""

    text: str
    offset: int
    words: tuple[_Word, ...]

    @staticmethod
    def of(node: ast.expr, reader: ApiContext) -> _Text | None:
        """The text of a literal, if its characters are those of the file."""
        import sqlglot

        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or "(" not in node.value:
            return None
        span, spelled = reader.names.ctx.span(node), reader.names.ctx.text(node)
        quotes = 3 if spelled[:3] in ('"""', "'''") else 1
        if "\\" in spelled or spelled[quotes:-quotes] != node.value or is_filled_in(spelled):
            return None
        try:
            tokens = sqlglot.tokenize(node.value, read="spark")
        except sqlglot.errors.SqlglotError:
            return None
        words = tuple(word for t in tokens for word in _words(node.value, t))
        return None if any(t.comments for t in tokens) else _Text(node.value, span.start + quotes, words)

    def span(self, part: tuple[int, int]) -> Span:
        """A part of the text as a part of the file."""
        return Span(self.offset + part[0], self.offset + part[1])


@dataclass(frozen=True)
class _Call:
    """The parts of such a text. ``argument`` and ``where``: from where to where in the text; ``where_word``: where the
    word begins; ``keys``: the partitioning columns, none for one partition."""

    function: str
    argument: tuple[int, int]
    keys: tuple[str, ...]
    where: tuple[int, int] | None
    where_word: int


class _Tokens:
    """The tokens of a text, read from left to right. LookupError where the text is another one."""

    def __init__(self, text: _Text) -> None:
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

    def skip(self, ends: tuple[str, ...] = ()) -> tuple[int, int]:
        """Pass everything up to the parenthesis that closes what is open here, or one of ``ends`` outside of others;
        from where to where that is in the text."""
        first, depth = self.at, 0
        while depth or self.words[self.at] not in (")", *ends):
            depth += (self.words[self.at] == "(") - (self.words[self.at] == ")")
            self.at += 1
        if self.at == first:
            raise LookupError("nothing")
        return self.spelled[first].start, self.spelled[self.at - 1].end

    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at == len(self.words)


def _call_in(text: _Text) -> _Call | None:
    tokens = _Tokens(text)
    try:
        tokens.take("SELECT", "*", "FROM")
        function = tokens.name()
        tokens.take("(", "TABLE", "(")
        argument = tokens.skip()
        tokens.take(")")
        keys = _partitioning(tokens)
        if tokens.next_is("ORDER", "BY"):
            tokens.skip()  # what holds for every order of the rows holds for this one
        tokens.take(")")
        if not tokens.done() and not tokens.next_is("WHERE"):
            if tokens.next_is("AS"):
                tokens.take("AS")
            tokens.name()
        where, word = None, 0
        if not tokens.done():
            word = text.words[tokens.at].start
            tokens.take("WHERE")
            where = _rest(tokens)
    except LookupError:
        return None
    return _Call(function, argument, keys, where, word)


def _partitioning(tokens: _Tokens) -> tuple[str, ...]:
    if tokens.next_is("WITH"):
        tokens.take("WITH", "SINGLE", "PARTITION")
        return ()
    tokens.take("PARTITION", "BY")
    listed = tokens.next_is("(")
    if listed:
        tokens.take("(")
    keys = [tokens.name()]
    while tokens.next_is(","):
        tokens.take(",")
        keys.append(tokens.name())
    if listed:
        tokens.take(")")
    return tuple(keys)


_AFTER_WHERE = {"GROUP", "HAVING", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "UNION", "INTERSECT",
                "EXCEPT", "MINUS", "WINDOW", "QUALIFY", "LATERAL", "|>", ";"}  # fmt: skip


def _rest(tokens: _Tokens) -> tuple[int, int]:
    """Everything that is left, if it is one condition."""
    first, depth = tokens.at, 0
    for word in tokens.words[first:]:
        depth += (word == "(") - (word == ")")
        if depth < 0 or (depth == 0 and word in _AFTER_WHERE):
            raise LookupError(word)
    tokens.at = len(tokens.words)
    return tokens.spelled[first].start, tokens.spelled[-1].end


def _argument(text: _Text, part: tuple[int, int], node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """The frame of a table's name, of ``SELECT * FROM name [WHERE condition]``, or of another query; else None."""
    inside = tuple(w for w in text.words if part[0] <= w.start < part[1])
    tokens = _Tokens(replace(text, words=inside))
    try:
        if not tokens.next_is("SELECT") and not tokens.next_is("WITH"):
            frame = named_table(tokens.qualified_name(), node, reader)
            return frame if tokens.done() else None
    except LookupError:
        return None
    try:
        tokens.take("SELECT", "*", "FROM")
        frame = named_table(tokens.qualified_name(), node, reader)
        if tokens.done():
            return frame
        word = inside[tokens.at].start
        tokens.take("WHERE")
        where = _rest(tokens)
    except LookupError:
        return reader.frame(Scan("spark.sql", "unknown", UNKNOWN_SCHEMA, reader.names.ctx.span(node)), UNKNOWN_SCHEMA)
    return _filtered(frame, text, where, Span(text.offset + word, text.span(where).end), reader)


def _filtered(
    frame: TrackedFrame, text: _Text, where: tuple[int, int], call: Span, reader: ApiContext
) -> TrackedFrame:  # fmt: skip
    """The rows for which the condition holds. It is never taken out of the text, so that it is not all read."""
    condition, said = text.span(where), text.text[where[0] : where[1]]
    columns = reader.columns(frame)
    plan = Filter(frame.plan, (), call, condition, "sql", unread=_IN_TEXT)
    try:
        found = tuple(
            Conjunct(
                spark_functions.boolean(read_sql(said[start:end], columns)),
                Span(condition.start + start, condition.start + end),
            )
            for start, end in pieces(said)
        )
        reader.names.settings.check()
    except Refusal as refusal:
        return reader.opaque(frame, refusal, call, same_columns=True)
    plan = replace(plan, conjuncts=found)
    reader.world.filters.append(plan)
    return reader.same_rows(frame, plan, row_facts.of_filter(found))


def _registered(name: str, node: ast.Call, reader: ApiContext) -> ast.Call | None:
    """The call that registers the table function ``name``: the only one of the file, before ``node``, and certain to
    have run. None if it is not known which function the text means."""
    found: list[ast.Call] = []
    ctx = reader.names.ctx
    for call in (n for n in ast.walk(ctx.tree) if isinstance(n, ast.Call)):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="udtf", value=session), attr="register"),
                args=[ast.Constant(value=str() as given), _], keywords=[],
            ) if reads_as(session, "session", reader.names):  # fmt: skip
                if given.lower() == name.lower():
                    found.append(call)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="udtf"), attr="register")):
                return None  # under a name that is not known
    if len(found) != 1 or ctx.span(found[0]).end > ctx.span(node).start:
        return None
    at_top = any(isinstance(s, ast.Expr) and s.value is found[0] for s in ctx.tree.body)
    return found[0] if at_top else None
