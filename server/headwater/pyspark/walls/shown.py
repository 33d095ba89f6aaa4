"""Whether a variable of unknown origin holds a DataFrame: some place that reads the same value calls a method that only
Spark's frames have."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.bindings import bound_names

from .places import Places

OF_FRAMES_ALONE = frozenset(
    """
    crossJoin createOrReplaceTempView dropDuplicates exceptAll selectExpr toPandas unionByName
    withColumn withColumnRenamed withColumns
    """.split()
)
"""Methods that no RDD, and no frame of pandas or Arrow, has."""
_ASKS_FOR_TYPES = frozenset("getattr hasattr isinstance issubclass type".split())
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_frame(name: ast.Name, places: Places, body: Sequence[ast.stmt], *, parameter: bool) -> bool:
    """Whether ``name`` reads a DataFrame. ``parameter``: it is one of the function with that ``body`` and holds the
    argument until the first statement that assigns it; any other variable is assigned once."""
    nodes = places.named(name.id)
    stores = [n for n in nodes if not isinstance(n.ctx, ast.Load)]
    if name.id in bound_names(body) and not stores:
        return False  # a definition or an import
    if _is_global(name.id, body) or any(_type_is_asked(n, places) for n in nodes):
        return False
    if parameter:
        first = min((places.end(n) for n in stores), default=None)
        reads = [n for n in nodes if isinstance(n.ctx, ast.Load) and not places.is_in_a_function(n)]
        same = [n for n in reads if first is None or (_at(n) < first and not _repeats(n, places))]
    else:
        origin = places.statement(stores[0]) if len(stores) == 1 and isinstance(stores[0].ctx, ast.Store) else None
        same = [] if origin is None else [*(places.reads_of(name.id, origin) or ())]
    return any(n is name for n in same) and any(_shows(n, places) for n in same)


def _at(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _shows(node: ast.Name, places: Places) -> bool:
    method = places.around(node)
    if not isinstance(method, ast.Attribute) or method.attr not in OF_FRAMES_ALONE:
        return False
    call = places.around(method)
    return isinstance(call, ast.Call) and call.func is method and not may_be_missing(node, places)


def may_be_missing(node: ast.expr, places: Places) -> bool:
    """Whether the program goes on where an attribute of ``node`` is missing, so that its use shows nothing."""
    return any(isinstance(n, ast.Try) and any(map(_catches_it, n.handlers)) for n in places.outward(node))


def _catches_it(handler: ast.ExceptHandler) -> bool:
    caught = () if handler.type is None else ast.walk(handler.type)
    return any(isinstance(n, ast.Name) and n.id == "AttributeError" for n in caught)


def _type_is_asked(node: ast.Name, places: Places) -> bool:
    call = places.around(node)
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _ASKS_FOR_TYPES


def _repeats(node: ast.Name, places: Places) -> bool:
    """Whether a loop may evaluate ``node`` after a statement that stands below it."""
    return any(isinstance(n, _LOOPS) for n in places.outward(node))


def _is_global(name: str, body: Sequence[ast.stmt]) -> bool:
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return True
        todo.extend(children(node))
    return False
