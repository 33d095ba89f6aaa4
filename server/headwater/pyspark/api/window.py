"""Columns that look at other rows: ``F.row_number().over(w)``, ``F.min("x").over(Window.partitionBy("k")) - 1``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.determinism import is_rowwise, is_rowwise_of_given
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated
from headwater.syntax.names.pyspark_methods import WINDOW
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import walk
from headwater_ir.expr import Col, Expr, columns_of, params_of
from headwater_ir.plan import Boundary, Order, Window, WindowColumn
from headwater_ir.types import ANY, FLOAT, INT32, INT64, OPAQUE, Type, is_numeric

from .api_context import ApiContext
from .sort import directed, undirected

_RUNNING = frozenset("row_number rank dense_rank lag sum count min max avg mean collect_list collect_set".split())
"""Functions that look no further than the current row and its peers, in a window without a frame of its own."""
_OF_PEERS = frozenset("rank dense_rank percent_rank cume_dist sum count min max avg mean".split())
"""Functions that give the same to all rows that are equal in the order of a window without a frame of its own."""
_NUMBERS = frozenset(
    "row_number rank dense_rank percent_rank cume_dist ntile count approx_count_distinct sum avg mean".split()
)
"""Functions that make numbers of whatever they are given."""
_KNOWN: WeakKeyDictionary[ast.expr, bool] = WeakKeyDictionary()
_LISTS = (ast.List, ast.Tuple)
_CLASSES = ("pyspark.sql.window.Window", "pyspark.sql.Window")


def has_window(node: ast.expr) -> bool:
    """Whether ``node`` computes with a window function."""
    known = _KNOWN.get(node)
    if known is None:
        known = _KNOWN[node] = any(True for _ in _windows(node))
    return known


def _windows(node: ast.expr) -> Iterator[ast.Call]:
    for part in walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "over":
            yield part


def ranked(name: str, node: ast.expr, over: ast.Call, columns: ColumnReader, reader: ApiContext) -> WindowColumn:
    """The column ``name`` with the value ``node``, of a rank in the place of the extreme ``over``, as the front end
    would read it, if the file does not tell by what it is ordered."""
    function = over.func.value if isinstance(over.func, ast.Attribute) else over
    given = function.args if isinstance(function, ast.Call) else [over]
    made = window_column(name, node, columns, reader, looks_at=False)
    ordered = all(is_rowwise(a, reader.names, reader.lookup) for a in given)
    return replace(made, running=None, of_bag=made.of_bag and ordered)


def window_column(
    name: str, node: ast.expr, columns: ColumnReader, reader: ApiContext, *, looks_at: bool = True
) -> WindowColumn:
    """The column ``name`` with the value ``node``: what all its windows partition by, read from the same frame.
    ``looks_at``: it may draw what its functions look at."""
    partitions = [_partition(use, columns, reader) for use in _windows(node)]
    known = [p for p in partitions if p is not None]
    if looks_at and not all(_settled(use, reader) for use in _windows(node)):
        return WindowColumn(name, None)
    running = _running(node, columns, reader)
    of_bag = _is_of_bag(node, reader)
    if len(known) < len(partitions):
        return WindowColumn(name, None, running, (), of_bag)
    names = known[0][0].intersection(*(p[0] for p in known))
    computed = known[0][1].intersection(*(p[1] for p in known))
    return WindowColumn(name, tuple(sorted(names)), running, tuple(sorted(computed, key=repr)), of_bag)


def _is_of_bag(node: ast.expr, reader: ApiContext) -> bool:
    """Whether ``node``, whose windows are ``_settled``, is a function of its row and the bag of all rows."""
    uses = [*_windows(node)]
    if not all(_is_of_peers(use, reader) for use in uses):
        return False
    alone = copy.deepcopy(node, {id(use): ast.copy_location(ast.Constant(0), use) for use in uses})
    return is_rowwise(alone, reader.names, reader.lookup)


def _is_of_peers(use: ast.Call, reader: ApiContext) -> bool:
    """Whether ``use``, a call of ``over``, gives the same to rows that its window does not tell apart."""
    function = use.func.value if isinstance(use.func, ast.Attribute) else use
    if not isinstance(function, ast.Call) or reader.names.function(function.func) not in _OF_PEERS:
        return False
    spec = _assigned(use.args[0], reader) if len(use.args) == 1 and not use.keywords else use
    while isinstance(spec, ast.Call) and isinstance(spec.func, ast.Attribute) and spec is not use:
        items = [i for a in spec.args for i in (a.elts if isinstance(a, _LISTS) else [a])]
        if spec.func.attr not in ("partitionBy", "orderBy") or not all(
            is_rowwise(undirected(i, reader), reader.names, reader.lookup) for i in items
        ):
            return False
        spec = _assigned(spec.func.value, reader)
    return reader.names.resolve(spec) in _CLASSES


_TYPES = {
    "row_number": INT32, "rank": INT32, "dense_rank": INT32, "ntile": INT32, "count": INT64, "cume_dist": FLOAT,
    "percent_rank": FLOAT,
}  # fmt: skip


def kind_of(node: ast.expr, columns: ColumnReader, reader: ApiContext) -> Type:
    """The type of the column that ``node`` makes, if that is one window function whose type is always the same; else
    OPAQUE if it may be that of a column which is no number, or ANY."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=function), attr="over")):
            if (known := _TYPES.get(reader.names.function(function) or "")) is not None:
                return known
    source = columns.frame.known_schema
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=function, args=[of]), attr="over")):
            kind = _kind(of, columns) if reader.names.function(function) in ("max", "min") else ANY
            if kind != ANY:
                return kind  # one of its values
    for use in _windows(node):
        function = use.func.value if isinstance(use.func, ast.Attribute) else use
        if isinstance(function, ast.Call) and reader.names.function(function.func) not in _NUMBERS:
            parts = [n for a in function.args for n in ast.walk(a)]
            named = {n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            named |= {n.attr for n in parts if isinstance(n, ast.Attribute)}
            if not all(t == ANY or is_numeric(t) for t in map(source.type_of, named)):
                return OPAQUE
    return ANY


def _kind(of: ast.expr, columns: ColumnReader) -> Type:
    used = dict(columns.used)
    try:
        return columns.column(of, text_is_name=True).type
    except Refusal:
        return ANY
    finally:
        columns.used = used


def _settled(use: ast.Call, reader: ApiContext) -> bool:
    """Whether what a window looks at is a deterministic function of each row: ``sum(rand())`` draws again."""
    function = use.func.value if isinstance(use.func, ast.Attribute) else use
    items = [*function.args, *(k.value for k in function.keywords)] if isinstance(function, ast.Call) else [function]
    return all(is_rowwise(item, reader.names, reader.lookup) for item in items)


def as_boundary(plan: Window, frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Window:
    """``plan``, made by ``call``, with its place in the text, if a filter on what it is ordered by may go before it."""
    if plan.order is None or not isinstance(call.func, ast.Attribute):
        return plan
    end = call_spans.receiver_end(reader.names.ctx, call.func)
    boundary = Boundary("window", None, reader.names.ctx.span(call), end)
    reader.world.bound_at[boundary] = reader.snapshot()
    facts = tuple(f for f in frame.facts if columns_of(f) <= {plan.order.column})
    return replace(plan, boundary=boundary, facts=facts)


def _running(node: ast.expr, columns: ColumnReader, reader: ApiContext) -> Order | None:
    """The order in which ``node`` looks at no row behind its own and its peers."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("alias", "name"):
        node = node.func.value
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as function, attr="over"), args=[spec], keywords=[]):
            name = reader.names.function(function.func)
            offset = function.args[1] if name == "lag" and len(function.args) > 1 else ast.Constant(1)
            backward = isinstance(offset, ast.Constant) and isinstance(offset.value, int) and offset.value >= 0
            return _order(spec, columns, reader) if name in _RUNNING and backward and not function.keywords else None
    return None


def _order(spec: ast.expr, columns: ColumnReader, reader: ApiContext) -> Order | None:
    """By what a window without a frame of its own is ordered first."""
    found: ast.expr | None = None
    spec = _assigned(spec, reader)
    while isinstance(spec, ast.Call) and isinstance(spec.func, ast.Attribute):
        if spec.func.attr not in ("orderBy", "partitionBy") or spec.keywords:
            return None
        if spec.func.attr == "orderBy" and found is None:  # the last call counts, and it is seen first
            items = spec.args[0].elts if spec.args and isinstance(spec.args[0], (ast.List, ast.Tuple)) else spec.args
            if not items:
                return None
            found = items[0]
        spec = _assigned(spec.func.value, reader)
    return directed(found, columns, reader) if found and reader.names.resolve(spec) in _CLASSES else None


def _partition(
    use: ast.Call, columns: ColumnReader, reader: ApiContext
) -> tuple[frozenset[str], frozenset[Expr]] | None:
    """The columns that a window is partitioned by, and what it is partitioned by else; None if that is not known."""
    if len(use.args) != 1 or use.keywords:
        return None
    spec = _assigned(use.args[0], reader)
    found: tuple[frozenset[str], frozenset[Expr]] | None = None
    while isinstance(spec, ast.Call) and isinstance(spec.func, ast.Attribute):
        if spec.func.attr not in WINDOW:
            return None
        if spec.func.attr == "partitionBy" and found is None:  # the last call counts, and it is seen first
            found = _parted(spec, columns)
            if found is None:
                return None
        spec = _assigned(spec.func.value, reader)
    return found or (frozenset(), frozenset()) if reader.names.resolve(spec) in _CLASSES else None


def _assigned(node: ast.expr, reader: ApiContext) -> ast.expr:
    """What a variable was assigned, if that means the same here."""
    if isinstance(node, ast.Name) and node.id not in reader.names.rebound:
        bound = reader.lookup(node.id)
        if bound is not None and isinstance(bound.value, Unevaluated) and not bound.outdated(reader.lookup):
            return bound.value.node
    return node


def partitioned(spec: ast.expr, columns: ColumnReader, reader: ApiContext) -> tuple[Order | None] | None:
    """The order of a window over groups that has no frame of its own, by one column or by nothing; None for any other
    window. What it is partitioned by is a deterministic function of the row, if what the code around is given is."""
    order, ordered, parted = None, False, False
    spec = _assigned(spec, reader)
    while isinstance(spec, ast.Call) and isinstance(spec.func, ast.Attribute) and not spec.keywords:
        items = spec.args[0].elts if len(spec.args) == 1 and isinstance(spec.args[0], _LISTS) else spec.args
        if spec.func.attr == "orderBy" and len(items) == 1:
            if not ordered:  # the last call counts, and it is seen first
                order, ordered = directed(items[0], columns, reader), True
        elif spec.func.attr == "partitionBy" and not parted:
            parted = all(is_rowwise_of_given(i, reader.names, reader.lookup) for i in items)
            if not parted:
                return None
        else:
            return None
        spec = _assigned(spec.func.value, reader)
    known = parted and reader.names.resolve(spec) in _CLASSES and (order is not None or not ordered)
    return (order,) if known else None


def _parted(call: ast.Call, columns: ColumnReader) -> tuple[frozenset[str], frozenset[Expr]] | None:
    items = list(call.args)
    if len(items) == 1 and isinstance(items[0], (ast.List, ast.Tuple)):
        items = list(items[0].elts)
    try:
        found = {columns.column(item, text_is_name=True).expr for item in items}
    except Refusal:
        return None
    names = frozenset(e.name for e in found if isinstance(e, Col))
    computed = frozenset(e for e in found if not isinstance(e, Col) and columns_of(e) and not params_of(e))
    return None if call.keywords else (names, computed)
