"""HW404: aggregates of one frame that are joined on their keys, which one aggregate gives.

Law: ``proof.demand.groups``. A group is the same rows on each side, and the join drops those of NULL keys. What is
computed stands in the words of the file where the join stood: so each name in it must mean there what it meant where
the aggregate is written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from headwater.pyspark.frames.groups_joined import sides_of
from headwater.pyspark.frames.placed import placed
from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias
from headwater.rewrite.python_text import Quote, prevailing_quote, string_literal
from headwater.rewrite.removal import remove_statement
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.tokens import indent_of, line_start
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import walk
from headwater_ir.demand import GroupsCertificate, PlainJoin
from headwater_ir.expr import TRUE, Col
from headwater_ir.plan import Aggregate, Join, Plan, Project, Spelling
from headwater_ir.span import Span
from headwater_ir.walks import below

from .caches.single_use import described, pure
from .group_extreme import is_plain
from .joined_extreme import called_in, given
from .layout import LINE_LENGTH, in_one_line
from .nodes_around import nodes_around
from .protocol import NotWorth
from .writing import imports

_SHORTHANDS = ("max", "min", "sum", "avg", "mean")
_TELLS_APART = frozenset("distinct count_distinct countdistinct sum_distinct sumdistinct".split())
_UNREAD = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Starred, ast.Await,
    ast.Yield, ast.YieldFrom, ast.JoinedStr,
)  # fmt: skip
_SETTINGS = re.compile(r"\bconf\b|\bSET\b", re.IGNORECASE)


@dataclass(frozen=True)
class OneForAll:
    """One aggregate in the place of a join. ``said``: what stands there; ``of``: the frame that it is of, and
    ``sides``: the calls that make the aggregates that are joined; ``gone``: the statements that joined some of them."""

    frame: str
    keys: tuple[str, ...]
    sides: tuple[Span, ...]
    gone: tuple[Span, ...]
    of: Plan
    said: str
    edits: tuple[Edit, ...]
    certificate: GroupsCertificate


def one_aggregate(
    join: PlainJoin, version: int, text: Text, context: Context, spelling: Spelling
) -> OneForAll | NotWorth | None:
    """The aggregate in the place of ``join``, or why there is none; None if that joins no aggregates of one frame.
    ``CannotEdit`` if it cannot be written."""
    sides = sides_of(join.join)
    if sides is None or join.same_rows is None:
        return None
    keys, aggregates = join.join.using, [a for *_, a in sides if isinstance(a, Aggregate)]
    if any({*a.fold.keys} != {*keys} or a.fold.emit != TRUE or a.boundary.code for a in aggregates) or not all(
        map(is_plain, keys)
    ):
        return None
    names_ = Names.of(context)
    if names_.reflective or "filter" in names_.patches.methods or _is_named_elsewhere(join, sides, context):
        return NotWorth("columns may be named by the frames that are joined")
    quote = prevailing_quote(text.source)
    measures = list[str]()
    names = [*keys]
    for (top, *_), aggregate in zip(sides, aggregates, strict=True):
        found = _measures(top, aggregate, join, text, context)
        if isinstance(found, NotWorth):
            return found
        for name, written, is_named in found:
            names.append(name)
            measures.append(written if is_named else f"{written}.alias({string_literal(name, quote)})")
    if len({n.lower() for n in names}) < len(names):
        return NotWorth("two columns of the join have one name")
    if any(map(_tells_apart, measures)):
        return NotWorth("different values are counted, beside which other aggregates are not known to cost less")
    if _SETTINGS.search(text.source, min(a.boundary.span.start for a in aggregates), join.call.end):
        return NotWorth("a setting may be changed between the aggregates and the join")
    speller = ColumnSpeller(spelling, quote, alias=spelling.functions or free_alias(text.bindings))
    said, written = _written(join, keys, [_with_functions(m, speller) for m in measures], speller, text.source)
    gone = [context.span(s) for s in _inner_joins(join, context)]
    removed = [e for s in gone if (e := remove_statement(context, s)) is not None]
    if len(removed) < len(gone):
        return NotWorth("an inner join is not written plainly")
    edits = [*removed, Edit(join.call, written), *imports(speller, text, join.call.start)]
    of, known = aggregates[0].child, dict(zip(map(id, below(join.join.left)), join.below, strict=False))
    under = tuple((known.get(id(p), "Opaque"), p) for p in below(of))
    certificate = GroupsCertificate(
        version, "groupBy", keys, keys, len(sides), tuple(described(n, p, context) for n, p in under),
        (*pure(under, context), *given(under)),
    )  # fmt: skip
    calls = tuple(a.boundary.span for a in aggregates)
    return OneForAll(
        join.same_rows, keys, calls, tuple(gone), of, said, tuple(sorted(edits, key=lambda e: e.span)), certificate
    )


_HOLE = "\0"
"""Stands in a measure for how the file calls Spark's functions."""
_ROWS = f'{_HOLE}count("*")'


