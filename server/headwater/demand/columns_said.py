"""How many columns a frame of unknown origin has, and whether it has one row, as the file says where it makes it: in
the text of a query, in the calls of a function that is handed it, and in the functions that return it.

Nothing is proved with it: another file may call a function. It tells what the program is about.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from headwater.pyspark.api.sources import begins_as_command
from headwater.pyspark.columns.sql_templates import HOLE, filled, template
from headwater.pyspark.sql_text.tokens import parsed
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.bindings import own_nodes, parameters
from headwater_ir.plan import Distinct, Filter, Limit, Opaque, Plan, Project, Scan, Sort
from headwater_ir.walks import below, call_of

from .nodes_around import nodes_around
from .scope_nodes import FUNCTIONS, Function, ScopeNodes, Scopes

if TYPE_CHECKING:
    from sqlglot import exp

_NAME_ALL = frozenset("select selectExpr toDF".split())
_KEEP_ALL = frozenset(
    """
    alias cache coalesce distinct dropDuplicates filter hint limit localCheckpoint orderBy persist repartition sample
    sort where
    """.split()
)
_MADE = (
    r"(?is)create\b[^;'\"]*?\b(?:table|view)\s+`?{name}`?\s[^;'\"]*?\bas\s+((?:select|with)\b.*?)"
    r"(?:;|\"\"\"|\'\'\'|\n# COMMAND|\Z)"
)
_CREATES = re.compile(r"(?i)\bcreate\b")


class ColumnsSaid:
    """What one file says of its frames."""

    def __init__(self, context: Context) -> None:
        self._context, self._scopes = context, Scopes.of_file(context)

    def number(self, plan: Plan) -> int | None:
        """How many columns ``plan`` has; None if the file does not say."""
        while isinstance(plan, (Filter, Limit, Sort, Distinct)) or (isinstance(plan, Opaque) and _adds_none(plan)):
            if isinstance(plan, Opaque) and (plan.chosen or plan.chosen_by):
                return len(plan.chosen) + len(plan.chosen_by)
            if plan.child is None:
                return None
            plan = plan.child
        if isinstance(plan, Project) and not plan.keeps_others:
            return len(plan.columns)
        if isinstance(plan, Opaque) and (listed := self._listed(plan)) is not None:
            return listed
        if isinstance(plan, Opaque) and isinstance(plan.child, Scan) and plan.child.span == plan.span:
            plan = plan.child  # a query of which no more is known than where its text stands
        if not isinstance(plan, Scan) or plan.format not in ("jdbc", "unknown", "table"):
            return None
        made, scope = self._made(plan)
        if plan.format == "jdbc":
            return self._one(self._of_query(made, scope))
        match made:
            case ast.Call(func=ast.Attribute(attr="table"), args=[ast.Constant(value=str(name))]):
                return self._of_text(name)
        return self._one(self._of(made, scope, ())) if isinstance(made, (ast.Name, ast.Call)) else None

    def _of_query(self, call: ast.AST | None, scope: ScopeNodes) -> Iterator[int | None]:
        """The numbers of columns that the query may select which the reader ``call`` hands to a database."""
        while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            for query in _handed_over(call):
                yield from (_selected(t) for t in self._texts(query, scope))
            call = call.func.value

    def _listed(self, plan: Opaque) -> int | None:
        """How many columns the ``select`` that is ``plan`` lists, each written out."""
        match nodes_around(self._context, plan.span)[:1]:
            case [ast.Call(func=ast.Attribute(attr="select"), args=given)] if given and all(map(_is_single, given)):
                return len(given)
        return None

    def _of_text(self, name: str) -> int | None:
        """How many columns the table or view ``name`` has, as SQL in the file says that makes it: in a text, or in a
        cell of a notebook."""
        text, starts = self._sql_that_makes
        made, end = re.compile(_MADE.format(name=re.escape(name))), 0
        selects = list[str]()
        for start in starts:
            if start >= end and (found := made.match(text, start)) is not None:
                end = found.end()
                selects.append(found[1])
        return self._one(map(_selected, selects))

    @cached_property
    def _sql_that_makes(self) -> tuple[str, list[int]]:
        """The text, without marks of notebooks, and where something is made in it that SQL speaks of."""
        text = self._context.source
        text = re.sub(r"(?m)^# MAGIC ?", "", text) if "# MAGIC" in text else text
        return text, [m.start() for m in _CREATES.finditer(text)] if "create" in text.lower() else []

    def has_one_row(self, plan: Plan) -> bool:
        """Whether the one source of ``plan`` is the answer of a database to a query for aggregates of all rows."""
        return self._answers(plan, _is_one_row)

    def is_looked_up(self, plan: Plan) -> bool:
        """Whether the one source of ``plan`` is the answer of a database to a query for rows with some value."""
        return self._answers(plan, _asks_for_a_value)

    def _answers(self, plan: Plan, is_one: Callable[[str], bool]) -> bool:
        """Whether the one source of ``plan`` is the answer of a database to a query that ``is_one``."""
        sources = [at for at in below(plan) if isinstance(at, Scan)]
        if len(sources) != 1:
            return False
        made, scope = self._made(sources[0])
        given: list[ast.AST | None] = [made]
        if isinstance(made, ast.Name):
            bound = scope.bound.get(made.id, ())
            given = [n.value for n in bound if isinstance(n, ast.Assign) and _is_to(n, made.id)]
        return bool(given) and all(self._asks(n, scope, is_one) for n in given)

    def _asks(self, call: ast.AST | None, scope: ScopeNodes, is_one: Callable[[str], bool]) -> bool:
        while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            for query in _handed_over(call):
                texts = [*self._texts(query, scope)]
                return bool(texts) and all(map(is_one, texts))
            call = call.func.value
        return False

    def may_be_one_row(self, plan: Plan) -> bool:
        """Whether ``plan``, or its one source, selects what is not written there: it may be aggregates."""
        if isinstance(plan, Opaque) and self._selects_list(plan):
            return True
        sources = [at for at in below(plan) if isinstance(at, Scan)]
        made, scope = self._made(sources[0]) if len(sources) == 1 else (None, None)
        match made:
            case ast.Call(func=ast.Attribute(attr="sql"), args=[text, *_]) if scope is not None:
                return any(map(_selects_unknown, self._texts(text, scope)))
        return False

    def answers_command(self, plan: Plan) -> bool:
        """Whether the one source of ``plan`` is what a function gives that is handed a text which begins as no query
        does."""
        sources = [at for at in below(plan) if isinstance(at, Scan)]
        match self._made(sources[0])[0] if len(sources) == 1 else None:
            case ast.Call(func=ast.Name(), args=[text, *_]):
                return begins_as_command(text)
        return False

    def _selects_list(self, plan: Opaque) -> bool:
        """Whether ``plan`` is a ``select`` of a list that the file makes in front of it."""
        match nodes_around(self._context, call_of(plan))[:1]:
            case [
                ast.Call(func=ast.Attribute(attr="select"), args=[ast.Name(id=name) | ast.Starred(ast.Name(id=name))])
            ]:
                around = nodes_around(self._context, plan.span)
                scope = next((n for n in around if isinstance(n, FUNCTIONS)), self._context.tree)
                return bool(self._scopes.of(scope).bound.get(name))
        return False

    def _made(self, source: Scan) -> tuple[ast.AST | None, ScopeNodes]:
        """The expression that makes ``source``, and its scope."""
        around = nodes_around(self._context, source.span)
        scope = next((n for n in around if isinstance(n, FUNCTIONS)), self._context.tree)
        return around[0] if around else None, self._scopes.of(scope)

    def _one(self, found: Iterable[int | None]) -> int | None:
        numbers = {*found}
        return numbers.pop() if len(numbers) == 1 else None

    def _of(self, node: ast.expr, scope: ScopeNodes, seen: tuple[object, ...]) -> Iterator[int | None]:
        """The numbers of columns of what ``node``, in ``scope``, may give; None for one that is not known."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEP_ALL:
            node = node.func.value
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[*given]) if method in _NAME_ALL:
                yield _count(given)
            case ast.Call(func=ast.Attribute(attr="sql"), args=[text, *_]):
                yield self._one(_selected(t) for t in self._texts(text, scope))
            case ast.Call(func=ast.Name(id=name)):
                yield from self._of_function(name, seen)
            case ast.Name(id=name):
                yield from self._of_variable(name, scope, seen)
            case _:
                yield None

    def _texts(self, text: ast.expr, scope: ScopeNodes) -> Iterator[str]:
        """The SQL texts that ``text`` may be, with a mark for each part that is not written; an empty one if that is
        not known."""
        whole = text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else template(text)
        match text:
            case _ if whole is not None:
                yield whole
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(between)), attr="join"),
                args=[ast.GeneratorExp(elt=each) | ast.ListComp(elt=each)],
            ) if between.split()[:1] and between.split()[0].lower() == "union":
                yield from self._texts(each, scope)
            case ast.Call(func=ast.Attribute(value=inner)):
                yield from self._texts(inner, scope)
            case ast.Name(id=name):
                made = [n for n in scope.bound.get(name, ()) if isinstance(n, ast.Assign) and _is_to(n, name)]
                for assignment in made:
                    yield from self._texts(assignment.value, scope)
                yield from () if made else ("",)
            case _:
                yield ""

    def _of_function(self, name: str, seen: tuple[object, ...]) -> Iterator[int | None]:
        function = self._context.function(name)
        if function is None or function in seen:
            yield None
            return
        for node in own_nodes(function):
            if isinstance(node, ast.Return):
                if node.value is None:
                    yield None
                else:
                    yield from self._of(node.value, self._scopes.of(function), (*seen, function))

    def _of_variable(self, name: str, scope: ScopeNodes, seen: tuple[object, ...]) -> Iterator[int | None]:
        key = (name, scope.function)
        if key in seen:
            return  # what is made of itself has as many
        made, bound = list[ast.expr](), 0
        for node in scope.bound.get(name, ()):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    made.append(value)
                case ast.Name(id=target) if target == name:
                    bound += 1
        if bound != len(made):
            yield None
        for value in made:
            yield from self._of(value, scope, (*seen, key))
        owner = scope.function
        if owner is not None and any(a.arg == name for a in parameters(owner)):
            yield from self._of_arguments(owner, name, (*seen, key))
        elif not made and owner is not None:
            yield from self._of_variable(name, self._scopes.of(self._context.tree), (*seen, key))

    def _of_arguments(self, function: Function, name: str, seen: tuple[object, ...]) -> Iterator[int | None]:
        """Of what each call of ``function`` gives its parameter ``name``."""
        places = [a.arg for a in function.args.args]
        place = places.index(name) if name in places else len(places)
        for scope in self._scopes.every:
            for call in scope.calls.get(function.name, ()):
                if isinstance(call.func, ast.Name):
                    named = [k.value for k in call.keywords if k.arg == name]
                    for value in named or call.args[place : place + 1]:
                        yield from self._of(value, scope, seen)


