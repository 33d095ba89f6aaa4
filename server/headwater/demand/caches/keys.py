"""Whether another query of the file may be answered from a cache: Spark looks up what is kept by the plan, whatever
the frame is called that has the same plan again.

Two queries have the same plan only if they read the same sources and do the same last. So it is looked for another
reader of each source, by its name or by the variable that holds its name, and for another call with the same arguments.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from headwater.python.effects.sessions import PROVIDED
from headwater.python.effects.uses import LISTED
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.notebook import of_other_languages
from headwater_ir.plan import Plan, Scan, Shared
from headwater_ir.span import Span
from headwater_ir.walks import below, boundary_of

from ..nodes_around import nodes_around

_READS = frozenset(
    """
    table load parquet csv json orc text jdbc xml textFile wholeTextFiles sql forPath forName read_csv read_delta
    read_files read_json read_orc read_parquet read_spark_io read_sql read_sql_query read_sql_table read_table
    cacheTable
    """.split()
)
"""Methods that read a source, or are told its name."""
_WRITES = frozenset("parquet csv json orc text save".split())
"""Methods of a writer that write files to a path, their first argument."""
_TAKES_COLUMNS = frozenset("agg filter select where withColumn".split())
"""Methods that are given what makes a column, and no rows."""
_ALSO = {"where": "filter", "sort": "orderBy", "groupby": "groupBy", "drop_duplicates": "dropDuplicates"}
"""Methods that are others by another name."""
_MEMO = "_of_cache_keys"
_QUERY = re.compile(r"\b(?:from|join|table|view|cache)\b", re.IGNORECASE)


def made_elsewhere(plan: Plan, context: Context) -> str | None:
    """Why a query that is not on ``plan`` may have it as a part."""
    calls = _calls(context)
    for scan in (p for p in below(plan) if isinstance(p, Scan)):
        if scan.span.text(context.readable).strip() and (
            _times_called(scan.span, calls, context) != 1 or _is_named(scan.span, calls, context)
        ):
            return "the same source is read elsewhere, perhaps from the cache"
    last = _last_step(plan)
    read = isinstance(plan, Scan) and plan.format != "unknown"  # of which `_is_named` has told
    again = not read and _is_repeated(last, calls, context)
    if again or context.readable.count(last.text(context.readable)) != 1:
        return "the same frame may be made elsewhere, and read from the cache"
    return None


@dataclass(frozen=True)
class _Noted:
    """What stands in one statement of the top level: the texts are those that somebody may read."""

    calls: list[ast.Call]
    names: list[ast.Name]
    attributes: list[ast.Attribute]
    queries: list[ast.JoinedStr]
    texts: list[ast.Constant]


def _noted(context: Context) -> list[_Noted]:
    return [_noted_of(s) for s in context.tree.body]


def _noted_of(statement: ast.stmt) -> _Noted:
    """What stands in ``statement``, which nobody changes any more."""
    known = getattr(statement, _MEMO, None)
    if not isinstance(known, _Noted):
        known = _Noted([], [], [], [], [])
        alone = set[int]()
        for node in walk(statement):
            match node:
                case ast.Call():
                    known.calls.append(node)
                case ast.Name():
                    known.names.append(node)
                case ast.Attribute():
                    known.attributes.append(node)
                case ast.JoinedStr() if _may_be_a_query(node):
                    known.queries.append(node)
                case ast.Expr(value=ast.Constant() as text):
                    alone.add(id(text))
                case ast.Constant(value=str()) if id(node) not in alone:
                    known.texts.append(node)
        setattr(statement, _MEMO, known)  # a table would keep the tree, which it speaks of
    return known


def _calls(context: Context) -> list[ast.Call]:
    """All calls of the file."""
    return [c for noted in _noted(context) for c in noted.calls]


def may_read_it(plan: Plan, context: Context) -> bool:
    """Whether code that is here or elsewhere may read a source of ``plan`` in a way that does not show: by a name that
    is computed, by a reader in a variable, with the session that it is given, or in another module."""
    scans = [p.span for p in below(plan) if isinstance(p, Scan) and p.span.text(context.readable).strip()]
    calls, every = _calls(context), _noted(context)
    mine = [c for c in calls if _method(c) in _READS and any(_within(c, s, context) for s in scans)]
    if not mine:
        return False  # it is made of values
    columns = (a for c in calls if _method(c) in _TAKES_COLUMNS for a in c.args)
    of_columns = {id(n) for a in columns for n in ast.walk(a)}
    names = (n for noted in every for n in noted.names if id(n) not in of_columns)
    if any(_is_of_another_module(n, context) for n in names):
        return True
    others = [c for c in calls if _method(c) in _READS and not _writes(c) and c not in mine]
    if not all(_reads_another(c, m) for c in others for m in mine):
        return True
    attributes = [n for noted in every for n in noted.attributes]
    asked = {id(c.func) for c in calls} | {id(n.value) for n in attributes}
    if any((n.attr in _READS or n.attr == "read") and id(n) not in asked for n in attributes):
        return True
    sessions = {r for m in mine if (r := _root(m)) is not None}
    own = {id(a) for c in calls if _is_own(c, context) for a in (*c.args, *(k.value for k in c.keywords))}
    given = (n for noted in every for n in noted.names if n.id in sessions and isinstance(n.ctx, ast.Load))
    return any(id(n) not in asked | own for n in given)


def _is_of_another_module(node: ast.Name, context: Context) -> bool:
    """Whether ``node`` reads what a module defines of which it is not known that it asks for no rows by itself."""
    origin = context.qualified(node)
    if origin is None:
        foreign = not context.times_bound(node.id) and not hasattr(builtins, node.id)
        return foreign and node.id not in (*PROVIDED, "display")
    return origin.partition(".")[0] not in (*LISTED, "builtins")


def _root(node: ast.expr) -> str | None:
    """The variable that a chain of calls begins with."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_own(call: ast.Call, context: Context) -> bool:
    """Whether ``call`` is one of a function of the file, all of which is looked at."""
    return isinstance(call.func, ast.Name) and context.function(call.func.id) is not None