def _measures(
    top: Plan, aggregate: Aggregate, join: PlainJoin, text: Text, context: Context
) -> list[tuple[str, str, bool]] | NotWorth:
    """What ``aggregate`` computes of each group: what it is called in ``top``, how it is written, and whether it is
    called so as it is."""
    at, frame = join.call, join.same_rows or ""
    call = next((n for n in nodes_around(context, aggregate.boundary.span) if isinstance(n, ast.Call)), None)
    if call is None or not _is_of_groups(call) or _scope(context, aggregate.boundary.span) is not _scope(context, at):
        return NotWorth("the aggregates are not written in the code of the join")
    outputs = [o.name for o in aggregate.fold.outputs if o.value != Col(o.name) or o.name not in aggregate.fold.keys]
    written = _arguments(call, text.source, context.span, prevailing_quote(text.source))
    if written is None or len(written) != len(outputs) or not _mean_the_same(call, at, text, frame):
        return NotWorth("what is computed of the groups may mean something else where they are joined")
    mine = dict(zip(outputs, written, strict=True))
    columns = _columns(top, aggregate)
    if columns is None:
        return NotWorth("something else than the aggregates is computed of the groups")
    made = [(name, called_in(aggregate, top, name)) for name in columns]
    if any(of is None for _, of in made):
        return NotWorth("something else than the aggregates is computed of the groups")
    own = [k for k, of in made if of in aggregate.fold.keys]
    if {*own} != {*aggregate.fold.keys} or any(k != of for k, of in made if k in own):
        return NotWorth("a key is called otherwise where the groups are joined")
    return [(n, mine[of], n == of and mine[of] != _ROWS) for n, of in made if of in mine]


def _columns(plan: Plan, aggregate: Aggregate) -> list[str] | None:
    """The columns of ``plan``, which are those of ``aggregate``, some of them perhaps, under other names perhaps, in
    order; None if there are others."""
    if plan is aggregate:
        return [*aggregate.fold.keys, *(o.name for o in aggregate.fold.outputs if o.name not in aggregate.fold.keys)]
    found = _columns(plan.child, aggregate) if isinstance(plan, Project) else None
    if found is None or not isinstance(plan, Project) or not all(isinstance(e, Col) for _, e in plan.columns):
        return None
    if not plan.keeps_others:
        return [n for n, _ in plan.columns]
    became = {e.name: n for n, e in plan.columns if isinstance(e, Col)}
    if len(became) < len(plan.columns) or not {*became} <= {*plan.dropped} or {*became.values()} & {*found}:
        return None  # a copy, which stands behind the others
    return [became.get(c, c) for c in found if c in became or c not in plan.dropped]


def _is_of_groups(call: ast.Call) -> bool:
    """Whether ``call`` computes something of ``frame.groupBy(…)``."""
    match call.func:
        case ast.Attribute(
            value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="groupBy" | "groupby")),
            attr="agg" | "count" | "max" | "min" | "sum" | "avg" | "mean",
        ):
            return True
    return False