def _adds_none(plan: Opaque) -> bool:
    return "filter" in plan.causes or plan.makes == frozenset() or bool(plan.chosen or plan.chosen_by)


def _query(text: str) -> exp.Query | None:
    from sqlglot import exp

    tree: object = parsed(filled(text.strip()))
    return tree if isinstance(tree, exp.Query) else None


def _selected(text: str) -> int | None:
    """The number of columns that a SQL text selects. What is not written may be several of them."""
    query = _query(text)
    items = query.selects if query is not None else []
    several = any(i.is_star or i.sql() == filled(HOLE) for i in items)
    return len(items) if items and not several else None


def _selects_unknown(text: str) -> bool:
    query = _query(text)
    return query is not None and any(i.sql() == filled(HOLE) for i in query.selects)


def _select(text: str) -> exp.Select | None:
    """The query that a SQL text is, or what is in its brackets."""
    from sqlglot import exp

    in_brackets = text.lstrip().startswith("(")
    query = _query(f"SELECT * FROM {text}" if in_brackets else text)
    inner = query.find(exp.Subquery) if query is not None and in_brackets else None
    select: object = query if inner is None else inner.unnest()
    return select if isinstance(select, exp.Select) else None


def _asks_for_a_value(text: str) -> bool:
    """Whether the query selects rows in which some column is equal to a constant."""
    from sqlglot import exp

    select = _select(text)
    where = None if select is None else select.args.get("where")
    if not isinstance(where, exp.Where):
        return False
    parts = where.this.flatten() if isinstance(where.this, exp.And) else [where.this]
    return any(isinstance(p, exp.EQ) and isinstance(p.expression, exp.Literal) for p in parts)


