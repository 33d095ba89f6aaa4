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
from dataclasses import dataclass, replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import named_table
from headwater.pyspark.api.user_functions import udtf
from headwater.pyspark.frames.session_names import reads_as
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import UNKNOWN_SCHEMA, Scan

from . import query
from .calls import text_of_call
from .tokens import AFTER_WHERE, Part, SqlText, Tokens


def read(node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """What ``spark.sql`` of such a text yields; None if ``node`` is no such call."""
    try:
        text = text_of_call(node, reader)
    except Refusal:
        return None
    found = None if text is None else _call_in(text)
    registered = None if found is None else _registered(found.function, node, reader)
    if text is None or found is None or registered is None:
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
    return query.filtered(frame, text, found.where, found.where_word, reader)


def _applied(
    found: _Call, registered: ast.Call, source: TrackedFrame, text: SqlText, node: ast.Call, reader: ApiContext
) -> TrackedFrame:
    definition, given = udtf.definition(registered.args[1], reader)
    use = udtf.use_of(source, found.keys, given, reader)
    certain = [Assumption("names", f"`{found.function}` in SQL is the table function that this file registers")]
    read = {word.spelled.lower(): word.spelled for word in text.words}
    views = sorted(reader.world.views.keys() & read)
    certain += [Assumption("names", f"`{read[n]}` in SQL is the view that this file registers") for n in views]
    span = reader.names.ctx.span(node)
    argument = text.place(found.argument)
    place = replace(udtf.place_of(definition, source, span, argument.end, reader), sql_argument=argument)
    reader.world.bound_at[place] = reader.snapshot()
    return udtf.applied(source, definition, use, place, reader, tuple(certain))


@dataclass(frozen=True)
class _Call:
    """The parts of such a text. ``argument`` and ``where``: from where to where in the text; ``where_word``: where the
    word begins; ``keys``: the partitioning columns, none for one partition."""

    function: str
    argument: Part
    keys: tuple[str, ...]
    where: Part | None
    where_word: int


def _call_in(text: SqlText) -> _Call | None:
    tokens = Tokens(text)
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
            where = tokens.skip(AFTER_WHERE)
            if not tokens.done():
                return None
    except LookupError:
        return None
    return _Call(function, argument, keys, where, word)


def _partitioning(tokens: Tokens) -> tuple[str, ...]:
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


def _argument(text: SqlText, part: Part, node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """The frame of a table's name, or of a query; None for anything else."""
    inside = text.within(part)
    tokens = Tokens(inside)
    try:
        if not tokens.next_is("SELECT") and not tokens.next_is("WITH"):
            frame = named_table(tokens.qualified_name(), node, reader)
            return frame if tokens.done() else None
    except LookupError:
        return None
    try:
        return query.frame_of(inside, node, reader)
    except Refusal:
        return reader.frame(Scan("spark.sql", "unknown", UNKNOWN_SCHEMA, reader.names.ctx.span(node)), UNKNOWN_SCHEMA)


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