def _arguments(call: ast.Call, source: str, span: Callable[[ast.AST], Span], quote: Quote) -> list[str] | None:
    """What ``call`` computes, each as a Column; None if that is not written out."""
    assert isinstance(call.func, ast.Attribute)
    method, given_ = call.func.attr, call.args
    if call.keywords:
        return None
    if method == "count":
        return [_ROWS] if not given_ else None
    if method == "agg" and len(given_) == 1 and isinstance(given_[0], ast.Dict):
        if len(given_[0].keys) > 1:
            return None  # Spark gives their columns in another order
        named = [(_text(v), _text(k)) for k, v in zip(given_[0].keys, given_[0].values, strict=True)]
    elif method == "agg":
        return [_closed(a, in_one_line(span(a).text(source))) for a in given_]
    else:
        named = [(method, _text(a)) for a in given_]
    if any(f is None or f.lower() not in (*_SHORTHANDS, "count") or c is None for f, c in named):
        return None
    return [f"{_HOLE}{'avg' if f == 'mean' else f}({string_literal(c, quote)})" for f, c in named if f and c]


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _closed(node: ast.expr, text: str) -> str:
    """``text``, in parentheses unless a method can be called on it as it stands."""
    return text if isinstance(node, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)) else f"({text})"


def _mean_the_same(call: ast.Call, at: Span, text: Text, frame: str) -> bool:
    """Whether what ``call`` computes of groups means at ``at`` what it means where it stands, and does nothing else."""
    context, bindings = text.bindings.context, text.bindings
    names = Names.of(context)
    for node in (n for a in call.args for n in walk(a)):
        if isinstance(node, _UNREAD) or (isinstance(node, ast.Call) and not _is_of_columns(node, frame, names)):
            return False
        if isinstance(node, ast.Name) and node.id != frame:
            here = context.span(node).start
            kept = bindings.same_value(node.id, here, max(here, at.end)) and node.id not in names.mutated
            if not kept and not (names.resolve(node) is not None and bindings.bound_at(node.id, at.start)):
                return False
    return True


def _is_of_columns(call: ast.Call, frame: str, names: Names) -> bool:
    """Whether ``call`` is one of a function of Spark's, or of a method of a column."""
    if names.function(call.func) is not None:
        return True
    match call.func:
        case ast.Attribute(value=ast.Call() | ast.BinOp() | ast.Compare() | ast.UnaryOp()):
            return True
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name))):
            return name == frame
    return False


def _tells_apart(measure: str) -> bool:
    return not _TELLS_APART.isdisjoint(re.findall(r"\w+", measure.lower()))