def _times_called(place: Span, calls: list[ast.Call], context: Context) -> int:
    """How many calls of the file are written as what stands at ``place``, but for white space."""
    text = " ".join(place.text(context.readable).split())
    here = nodes_around(context, place)
    call = here[0] if here and context.span(here[0]) == place else None
    method = _method(call) if isinstance(call, ast.Call) else ""  # so are all that are written alike
    return sum(" ".join(context.text(c).split()) == text for c in calls if not method or _method(c) == method)


def _is_named(scan: Span, calls: list[ast.Call], context: Context) -> bool:
    """Whether something outside of ``scan`` speaks of the source that it reads."""
    mine = [c for c in calls if _method(c) in _READS and _within(c, scan, context)]
    given = [a for c in mine for a in (*c.args, *(k.value for k in c.keywords))]
    reads = [c for c in calls if _method(c) in _READS and not _within(c, scan, context) and not _writes(c)]
    apart = [c for c in reads if any(_reads_another(c, m) for m in mine)]
    told = [c for c in reads if c not in apart]
    others = [n for c in told for a in (*c.args, *(k.value for k in c.keywords)) for n in ast.walk(a)]
    others += [n for noted in _noted(context) for f in noted.queries for n in ast.walk(f)]
    variables = {ast.dump(a) for a in given if isinstance(a, (ast.Name, ast.Attribute))}
    if any(ast.dump(n) in variables for n in others if isinstance(n, (ast.Name, ast.Attribute))):
        return True
    names = {_last_name(a.value) for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    if not any(names):
        return False
    named = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(n) for n in sorted(names) if n)})(?!\w)", re.IGNORECASE)
    written = [c for c in calls if _method(c) in _WRITES and _writes(c)]
    if any(map(named.search, _hidden(context))):
        return True
    own = [scan, *map(context.span, apart)]
    return any(not any(_within(n, s, context) for s in own) for n in _texts(context, named, written))


def _may_be_a_query(text: ast.JoinedStr) -> bool:
    return any(isinstance(v, ast.Constant) and _QUERY.search(str(v.value)) for v in text.values)


def _reads_another(call: ast.Call, mine: ast.Call) -> bool:
    """Whether ``call`` is as ``mine``, but for the name of what it reads."""
    named = {k.arg: k.value for k in call.keywords}
    if _method(call) != _method(mine) or len(call.args) != len(mine.args) or {*named} != {k.arg for k in mine.keywords}:
        return False
    pairs = [*zip(call.args, mine.args, strict=True), *((named[k.arg], k.value) for k in mine.keywords)]
    return any(_are_two_names(a, b) for a, b in pairs)


def _are_two_names(a: ast.expr, b: ast.expr) -> bool:
    match a, b:
        case ast.Constant(value=str(one)), ast.Constant(value=str(other)):
            return _last_name(one).lower() != _last_name(other).lower()
    return False


def _texts(context: Context, named: re.Pattern[str], written: list[ast.Call]) -> Iterator[ast.Constant]:
    """The texts of the file in which ``named`` is found, without those that nobody reads: where the calls ``written``
    write to is one."""
    targets = {id(a) for c in written for a in c.args[:1]}
    every = (t for noted in _noted(context) for t in noted.texts if named.search(str(t.value)))
    return (t for t in every if id(t) not in targets)


def _hidden(context: Context) -> Iterator[str]:
    """The cells of other languages that may read something."""
    yield from of_other_languages(context.source)
    for cell in context.hidden:
        if cell.effect != "nothing":
            yield cell.span.text(context.source)


def _is_repeated(step: Span, calls: list[ast.Call], context: Context) -> bool:
    """Whether another call has the arguments of the call that ``step`` ends with."""
    mine = next((c for c in calls if context.span(c).end == step.end), None)
    if mine is None or not (mine.args or mine.keywords):
        return False
    method, said = _plainly(mine), _said(mine)
    return sum(_said(c) == said for c in calls if _method(c) and _plainly(c) == method) > 1


def _plainly(call: ast.Call) -> str:
    """The method of ``call`` by its first name."""
    return _ALSO.get(_method(call), _method(call))


def _said(call: ast.Call) -> tuple[str, ...]:
    return (_plainly(call), *map(ast.dump, call.args), *(ast.dump(k.value) for k in call.keywords))


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _writes(call: ast.Call) -> bool:
    """Whether ``call`` tells a writer where to write."""
    at: ast.AST = call
    while isinstance(at, (ast.Call, ast.Attribute)):
        if isinstance(at, ast.Attribute) and at.attr in ("write", "writeTo", "writeStream"):
            return True
        at = at.func if isinstance(at, ast.Call) else at.value
    return False


def _within(node: ast.AST, span: Span, context: Context) -> bool:
    at = context.span(node)
    return span.start <= at.start and at.end <= span.end


def _last_name(source: str) -> str:
    """How others may name ``source``, a table or path, at least."""
    return source.rstrip("/").rsplit("/" if "/" in source else ".", 1)[-1]


def _last_step(plan: Plan) -> Span:
    """The call that makes ``plan``."""
    while isinstance(plan, Shared):
        plan = plan.child
    found = getattr(plan, "call", None) or getattr(plan, "span", None)
    boundary = boundary_of(plan)
    return boundary.span if boundary is not None else found or Span(0, 0)