def _is_one_row(text: str) -> bool:
    """Whether a SQL text, or what is in its brackets, selects aggregates of all rows and nothing else."""
    select = _select(text)
    if select is None or select.args.get("group") is not None:
        return False
    return bool(select.selects) and all(map(_is_of_all, select.selects))


def _is_of_all(item: exp.Expr) -> bool:
    from sqlglot import exp

    bare = (c for c in item.find_all(exp.Column, exp.Star) if c.find_ancestor(exp.AggFunc) is None)
    return item.find(exp.AggFunc) is not None and item.find(exp.Window) is None and next(bare, None) is None


def _handed_over(call: ast.Call) -> Iterator[ast.expr]:
    """The query, or the table, that a call of a reader names to a database."""
    match call:
        case ast.Call(func=ast.Attribute(attr="option"), args=[ast.Constant(value="query" | "dbtable"), text]):
            yield text
        case ast.Call(func=ast.Attribute(attr="jdbc"), args=[_, text, *_]):
            yield text
        case ast.Call(func=ast.Attribute(attr="options" | "load" | "jdbc")):
            yield from (k.value for k in call.keywords if k.arg in ("query", "dbtable", "table"))


def _is_to(assignment: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in assignment.targets)


def _count(given: list[ast.expr]) -> int | None:
    """How many columns a call names."""
    if len(given) == 1 and isinstance(given[0], ast.List):
        given = given[0].elts
    single = all(not isinstance(g, ast.Starred) and not _has_star(g) for g in given)
    return len(given) if given and single and not isinstance(given[0], ast.Name) else None


def _is_single(node: ast.expr) -> bool:
    """Whether ``node`` looks like one column, and not like a list of them."""
    match node:
        case ast.Constant() | ast.Attribute():
            return not _has_star(node)
        case ast.Call(func=ast.Attribute(value=value)):
            return isinstance(value, ast.Name) or _is_single(value)
        case ast.Call(func=ast.Name(), args=[*given]):
            return all(not isinstance(g, ast.Starred) for g in given)
        case ast.BinOp(left=left) | ast.Compare(left=left):
            return _is_single(left)
    return False


def _has_star(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and "*" in node.value
