"""Queries in SQL text as plans: ``SELECT k, max(x) AS m FROM t JOIN u USING (k) WHERE … GROUP BY k HAVING …``.

What is read of a text is in ``clauses``; a table, a view, a query in parentheses or one of a WITH clause that nothing
else reads is a frame like any other. A text that is not read is a frame of which nothing is known.

A pre-filter goes into the WHERE clause; what the text says itself stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.select import selected
from headwater.pyspark.api.select_expr import read_column
from headwater.pyspark.api.sources import is_command, named_table, read_source
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.sql import pieces, read_sql
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE
from headwater_ir.plan import Cause, Conjunct, Distinct, Filter, Limit, Project, Sort
from headwater_ir.span import Span

from . import grouped, joins, plain_select, set_operations, udtf_in_sql
from .calls import text_of_call
from .clauses import Query, Relation, Select, query_in
from .tokens import IN_TEXT, Part, SqlText

_FILTERS = re.compile(r"[\"'(]\s*(select|with)\b.*\b(where|having)\b", re.IGNORECASE | re.DOTALL)
"""A query that seems to hold conditions."""
_Known = Mapping[str, TrackedFrame]


def read(node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """What ``spark.sql`` of a query yields; None if ``node`` is no such call."""
    text = None
    try:
        text = text_of_call(node, reader)
        return None if text is None else frame_of(text, node, reader)
    except Refusal as refusal:
        return _unread(refusal, text, node, reader)


def _unread(refusal: Refusal, text: SqlText | None, node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """What a query yields that is not read: nothing is known of it but the reason, which is given for each filter above
    it, and once for those that it may hold itself."""
    source = read_source(node, reader)
    if source is None or is_command(source.plan):
        return None
    span = reader.names.ctx.span(node) if text is None else text.span((text.words[0].start, text.words[-1].end))
    kind = plain_select.kind_of(node, reader) if text is None else None
    known = frozenset[Cause]({"row by row"} if kind else ())
    frame = reader.opaque(source, refusal, span, same_columns=True, known=known)
    if kind == "distinct":
        frame = reader.same_rows(frame, Distinct(frame.plan, span))
    if _FILTERS.search(reader.names.ctx.text(node) if text is None else f"({text.text}"):
        _say_why(frame, span, reader)
    return frame


def _say_why(frame: TrackedFrame, span: Span, reader: ApiContext) -> None:
    """Report why conditions at ``span`` are not read, of which ``frame`` is the result."""
    reader.world.filters.append(Filter(frame.plan, (Conjunct(TRUE, span),), span, span, "sql"))


def frame_of(text: SqlText, node: ast.Call, reader: ApiContext) -> TrackedFrame:
    """The frame that the query ``text`` yields; Refusal if it is no query that is read here. All of the text is read
    before any of its tables is: a view that only a part of it reads would be taken for one with a single reader."""
    return _Reader(text, node, reader).query(query_in(text), {})


class _Reader:
    """The frames of a text."""

    def __init__(self, text: SqlText, node: ast.Call, reader: ApiContext) -> None:
        self.text, self.node, self.reader = text, node, reader

    def query(self, query: Query, known: _Known) -> TrackedFrame:
        known, span = dict(known), self.text.span(query.part)
        for name, view in query.views.items():
            known[name.lower()] = self.query(view, known)
        frame = self._term(query.first, known)
        for operator, term in query.rest:
            other = self._term(term, known)
            try:
                frame = set_operations.combined(frame, other, operator, span, self.reader)
            except Refusal as refusal:
                frame = self.reader.opaque(frame, refusal, span)
        if query.order:
            frame = self.reader.same_rows(frame, Sort(frame.plan, span))
        return self.reader.same_rows(frame, Limit(frame.plan, "LIMIT", span)) if query.limit else frame

    def _term(self, term: Select | Query, known: _Known) -> TrackedFrame:
        return self.query(term, known) if isinstance(term, Query) else self._select(term, known)

    def _relation(self, relation: Relation, known: _Known) -> TrackedFrame:
        said, span = self.text.spelled(relation.part), self.text.span(relation.part)
        if relation.query is not None:
            found, name = self.query(relation.query, known), ""
        elif relation.call is not None:
            call, argument = relation.call
            source = (
                udtf_in_sql.unread(self.text, call, self.node, self.reader)
                if argument is None
                else self._relation(argument, known)
            )
            found, name = udtf_in_sql.called(call, source, self.text, span, self.node, self.reader), ""
        else:
            found = known.get(said.lower()) or named_table(said, self.node, self.reader)
            name = said.rpartition(".")[2]
        plan = Project(found.plan, (), True, (), span)
        return replace(self.reader.same_rows(found, plan), alias=relation.alias or name)

    def _select(self, query: Select, known: _Known) -> TrackedFrame:
        reader, text, span = self.reader, self.text, self.text.span(query.part)
        frame = first = self._relation(query.source, known)
        others = [self._relation(join.right, known) for join in query.joins]
        try:
            for join, right in zip(query.joins, others, strict=True):
                frame = joins.joined(frame, right, join, text, reader)
            if query.where is not None:
                frame = filtered(frame, text, query.where, query.where_word, reader)
            if grouped.has_aggregates(query, text):
                frame = grouped.aggregated(query, text, frame, self.node, span, reader)
            else:
                frame = self._projected(query, frame, [first, *others], span)
        except Refusal as refusal:
            frame = reader.opaque(frame, refusal, span)
            if query.having is not None:
                _say_why(frame, text.span(query.having), reader)
            return frame
        return reader.same_rows(frame, Distinct(frame.plan, span)) if query.distinct else frame

    def _projected(
        self, query: Select, frame: TrackedFrame, tables: list[TrackedFrame], span: Span
    ) -> TrackedFrame:  # fmt: skip
        columns = self.reader.columns(frame, joins=True)
        columns.qualified = True
        terms: list[tuple[str, Term]] = []
        stars = False
        for item in map(self.text.spelled, query.items):
            of = item.removesuffix(".*").lower() if item.endswith(".*") else None
            owner = next((t for t in tables if of is not None and (t.alias or "").lower() == of), None)
            if item == "*" or (owner is not None and len(tables) == 1):
                stars = True
            elif owner is not None and owner.schema.complete:
                terms += [(f.name, columns.reference(f"{of}.{f.name}")) for f in owner.schema.fields]
            elif of is not None:
                raise Refusal("opaque", f"which columns `{item}` selects is not known")
            else:
                terms.append(read_column(item, columns, self.reader))
        if len({name.lower() for name, _ in terms}) < len(terms):
            raise Refusal("attribute-capture", "the query makes two columns of the same name")
        return selected(frame, terms, stars, span, self.reader) if terms else frame


def filtered(frame: TrackedFrame, text: SqlText, where: Part, word: int, reader: ApiContext) -> TrackedFrame:
    """The rows for which the condition holds. It is never taken out of the text, so that it is not all read."""
    columns = reader.columns(frame, joins=True)
    columns.qualified = True
    condition, said = text.span(where), text.spelled(where)
    call = text.span((word, where[1]))
    plan = Filter(frame.plan, (), call, condition, "sql", unread=IN_TEXT)
    try:
        found = tuple(
            Conjunct(
                spark_functions.boolean(read_sql(said[start:end], columns)),
                text.span((where[0] + start, where[0] + end)),
            )
            for start, end in pieces(said)
        )
        reader.names.settings.check()
    except Refusal as refusal:
        return reader.opaque(frame, refusal, call, same_columns=True)
    plan = replace(plan, conjuncts=found)
    reader.world.filters.append(plan)
    return reader.same_rows(frame, plan, row_facts.of_filter(found))
