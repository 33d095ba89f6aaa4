"""Queries in SQL text as plans: ``SELECT k, max(x) AS m FROM t WHERE … GROUP BY k HAVING …``.

Read is one SELECT over a table, a view, a query in parentheses or one of a WITH clause that nothing else reads. The
clauses are found by their words, so that their places are known, and each is read alone; the text is taken for a query
only if sqlglot reads exactly these clauses of it. Everything else is no query here.

A pre-filter goes into the WHERE clause; what the text says itself stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.pyspark.api.aggregates import groupby
from headwater.pyspark.api.aggregates.aggregate import Result
from headwater.pyspark.api.aggregates.aggregate_calls import Aggregates, InGroup
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.select import selected
from headwater.pyspark.api.select_expr import read_column
from headwater.pyspark.api.sources import named_table
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import pieces, read_sql, read_tree
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.session_names import reads_as
from headwater.pyspark.frames.tracked_values import Grouped, TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.plan import Boundary, Conjunct, Distinct, Filter, Limit, Project, Sort
from headwater_ir.span import Span

from .tokens import AFTER_WHERE, Part, SqlText, Tokens

if TYPE_CHECKING:
    from sqlglot import exp

_IN_TEXT = "a condition in SQL text, which stays"
_CLAUSES = ("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT")
_JOINS = "JOIN INNER LEFT RIGHT FULL CROSS NATURAL SEMI ANTI PIVOT UNPIVOT TABLESAMPLE ON USING FROM , )".split()
_READ = frozenset("expressions from from_ where group having order limit distinct with with_".split())
"""What sqlglot tells of a query that is read here."""


@dataclass(frozen=True)
class _Query:
    """The clauses of a query, each from where to where in the text. ``end``: where its FROM clause ends."""

    items: tuple[Part, ...]
    source: Part
    alias: str | None
    end: int
    where: Part | None = None
    where_word: int = 0
    keys: tuple[Part, ...] = ()
    having: Part | None = None
    having_word: int = 0
    distinct: bool = False
    order: bool = False
    limit: bool = False
    views: Mapping[str, Part] = field(default_factory=dict)


def read(node: ast.Call, reader: ApiContext) -> TrackedFrame | None:
    """What ``spark.sql`` of a query yields; None if ``node`` is no such call."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "sql" or len(node.args) != 1 or node.keywords:
        return None
    text = SqlText.of(node.args[0], reader)
    if text is None or not text.words or not reads_as(node.func.value, "session", reader.names):
        return None
    return frame_of(text, node, reader)


def frame_of(
    text: SqlText, node: ast.Call, reader: ApiContext, views: Mapping[str, TrackedFrame] | None = None
) -> TrackedFrame | None:
    """The frame that the query ``text`` yields; None if it is no query that is read here."""
    try:
        query = _clauses(text)
    except LookupError:
        return None
    if not _agrees(query, text):
        return None
    known = dict(views or {})
    for name, part in query.views.items():
        made = frame_of(text.within(part), node, reader, known)
        if made is None:
            return None
        known[name.lower()] = made
    frame = _source(query, text, node, reader, known)
    return None if frame is None else _made(query, text, frame, node, reader)


def _source(
    query: _Query, text: SqlText, node: ast.Call, reader: ApiContext, known: Mapping[str, TrackedFrame]
) -> TrackedFrame | None:  # fmt: skip
    said = text.spelled(query.source)
    if said.startswith("("):
        found = frame_of(text.within((query.source[0] + 1, query.source[1] - 1)), node, reader, known)
    else:
        found = known.get(said.lower()) or named_table(said, node, reader)
    if found is None:
        return None
    called = reader.same_rows(found, Project(found.plan, (), True, (), text.span(query.source)))
    name = "" if said.startswith("(") else said.rpartition(".")[2]
    return replace(called, alias=query.alias or name)


