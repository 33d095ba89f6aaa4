"""The clauses of a query in SQL text, each with its place: what is read of ``[WITH …] SELECT … UNION … ORDER BY …``.

They are found by their words, and each is read alone; the text is taken for a query only if sqlglot reads exactly these
clauses of it. Refusal, with what it is and where, for every text that is another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from headwater.syntax.refusal import Refusal
from headwater_ir.plan import JoinType

from .table_calls import TableCall, calls_a_table, masked, table_call
from .tokens import AFTER_WHERE, Part, SqlText, Tokens, parsed

if TYPE_CHECKING:
    from sqlglot import exp

CLAUSES = ("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT")
_JOIN_WORDS = ("JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")
_SET_WORDS = ("UNION", "INTERSECT", "EXCEPT", "MINUS")
_NO_ALIAS = frozenset({
    *CLAUSES, *AFTER_WHERE, *_JOIN_WORDS, *_SET_WORDS,
    *"NATURAL PIVOT UNPIVOT TABLESAMPLE ON USING FROM VERSION TIMESTAMP FOR WITH AS , ) ( .".split(),
})  # fmt: skip
"""Words behind a table that are not its name in the query."""
KINDS: dict[tuple[str, ...], JoinType] = {
    (): "inner", ("INNER",): "inner", ("CROSS",): "inner", ("LEFT",): "left", ("LEFT", "OUTER"): "left",
    ("RIGHT",): "right", ("RIGHT", "OUTER"): "right", ("FULL",): "full", ("FULL", "OUTER"): "full",
    ("SEMI",): "semi", ("LEFT", "SEMI"): "semi", ("ANTI",): "anti", ("LEFT", "ANTI"): "anti",
}  # fmt: skip
"""What may stand in front of ``JOIN``. Reference: joinType in Spark's SqlBaseParser.g4."""
_SELECT_READ = frozenset("expressions from from_ where group having order limit distinct with with_ joins".split())
"""What sqlglot tells of a SELECT that is read here."""
_JOIN_READ = frozenset("this side kind on using".split())
_SET_READ = frozenset("this expression distinct order limit with with_".split())
_TERM_READ = frozenset("this order limit with with_".split())
_INNER_READ = frozenset("this alias".split())
_TABLE_READ = frozenset("this db catalog alias".split())


@dataclass(frozen=True)
class Relation:
    """A table or view of a FROM clause, or a ``query`` in parentheses, and the name that it is given there. ``call``: a
    table function over a table, and what its argument is; None for a query that is not read."""

    part: Part
    query: Query | None
    alias: str | None
    call: tuple[TableCall, Relation | None] | None = None


@dataclass(frozen=True)
class JoinClause:
    """``how JOIN right ON on``, or ``USING using``. ``part``: from where to where it is."""

    how: JoinType
    right: Relation
    on: Part | None
    using: tuple[str, ...]
    part: Part


@dataclass(frozen=True)
class Select:
    """The clauses of a SELECT, each from where to where in the text. ``end``: where its FROM clause ends."""

    items: tuple[Part, ...]
    source: Relation
    joins: tuple[JoinClause, ...]
    end: int
    part: Part
    where: Part | None = None
    where_word: int = 0
    keys: tuple[Part, ...] = ()
    having: Part | None = None
    having_word: int = 0
    distinct: bool = False


@dataclass(frozen=True)
class Query:
    """``first``, and each further one with the set operator in front of it: ``UNION``, ``UNION ALL``, …; ``views``: the
    queries of its WITH clause by name."""

    first: Select | Query
    part: Part
    rest: tuple[tuple[str, Select | Query], ...] = ()
    order: bool = False
    limit: bool = False
    views: Mapping[str, Query] = field(default_factory=dict)


def query_in(text: SqlText) -> Query:
    """The query that ``text`` is, and those in it; Refusal if it is none that is read here."""
    tokens = Tokens(text)
    try:
        query = _query(tokens, text)
    except LookupError:
        near = tokens.near()
        where = f"not read from `{near}` on" if near else "no query: it ends where more is expected"
        raise Refusal("opaque", f"the SQL text is {where}") from None
    _check(query, masked(text))
    return query


def _query(tokens: Tokens, text: SqlText) -> Query:
    views = _views(tokens, text)
    first = _term(tokens, text)
    rest: list[tuple[str, Select | Query]] = []
    while not tokens.done() and tokens.words[tokens.at] in _SET_WORDS:
        rest.append((_set_operator(tokens), _term(tokens, text)))
    if len({operator.startswith("INTERSECT") for operator, _ in rest}) > 1:
        raise Refusal("opaque", "the SQL text has INTERSECT beside UNION or EXCEPT, without parentheses")
    query = Query(first, (text.words[0].start, text.words[-1].end), tuple(rest), views=views)
    if tokens.next_is("ORDER", "BY"):
        tokens.take("ORDER", "BY")
        tokens.skip(("LIMIT", *_SET_WORDS))
        query = replace(query, order=True)
    if tokens.next_is("LIMIT"):
        tokens.take("LIMIT")
        tokens.skip(_SET_WORDS)
        query = replace(query, limit=True)
    if not tokens.done():
        raise LookupError(tokens.words[tokens.at])
    return query


