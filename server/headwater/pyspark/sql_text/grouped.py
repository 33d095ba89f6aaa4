"""``SELECT … GROUP BY … HAVING …`` in SQL text: aggregates of the rows, a boundary whose pre-filter goes into WHERE."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.api.aggregates import groupby
from headwater.pyspark.api.aggregates.aggregate import Result
from headwater.pyspark.api.aggregates.aggregate_calls import Aggregates, InGroup
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.select import selected
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import pieces, read_sql, read_tree
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.frames import row_facts
from headwater.pyspark.frames.tracked_values import Grouped, TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Expr, columns_of, transform
from headwater_ir.plan import Boundary, Conjunct, Filter
from headwater_ir.span import Span

from .clauses import Select
from .tokens import IN_TEXT, Part, SqlText, parsed

if TYPE_CHECKING:
    from sqlglot import exp


def has_aggregates(query: Select, text: SqlText) -> bool:
    """Whether the SELECT groups rows, or aggregates all of them."""
    from sqlglot import exp

    trees = [parsed(text.spelled(item)) for item in query.items]
    return bool(query.keys) or query.having is not None or any(t is not None and t.find(exp.AggFunc) for t in trees)


def aggregated(
    query: Select, text: SqlText, frame: TrackedFrame, node: ast.Call, span: Span, reader: ApiContext
) -> TrackedFrame:
    """What the SELECT makes of ``frame``, its FROM clause and its condition; Refusal where it has no model."""
    columns = _Rows(frame, reader)
    trees = [_tree(text.spelled(item)) for item in query.items]
    keys = tuple(_key(text.spelled(key), trees, columns, reader) for key in query.keys)
    if len(set(keys)) < len(keys):
        raise Refusal("attribute-capture", "the same grouping key twice")
    found = Aggregates()
    inside = _OfGroup(columns, keys, found)
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
    at = text.place((query.end, query.end))
    where = at if query.where is None else text.place(query.where)
    frame, kind = columns.told(frame, span, reader), "GROUP BY" if keys else "SELECT"
    grouped = groupby.without_sessions(Grouped(frame, keys, at.start, reader.snapshot(), node.func), reader)
    place = Boundary(kind, None, span, at.start, sql_where=where, sql_tables=columns.tables())
    made = groupby.aggregated(grouped, found, place, reader)
    if query.having is not None:
        call, start = text.span((query.having_word, query.having[1])), query.having[0]
        parts = tuple(Conjunct(e, text.span((start + a, start + b))) for e, (a, b) in conjuncts)
        plan = Filter(made.plan, parts, call, text.span(query.having), "sql", unread=IN_TEXT)
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


class _Rows(ColumnReader):
    """Reads values of the rows of a FROM clause. A column that is qualified by its table (``t.c`` above a join) has
    its own name in what the aggregates read, if no other column that they read has it."""

    def __init__(self, frame: TrackedFrame, reader: ApiContext) -> None:
        super().__init__(reader.names, frame, reader.lookup)
        self.qualified = True
        self.below: dict[str, Term] = {}

    def reference(self, name: str) -> Term:
        term = super().reference(name)
        if not isinstance(term.expr, Col):
            return term
        own = term.expr.name.rpartition(".")[2]
        if self.below.setdefault(own, term).expr != term.expr:
            raise Refusal("attribute-capture", f"`{own}` is read with the name of its table and without, or of two")
        return replace(term, expr=Col(own))

    def told(self, frame: TrackedFrame, span: Span, reader: ApiContext) -> TrackedFrame:
        """``frame`` with the columns that were read, by their own names."""
        if not self.tables():
            return frame
        names = {t.expr.name: own for own, t in self.below.items() if isinstance(t.expr, Col)}
        known = (f for f in frame.facts if columns_of(f) <= names.keys())
        facts = tuple(transform(f, lambda e: Col(names[e.name]) if isinstance(e, Col) else None) for f in known)
        made = selected(frame, list(self.below.items()), False, span, reader)
        return replace(made, facts=tuple(dict.fromkeys((*made.facts, *facts))))

    def tables(self) -> tuple[tuple[str, str], ...]:
        """As ``Boundary.sql_tables``."""
        found = ((own, t.expr.name.rpartition(".")[0]) for own, t in self.below.items() if isinstance(t.expr, Col))
        return tuple((own, table) for own, table in found if table)


class _OfGroup(InGroup):
    """As ``InGroup``, of keys that may be qualified by their tables."""

    def reference(self, name: str) -> Term:
        term = self.columns.reference(name)
        if not isinstance(term.expr, Col) or term.expr.name not in self.keys:
            raise Refusal("opaque", f"`{name}` is neither a key nor aggregated")
        return term


class _Having(_OfGroup):
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


def _value(tree: exp.Expression) -> exp.Expression:
    """``tree`` without the name that it is given."""
    from sqlglot import exp

    return tree.this if isinstance(tree, exp.Alias) else tree


def _tree(text: str) -> exp.Expression:
    tree = parsed(text)
    if tree is None:
        raise Refusal("opaque", f"`{text}` does not parse")
    return tree