def _made(query: _Query, text: SqlText, frame: TrackedFrame, node: ast.Call, reader: ApiContext) -> TrackedFrame:
    span = text.span((text.words[0].start, text.words[-1].end))
    if query.where is not None:
        frame = filtered(frame, text, query.where, query.where_word, reader)
    try:
        if query.keys or query.having is not None or _aggregates(query, text):
            frame = _grouped(query, text, frame, node, span, reader)
        else:
            frame = _projected(query, text, frame, span, reader)
    except Refusal as refusal:
        return reader.opaque(frame, refusal, span)
    if query.distinct:
        frame = reader.same_rows(frame, Distinct(frame.plan, span))
    if query.order:
        frame = reader.same_rows(frame, Sort(frame.plan, span))
    return reader.same_rows(frame, Limit(frame.plan, "LIMIT", span)) if query.limit else frame


def filtered(frame: TrackedFrame, text: SqlText, where: Part, word: int, reader: ApiContext) -> TrackedFrame:
    """The rows for which the condition holds. It is never taken out of the text, so that it is not all read."""
    return _filtered(frame, text, where, word, reader.columns(frame), reader)


def _filtered(
    frame: TrackedFrame, text: SqlText, where: Part, word: int, columns: ColumnReader, reader: ApiContext
) -> TrackedFrame:
    condition, said = text.span(where), text.spelled(where)
    call = Span(text.offset + word, condition.end)
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


# --- what is selected


def _projected(query: _Query, text: SqlText, frame: TrackedFrame, span: Span, reader: ApiContext) -> TrackedFrame:
    columns = reader.columns(frame)
    items = [text.spelled(item) for item in query.items]
    terms = [read_column(item, columns, reader) for item in items if item != "*"]
    if len({name.lower() for name, _ in terms}) < len(terms):
        raise Refusal("attribute-capture", "the query makes two columns of the same name")
    stars = len(items) - len(terms)
    if stars and not terms:
        return frame
    return selected(frame, terms, bool(stars), span, reader)


def _aggregates(query: _Query, text: SqlText) -> bool:
    from sqlglot import exp

    trees = [_parsed(text.spelled(item)) for item in query.items]
    return any(t is not None and t.find(exp.AggFunc) for t in trees)


def _grouped(
    query: _Query, text: SqlText, frame: TrackedFrame, node: ast.Call, span: Span, reader: ApiContext
) -> TrackedFrame:
    columns = reader.columns(frame)
    trees = [_tree(text.spelled(item)) for item in query.items]
    keys = tuple(_key(text.spelled(key), trees, columns, reader) for key in query.keys)
    if len(set(keys)) < len(keys):
        raise Refusal("attribute-capture", "the same grouping key twice")
    found = Aggregates()
    inside = InGroup(columns, keys, found)
    terms: list[tuple[str, Term]] = []
    for number, tree in enumerate(trees):
        term = read_tree(_value(tree), inside)
        if columns_of(term.expr) <= set(keys):
            if not isinstance(term.expr, Col):
                raise Refusal("opaque", f"`{tree.sql('spark')}` is computed of keys")
            terms.append((tree.alias_or_name, term))
            continue
        name = tree.alias or f"<unnamed {number}>"
        found.results.append(Result(name, term))
        terms.append((name, Term(Col(name), term.type, name=name)))
    having = _Having(columns, keys, found, terms)
    conjuncts = [] if query.having is None else having.conjuncts_of(text.spelled(query.having))
    for name, _ in terms:
        reader.names.spell(name)
    if query.where is not None and not is_rowwise_sql(text.spelled(query.where), reader.names):
        # Beside `rand() > 0.5` in one condition, Spark evaluates the pre-filter first, and draws for fewer rows.
        raise Refusal("volatile", "the condition of the WHERE clause may be more than a function of its row")
    assert isinstance(node.func, ast.Attribute)
    grouped = groupby.without_sessions(
        Grouped(frame, keys, text.offset + query.end, reader.snapshot(), node.func), reader
    )
    where = Span(grouped.insert_at, grouped.insert_at) if query.where is None else text.span(query.where)
    place = Boundary("GROUP BY" if keys else "SELECT", None, span, grouped.insert_at, sql_where=where)
    made = groupby.aggregated(grouped, found, place, reader)
    if query.having is not None:
        call = Span(text.offset + query.having_word, text.span(query.having).end)
        start = text.span(query.having).start
        parts = tuple(Conjunct(e, Span(start + a, start + b)) for e, (a, b) in conjuncts)
        plan = Filter(made.plan, parts, call, text.span(query.having), "sql", unread=_IN_TEXT)
        reader.names.settings.check()
        reader.world.filters.append(plan)
        made = reader.same_rows(made, plan, row_facts.of_filter(parts))
    if [n for n, _ in terms] == [f.name for f in made.schema.fields] and all(t.expr == Col(n) for n, t in terms):
        return made
    return selected(made, terms, False, span, reader)