def _term(tokens: Tokens, text: SqlText) -> Select | Query:
    return _inner(tokens, text) if tokens.next_is("(") else _select(tokens, text)


def _inner(tokens: Tokens, text: SqlText) -> Query:
    """The query in the parentheses that come next."""
    return query_in(text.within(tokens.in_parentheses()))


def _set_operator(tokens: Tokens) -> str:
    word = tokens.words[tokens.at]
    tokens.take(word)
    operator = "EXCEPT" if word == "MINUS" else word
    if tokens.next_is("DISTINCT"):
        tokens.take("DISTINCT")
    elif tokens.next_is("ALL"):
        tokens.take("ALL")
        operator += " ALL"
    return operator


def _select(tokens: Tokens, text: SqlText) -> Select:
    start = tokens.place()
    tokens.take("SELECT")
    distinct = tokens.next_is("DISTINCT")
    if distinct:
        tokens.take("DISTINCT")
    items = tokens.listed(("FROM",))
    tokens.take("FROM")
    source, joins = _relation(tokens, text), _joins(tokens, text)
    query = Select(items, source, joins, tokens.end(), (start, 0), distinct=distinct)
    if tokens.next_is("LATERAL", "VIEW"):
        raise Refusal("opaque", "no model covers the rows that `LATERAL VIEW` makes")
    ends = (*CLAUSES, *_SET_WORDS)
    if tokens.next_is("WHERE"):
        word = tokens.place()
        tokens.take("WHERE")
        query = replace(query, where=tokens.skip(ends), where_word=word)
    if tokens.next_is("GROUP", "BY"):
        tokens.take("GROUP", "BY")
        query = replace(query, keys=tokens.listed(ends))
    if tokens.next_is("HAVING"):
        word = tokens.place()
        tokens.take("HAVING")
        query = replace(query, having=tokens.skip(ends), having_word=word)
    return replace(query, part=(start, tokens.end()))


def _relation(tokens: Tokens, text: SqlText) -> Relation:
    start, query, call = tokens.place(), None, None
    if tokens.next_is("LATERAL"):
        raise Refusal("opaque", "no model covers what is evaluated for each row of other tables: `LATERAL`")
    if tokens.next_is("("):
        query = _inner(tokens, text)
    elif calls_a_table(tokens):
        of = table_call(tokens)
        call = of, _argument(text.within(of.argument))
    else:
        tokens.qualified_name()
    part = start, tokens.end()
    named = not tokens.done() and tokens.words[tokens.at] not in _NO_ALIAS
    if tokens.next_is("AS"):
        tokens.take("AS")
        named = True
    return Relation(part, query, tokens.name() if named else None, call)


def _argument(text: SqlText) -> Relation | None:
    """The table or query that a table function is given."""
    tokens, part = Tokens(text), (text.words[0].start, text.words[-1].end)
    try:
        if tokens.next_is("SELECT") or tokens.next_is("WITH"):
            return Relation(part, query_in(text), None)
        tokens.qualified_name()
    except Refusal:
        return None
    if not tokens.done():
        raise LookupError(tokens.near())
    return Relation(part, None, None)


def _joins(tokens: Tokens, text: SqlText) -> tuple[JoinClause, ...]:
    found: list[JoinClause] = []
    commas = False
    while not tokens.done():
        start = tokens.place()
        if tokens.next_is(","):
            tokens.take(",")
            right = _relation(tokens, text)
            found.append(JoinClause("inner", right, None, (), (start, tokens.end())))
            commas = True
            continue
        if tokens.words[tokens.at] not in _JOIN_WORDS:
            break
        if commas:
            raise Refusal("opaque", "the SQL text has a JOIN behind a comma, which binds closer")
        found.append(_join(tokens, text, start))
    return tuple(found)


def _join(tokens: Tokens, text: SqlText, start: int) -> JoinClause:
    kind: tuple[str, ...] = ()
    while not tokens.next_is("JOIN"):
        kind = (*kind, tokens.words[tokens.at])
        tokens.take(kind[-1])
        if kind not in KINDS:
            raise LookupError(" ".join(kind))
    tokens.take("JOIN")
    right, on = _relation(tokens, text), None
    using: tuple[str, ...] = ()
    if tokens.next_is("ON"):
        tokens.take("ON")
        on = tokens.skip((*CLAUSES, *_SET_WORDS, *_JOIN_WORDS, "NATURAL", ","))
    elif tokens.next_is("USING"):
        tokens.take("USING")
        using = tokens.names_in_parentheses()
    return JoinClause(KINDS[kind], right, on, using, (start, tokens.end()))


