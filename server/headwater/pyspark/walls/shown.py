"""Whether a variable of unknown origin holds a DataFrame: some place that reads the same value calls a method that only
Spark's frames have, or gives one a Column of Spark's."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import bound_names

from .places import Places

OF_FRAMES_ALONE = frozenset(
    """
    approxQuantile createGlobalTempView createOrReplaceGlobalTempView createOrReplaceTempView createTempView crossJoin
    dropDuplicates exceptAll intersectAll mapInArrow mapInPandas printSchema selectExpr sortWithinPartitions toPandas
    unionAll unionByName withColumn withColumnRenamed withColumns withColumnsRenamed withWatermark writeTo
    """.split()
)
"""Methods that no RDD, and no frame of pandas or Arrow, has."""
_OF_GROUPS_ALONE = frozenset("applyInPandas applyInArrow applyInPandasWithState transformWithState cogroup".split())
"""Methods of the groups of Spark's frames, which no groups of pandas have."""
_TAKES_COLUMNS = frozenset("agg filter groupBy groupby orderBy select sort where".split())
"""Methods of frames that others have as well, but not with a Column of Spark's as an argument."""
_COLUMNS = frozenset("row column text aggregate window generator rows session partition random raises order".split())
"""The kinds of functions of Spark's that give a Column."""
SAME_KIND = frozenset("distinct filter limit select where".split())
"""Methods of frames that give a frame, as others of these names give what is like their own."""
IN_CHAINS = OF_FRAMES_ALONE | _TAKES_COLUMNS | SAME_KIND
"""Methods that chains begin with which may show that they begin with a frame."""
_ASKS_FOR_TYPES = frozenset("getattr hasattr isinstance issubclass type".split())
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def shows(call: ast.Call, names: Names) -> bool:
    """Whether the ``call`` of a method shows that its receiver is one of Spark's frames."""
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr in OF_FRAMES_ALONE:
        return True
    given = (e for a in call.args for e in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a]))
    return call.func.attr in _TAKES_COLUMNS and any(_is_column(a, names) for a in given)


def _is_column(node: ast.expr, names: Names) -> bool:
    """Whether ``node`` is a Column, made by a function of Spark's and perhaps by operators and methods on that."""
    match node:
        case ast.Call(func=func):
            named = FUNCTIONS.get(names.function(func) or "")
            if named is not None:
                return named.kind in _COLUMNS
            return isinstance(func, ast.Attribute) and _is_column(func.value, names)
        case ast.Compare(left=left, comparators=others):
            return any(_is_column(n, names) for n in (left, *others))
        case ast.BinOp(left=left, right=right):
            return _is_column(left, names) or _is_column(right, names)
        case ast.UnaryOp(op=ast.Invert() | ast.USub(), operand=of):
            return _is_column(of, names)
    return False


def is_frame(
    name: ast.Name, places: Places, body: Sequence[ast.stmt], names: Names, *, parameter: bool,
    transformed: bool = False,
) -> bool:  # fmt: skip
    """Whether ``name`` reads a DataFrame. ``parameter``: it is one of the function with that ``body`` and holds the
    argument until the first statement that assigns it; any other variable is assigned once. ``transformed``: what it
    was assigned is made of a frame by ``transform``."""
    nodes = places.named(name.id)
    stores = [n for n in nodes if not isinstance(n.ctx, ast.Load)]
    if name.id in bound_names(body) and not stores:
        return False  # a definition or an import
    if name.id in names.rebound or type_is_asked(name.id, places):
        return False
    if parameter:
        first = min((places.end(n) for n in stores), default=None)
        reads = [n for n in nodes if isinstance(n.ctx, ast.Load) and not places.is_in_a_function(n)]
        same = [n for n in reads if first is None or (_at(n) < first and not _repeats(n, places))]
    else:
        origin = places.statement(stores[0]) if len(stores) == 1 and isinstance(stores[0].ctx, ast.Store) else None
        same = [] if origin is None else [*(places.reads_of(name.id, origin) or ())]
    return any(n is name for n in same) and (transformed or any(_is_shown_at(n, places, names) for n in same))


def ends_as_frame(node: ast.expr, places: Places, names: Names) -> bool:
    """Whether the chain of calls that begins with ``node`` calls a method that only frames have: what makes another
    frame of one before it makes it of a frame."""
    method = places.around(node)
    while isinstance(method, ast.Attribute):
        call = places.around(method)
        if not isinstance(call, ast.Call) or call.func is not method:
            return False
        if shows(call, names):
            return True
        if method.attr not in SAME_KIND:
            return False
        method = places.around(call)
    return False


def leads_to(node: ast.expr, methods: frozenset[str], places: Places) -> bool:
    """Whether the chain of calls that begins with ``node`` asks for one of ``methods``, with nothing before it but what
    gives a frame of a frame."""
    method = places.around(node)
    while isinstance(method, ast.Attribute) and method.attr not in methods:
        call = places.around(method)
        if not isinstance(call, ast.Call) or call.func is not method or method.attr not in SAME_KIND:
            return False
        method = places.around(call)
    return isinstance(method, ast.Attribute)


def groups_as_frame(node: ast.expr, places: Places) -> bool:
    """Whether ``node`` is grouped for a function in a way that only Spark has: ``node.groupby(…).applyInPandas(…)``."""
    method = places.around(node)
    grouped = places.around(method) if isinstance(method, ast.Attribute) else None
    asked = places.around(grouped) if isinstance(grouped, ast.Call) and grouped.func is method else None
    return isinstance(asked, ast.Attribute) and asked.attr in _OF_GROUPS_ALONE


def _at(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _is_shown_at(node: ast.Name, places: Places, names: Names) -> bool:
    """Whether what ``node`` reads is shown to be a frame where it is read, or by what it is assigned to."""
    method = places.around(node)
    if isinstance(method, ast.Assign) and len(method.targets) == 1 and isinstance(method.targets[0], ast.Name):
        other = method.targets[0].id
        reads = () if other == node.id else places.reads_of(other, method) or ()
        return not type_is_asked(other, places) and any(_is_asked_for(n, places, names) for n in reads)
    return _is_asked_for(node, places, names)


def _is_asked_for(node: ast.Name, places: Places, names: Names) -> bool:
    method = places.around(node)
    call = places.around(method) if isinstance(method, ast.Attribute) else None
    if not isinstance(call, ast.Call) or call.func is not method:
        return False
    shown = shows(call, names) or ends_as_frame(node, places, names)
    return shown and not may_be_missing(node, places)


def may_be_missing(node: ast.expr, places: Places) -> bool:
    """Whether the program goes on where an attribute of ``node`` is missing, so that its use shows nothing."""
    return any(isinstance(n, ast.Try) and any(map(_catches_it, n.handlers)) for n in places.outward(node))


def _catches_it(handler: ast.ExceptHandler) -> bool:
    caught = () if handler.type is None else ast.walk(handler.type)
    return any(isinstance(n, ast.Name) and n.id == "AttributeError" for n in caught)


def type_is_asked(name: str, places: Places) -> bool:
    """Whether the code asks of what type the variable ``name`` is, or what attributes it has."""
    return not places.given_to(name).isdisjoint(_ASKS_FOR_TYPES)


def _repeats(node: ast.Name, places: Places) -> bool:
    """Whether a loop may evaluate ``node`` after a statement that stands below it."""
    return any(isinstance(n, _LOOPS) for n in places.outward(node))