def _key(said: str, trees: list[exp.Expression], columns: ColumnReader, reader: ApiContext) -> str:
    """The column that a GROUP BY clause names, by itself or by its number among what is selected."""
    if said.isdigit() and reader.names.settings.may_be("spark.sql.groupByOrdinal", "false"):
        raise Refusal("opaque", f"`{said}` may be a constant")
    tree = trees[int(said) - 1] if said.isdigit() and 0 < int(said) <= len(trees) else _tree(said)
    term = read_tree(_value(tree), columns)
    if term.name is None or term.expr != Col(term.name):
        raise Refusal("attribute-capture", f"the grouping key `{said}` is computed")
    others = [t for t in trees if t.alias and t.alias.lower() == term.name.lower()]
    if any(read_tree(_value(t), columns).expr != term.expr for t in others):
        raise Refusal("attribute-capture", f"the grouping key `{said}` is also the name of something else")
    return term.name


class _Having(InGroup):
    """Reads the condition of a HAVING clause: a name outside of aggregates is first that of something selected."""

    def __init__(
        self, columns: ColumnReader, keys: tuple[str, ...], found: Aggregates, terms: list[tuple[str, Term]]
    ) -> None:
        super().__init__(columns, keys, found)
        self.selected = {name.lower(): term for name, term in terms}

    def reference(self, name: str) -> Term:
        made = self.selected.get(name.lower())
        if made is not None and (made.name or "").lower() != name.lower():
            raise Refusal("attribute-capture", f"`{name}` is a key under another name")
        return made if made is not None else super().reference(name)

    def conjuncts_of(self, said: str) -> list[tuple[Expr, Part]]:
        """Each conjunct over the columns of the result, with its place."""
        made = [(spark_functions.boolean(read_sql(said[a:b], self)), (a, b)) for a, b in pieces(said)]
        return [(transform(e, self._as_output), part) for e, part in made]

    def _as_output(self, e: Expr) -> Expr | None:
        """An aggregate as a column of the result, one of its own if nothing selected is that aggregate."""
        if not isinstance(e, Col) or not e.name.startswith("#"):
            return None
        number, natives = int(e.name[1:]), self.found.natives
        plain = [(r.name, r.value.expr) for r in self.found.results if isinstance(r.value.expr, Col)]
        same = [name for name, of in plain if natives[int(of.name[1:])] == natives[number]]
        if not same:
            same = [f"{natives[number].function}#{number}"]
            self.found.results.append(Result(same[0], self.found.term(natives[number])))
        return Col(same[0])


# --- clauses


def _clauses(text: SqlText) -> _Query:
    tokens = Tokens(text)
    views = _views(tokens)
    tokens.take("SELECT")
    distinct = tokens.next_is("DISTINCT")
    if distinct:
        tokens.take("DISTINCT")
    items = _listed(tokens, ("FROM",))
    tokens.take("FROM")
    start = tokens.place()
    if tokens.next_is("("):
        tokens.take("(")
        tokens.skip()
        tokens.take(")")
    else:
        tokens.qualified_name()
    source = start, tokens.end()
    alias = None
    if tokens.next_is("AS"):
        tokens.take("AS")
        alias = tokens.name()
    elif not tokens.done() and tokens.words[tokens.at] not in (*_CLAUSES, *AFTER_WHERE, *_JOINS):
        alias = tokens.name()
    query = _Query(items, source, alias, tokens.end(), distinct=distinct, views=views)
    if tokens.next_is("WHERE"):
        word = tokens.place()
        tokens.take("WHERE")
        query = replace(query, where=tokens.skip(_CLAUSES), where_word=word)
    if tokens.next_is("GROUP", "BY"):
        tokens.take("GROUP", "BY")
        query = replace(query, keys=_listed(tokens, _CLAUSES))
    if tokens.next_is("HAVING"):
        word = tokens.place()
        tokens.take("HAVING")
        query = replace(query, having=tokens.skip(_CLAUSES), having_word=word)
    if tokens.next_is("ORDER", "BY"):
        tokens.take("ORDER", "BY")
        tokens.skip(_CLAUSES)
        query = replace(query, order=True)
    if tokens.next_is("LIMIT"):
        tokens.take("LIMIT")
        tokens.skip(_CLAUSES)
        query = replace(query, limit=True)
    if not tokens.done():
        raise LookupError(tokens.words[tokens.at])
    return query


