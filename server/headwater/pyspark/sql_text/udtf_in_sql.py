"""Table functions that are called in SQL text: ``SELECT * FROM top2(TABLE(t) PARTITION BY k)``.

The table function is the class that ``spark.udtf.register`` of this file gives that name, in a statement that has
surely run before; that nobody else gives it another one in between is an assumption. A pre-filter goes into the
argument: ``TABLE(SELECT * FROM t WHERE …)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.user_functions import udtf
from headwater.pyspark.frames.session_names import reads_as
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import UNKNOWN_SCHEMA, Scan
from headwater_ir.span import Span

from .table_calls import TableCall
from .tokens import SqlText


def unread(text: SqlText, call: TableCall, node: ast.Call, reader: ApiContext) -> TrackedFrame:
    """An argument of which nothing is known. Refusal if it may read a view of the file: it would be a reader that is
    not counted."""
    words = {word.spelled.lower() for word in text.within(call.argument).words}
    if words & reader.world.views:
        raise Refusal("opaque", f"the SQL text has an argument of `{call.function}` that is not read")
    return reader.frame(Scan("spark.sql", "unknown", UNKNOWN_SCHEMA, reader.names.ctx.span(node)), UNKNOWN_SCHEMA)


def called(
    call: TableCall, source: TrackedFrame, text: SqlText, span: Span, node: ast.Call, reader: ApiContext
) -> TrackedFrame:
    """What a call at ``span`` of the text yields, of the rows of ``source``."""
    try:
        return _applied(call, source, text, span, node, reader)
    except Refusal as refusal:
        return reader.opaque(source, refusal, span)


def _applied(
    call: TableCall, source: TrackedFrame, text: SqlText, span: Span, node: ast.Call, reader: ApiContext
) -> TrackedFrame:
    definition, given = udtf.definition(_registered(call.function, node, reader).args[1], reader)
    use = udtf.use_of(source, call.keys, given, reader)
    certain = [Assumption("names", f"`{call.function}` in SQL is the table function that this file registers")]
    read = {word.spelled.lower(): word.spelled for word in text.words}
    views = sorted(reader.world.views & read.keys())
    certain += [Assumption("names", f"`{read[n]}` in SQL is the view that this file registers") for n in views]
    argument = text.place(call.argument)
    place = replace(udtf.place_of(definition, source, span, argument.end, reader), sql_argument=argument)
    reader.world.bound_at[place] = reader.snapshot()
    return udtf.applied(source, definition, use, place, reader, tuple(certain))


def _registered(name: str, node: ast.Call, reader: ApiContext) -> ast.Call:
    """The call that registers the table function ``name``: the only one of the file, in a statement that has run where
    ``node`` does. Refusal if it is not known which function the text means."""
    found: list[ast.Call] = []
    ctx = reader.names.ctx
    for call in (n for n in ast.walk(ctx.tree) if isinstance(n, ast.Call)):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="udtf", value=session), attr="register"),
                args=[ast.Constant(value=str() as given), _], keywords=[],
            ) if reads_as(session, "session", reader.names, reader.lookup):  # fmt: skip
                if given.lower() == name.lower():
                    found.append(call)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="udtf"), attr="register")):
                raise Refusal("opaque", "a table function is registered under a name that is not known", call)
    before = [s.value for s in _before(ctx.tree.body, node) if isinstance(s, (ast.Expr, ast.Assign))]
    if len(found) != 1 or not any(value is found[0] for value in before):
        raise Refusal("opaque", f"`{name}` is not known to be one table function that this file has registered by then")
    return found[0]


def _before(body: Sequence[ast.stmt], node: ast.AST) -> Iterator[ast.stmt]:
    """The statements that have run wherever ``node`` does: those in front of it in each block that it stands in."""
    for number, statement in enumerate(body):
        if any(n is node for n in ast.walk(statement)):
            yield from body[:number]
            for inner in _blocks(statement):
                yield from _before(inner, node)
            return


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    for part in parts:
        yield from (getattr(part, name) for name in ("body", "orelse", "finalbody") if hasattr(part, name))