def _scope(context: Context, at: Span) -> ast.AST | None:
    """The function in which ``at`` stands; None at the top level."""
    inner = (n for n in nodes_around(context, at) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return next(inner, None)


def _written(
    join: PlainJoin, keys: tuple[str, ...], measures: list[str], speller: ColumnSpeller, source: str
) -> tuple[str, str]:
    """The aggregate with these measures, and the filter for keys that have a value: in one line, and as it is laid
    out."""
    literals = [string_literal(k, speller.quote) for k in keys]
    present = " & ".join(f"{speller.function('col')}({k}).isNotNull()" for k in literals)
    head, tail = f"{join.same_rows}.groupBy({', '.join(literals)}).agg(", f").filter({present})"
    line = source[line_start(source, join.call.start) : join.call.start]
    one = f"{head}{', '.join(measures)}{tail}"
    if len(line) + len(one) <= LINE_LENGTH and "\n" not in one:
        return one, one
    indent = indent_of(source, join.call.start)
    parts = "".join(f"\n{indent}    {m}," for m in measures)
    return one, f"{head}{parts}\n{indent}{tail}"


def _with_functions(measure: str, speller: ColumnSpeller) -> str:
    return re.sub(f"{_HOLE}(\\w+)", lambda named: speller.function(named[1]), measure)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BOUND_IN: WeakKeyDictionary[ast.AST, frozenset[str]] = WeakKeyDictionary()


def _is_named_elsewhere(join: PlainJoin, sides: Sequence[Sequence[Plan]], context: Context) -> bool:
    """Whether a variable that holds one of ``sides``, or an inner join of some of them, may be read for anything but
    the join, while it holds that."""
    around = nodes_around(context, join.call)
    statement = next((n for n in around if isinstance(n, ast.stmt)), None)
    places = (span for span in _places(join, sides) if not _is_in(span, join.call))
    made = [a for span in places if (a := _assignment(span, context))[0] is not statement]
    assigned = [(s, name) for s, name in made if s is not None and name is not None]
    if statement is None or len(assigned) < len(made):
        return True
    scope = _function_of(around)
    rebinds = isinstance(statement, ast.Assign) and not any(isinstance(n, _LOOPS) for n in around)
    targets = (
        {t.id for t in statement.targets if isinstance(t, ast.Name)} if isinstance(statement, ast.Assign) else set()
    )
    inside = [join.call, *(context.span(s) for s, _ in assigned)]
    for name in {name for _, name in assigned}:
        first = min(context.span(s).start for s, n in assigned if n == name)
        for node in _reads(name, context):
            at = context.span(node)
            if any(_is_in(at, span) for span in inside) or _is_local(name, at, scope, context):
                continue
            straight = rebinds and _function_of(nodes_around(context, at)) is scope
            if not straight or not (at.end <= first or (name in targets and at.start >= context.span(statement).end)):
                return True
    return False


def _inner_joins(join: PlainJoin, context: Context) -> list[ast.stmt]:
    """The statements that join some of the sides beforehand, which nobody else reads."""
    found, at = list[ast.stmt](), join.join.left
    while isinstance(at, Join):
        made = _assignment(at.span, context)[0]
        if made is not None and not _is_in(at.span, join.call):
            found.append(made)
        at = at.left
    return found


def _places(join: PlainJoin, sides: Sequence[Sequence[Plan]]) -> Iterator[Span]:
    """Where the frames are made that ``join`` is made of."""
    for plan in (p for side in sides for p in side):
        if isinstance(plan, Aggregate):
            yield plan.boundary.span
        elif isinstance(plan, Project):
            yield plan.span
    at = join.join.left
    while isinstance(at, Join):
        yield at.span
        at = at.left


def _assignment(span: Span, context: Context) -> tuple[ast.stmt | None, str | None]:
    """The statement that makes a frame at ``span``, and the one variable that holds it."""
    statement = next((n for n in nodes_around(context, span) if isinstance(n, ast.stmt)), None)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return statement, name
    return statement, None


def _reads(name: str, context: Context) -> Iterator[ast.Name]:
    for statement in context.naming(name):
        yield from (n for n in placed(statement).names.get(name, ()) if not isinstance(n.ctx, ast.Store))


def _function_of(around: Sequence[ast.AST]) -> ast.AST | None:
    """The function that is around something, None at the top level."""
    return next((n for n in around if isinstance(n, _FUNCTIONS)), None)


def _is_local(name: str, at: Span, scope: ast.AST | None, context: Context) -> bool:
    """Whether ``name`` at ``at`` is a variable of another function than ``scope``."""
    for node in nodes_around(context, at):
        if node is scope:
            return False
        if isinstance(node, _FUNCTIONS) and name in _bound_in(node):
            return True
    return scope is not None  # the scope's own variable is not read outside of it


def _bound_in(function: ast.AST) -> frozenset[str]:
    """The names that ``function``, which nobody changes any more, binds, and none of another scope."""
    known = _BOUND_IN.get(function)
    if known is None:
        nodes = [*walk(function)]
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        stored |= {n.arg for n in nodes if isinstance(n, ast.arg)}
        others = {name for n in nodes if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
        known = _BOUND_IN[function] = frozenset(stored - others)
    return known


def _is_in(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end