def _views(tokens: Tokens) -> dict[str, Part]:
    """The queries of a WITH clause by name."""
    found: dict[str, Part] = {}
    more = tokens.next_is("WITH")
    while more:
        tokens.take("," if found else "WITH")
        name = tokens.name()
        tokens.take("AS", "(")
        found[name] = tokens.skip()
        tokens.take(")")
        if len(_uses(tokens, name)) != 1:
            raise LookupError(name)  # read by several, or by none
        more = tokens.next_is(",")
    return found


def _uses(tokens: Tokens, name: str) -> list[str]:
    """Where ``name`` stands, but for those of columns of it."""
    rest = tokens.words[tokens.at :]
    return [w for w, after in zip(rest, [*rest[1:], ""], strict=True) if w == name.upper() and after != "."]


def _listed(tokens: Tokens, ends: tuple[str, ...]) -> tuple[Part, ...]:
    """Parts with commas between them."""
    found = [tokens.skip((",", *ends))]
    while tokens.next_is(","):
        tokens.take(",")
        found.append(tokens.skip((",", *ends)))
    return tuple(found)


@lru_cache(maxsize=2048)
def _parsed(text: str) -> exp.Expression | None:
    """What sqlglot reads, for looking at only: a text is read in each pass and after each edit."""
    import sqlglot
    from sqlglot import exp

    try:
        trees = sqlglot.parse(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    return trees[0] if len(trees) == 1 and isinstance(trees[0], exp.Expression) else None


def _value(tree: exp.Expression) -> exp.Expression:
    """``tree`` without the name that it is given."""
    from sqlglot import exp

    return tree.this if isinstance(tree, exp.Alias) else tree


def _tree(text: str) -> exp.Expression:
    tree = _parsed(text)
    if tree is None:
        raise Refusal("opaque", f"`{text}` does not parse")
    return tree


def _agrees(query: _Query, text: SqlText) -> bool:
    """Whether sqlglot reads these clauses of the text and nothing else."""
    from sqlglot import exp

    tree = _parsed(text.spelled((text.words[0].start, text.words[-1].end)))
    if not isinstance(tree, exp.Select) or any(v for k, v in tree.args.items() if k not in _READ):
        return False
    source = (tree.args.get("from_") or tree.args.get("from")).this  # type: ignore[union-attr]
    group, where, having = (tree.args.get(k) for k in ("group", "where", "having"))
    inner = isinstance(source, exp.Subquery)
    plain = isinstance(source, exp.Table) and not any(
        v for k, v in source.args.items() if k not in ("this", "db", "catalog", "alias")
    )
    return (
        (inner or plain)
        and source.alias == (query.alias or "")
        and (inner or text.spelled(query.source).lower() == ".".join(p.name for p in source.parts).lower())
        and [_parsed(text.spelled(i)) for i in query.items] == list(tree.expressions)
        and (where and where.this) == (query.where and _parsed(text.spelled(query.where)))
        and (having and having.this) == (query.having and _parsed(text.spelled(query.having)))
        and (group is None) == (not query.keys)
        and (group is None or not any(v for k, v in group.args.items() if k != "expressions"))
        and [_parsed(text.spelled(k)) for k in query.keys] == (group.expressions if group else [])
        and (tree.args.get("distinct") is None or not tree.args["distinct"].args.get("on"))
    )