def _views(tokens: Tokens, text: SqlText) -> dict[str, Query]:
    """The queries of a WITH clause by name."""
    found: dict[str, Query] = {}
    more = tokens.next_is("WITH")
    while more:
        tokens.take("," if found else "WITH")
        name = tokens.name()
        tokens.take("AS")
        found[name] = _inner(tokens, text)
        if len(_uses(tokens, name)) != 1:
            raise Refusal("shared-subplan", f"`{name}` of the WITH clause is read by several, or by none")
        more = tokens.next_is(",")
    return found


def _uses(tokens: Tokens, name: str) -> list[str]:
    """Where ``name`` stands, but for those of columns of it."""
    rest = tokens.words[tokens.at :]
    return [w for w, after in zip(rest, [*rest[1:], ""], strict=True) if w == name.upper() and after != "."]


# --- what sqlglot reads


def _check(query: Query, text: SqlText) -> None:
    """Refusal if sqlglot reads other clauses of the text."""
    from sqlglot import exp

    tree = parsed(text.spelled(query.part))
    if tree is None:
        raise Refusal("opaque", "the SQL text does not parse")
    rest = list(query.rest)
    for part in (tree.args.get("order"), tree.args.get("limit")):
        _without_queries(part)
    agrees = (tree.args.get("order") is not None, tree.args.get("limit") is not None) == (query.order, query.limit)
    while rest and agrees:
        operator, last = rest.pop()
        name = type(tree).__name__.upper() + ("" if tree.args.get("distinct") else " ALL")
        agrees = isinstance(tree, exp.SetOperation) and name == operator and _is_term(last, tree.expression, text)
        agrees = agrees and not any(v for k, v in tree.args.items() if k not in _SET_READ)
        tree = tree.this
    if not agrees or not _is_term(query.first, tree, text):
        raise Refusal("opaque", "the SQL text is not read: what follows what is not plain to see")


def _is_term(term: Select | Query, tree: object, text: SqlText) -> bool:
    from sqlglot import exp

    if isinstance(term, Query):
        plain = isinstance(tree, exp.Subquery) and not any(v for k, v in tree.args.items() if k not in _TERM_READ)
        return plain and tree.this == parsed(text.spelled(term.part))  # type: ignore[attr-defined]
    return isinstance(tree, exp.Select) and _agrees(term, tree, text)


def _without_queries(part: exp.Expression | None) -> None:
    from sqlglot import exp

    if part is not None and part.find(exp.Query):
        raise Refusal("opaque", "the SQL text has a subquery in an expression")


def _agrees(query: Select, tree: exp.Select, text: SqlText) -> bool:
    """Whether sqlglot reads these clauses and nothing else."""

    if any(v for k, v in tree.args.items() if k not in _SELECT_READ):
        return False
    source = (tree.args.get("from_") or tree.args.get("from")).this  # type: ignore[union-attr]
    group, where, having = (tree.args.get(k) for k in ("group", "where", "having"))
    joins = tree.args.get("joins") or []
    for part in (where, group, having, *tree.expressions, *(j.args.get("on") for j in joins)):
        _without_queries(part)
    return (
        _same_relation(query.source, source, text)
        and len(joins) == len(query.joins)
        and all(_same_join(j, t, text) for j, t in zip(query.joins, joins, strict=True))
        and [parsed(text.spelled(i)) for i in query.items] == list(tree.expressions)
        and (where and where.this) == (query.where and parsed(text.spelled(query.where)))
        and (having and having.this) == (query.having and parsed(text.spelled(query.having)))
        and (group is None) == (not query.keys)
        and (group is None or not any(v for k, v in group.args.items() if k != "expressions"))
        and [parsed(text.spelled(k)) for k in query.keys] == (group.expressions if group else [])
        and (tree.args.get("distinct") is None or not tree.args["distinct"].args.get("on"))
        and (tree.args.get("distinct") is not None) == query.distinct
    )


def _same_relation(relation: Relation, tree: exp.Expression, text: SqlText) -> bool:
    from sqlglot import exp

    if tree.alias != (relation.alias or "") or (tree.args.get("alias") and tree.args["alias"].args.get("columns")):
        return False
    if relation.query is not None:
        plain = isinstance(tree, exp.Subquery) and not any(v for k, v in tree.args.items() if k not in _INNER_READ)
        return plain and tree.this == parsed(text.spelled(relation.query.part))
    if not isinstance(tree, exp.Table) or any(v for k, v in tree.args.items() if k not in _TABLE_READ):
        return False
    return text.spelled(relation.part).strip().lower() == ".".join(p.name for p in tree.parts).lower()


def _same_join(join: JoinClause, tree: exp.Join, text: SqlText) -> bool:
    if any(v for k, v in tree.args.items() if k not in _JOIN_READ) or not _same_relation(join.right, tree.this, text):
        return False
    kind = tuple(word for word in (tree.side, tree.kind) if word)
    on = tree.args.get("on")
    written = None if join.on is None else parsed(text.spelled(join.on))
    implied = join.on is None and on is not None and on.sql().upper() == "TRUE"
    using = tuple(name.name for name in tree.args.get("using") or [])
    return KINDS.get(kind) == join.how and (on == written or implied) and using == join.using
