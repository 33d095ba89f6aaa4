"""Columns that look at other rows: ``F.row_number().over(w)``, ``F.min("x").over(Window.partitionBy("k")) - 1``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater_ir.expr import Col
from headwater_ir.plan import WindowColumn

from .column import ColumnReader
from .context import Refusal
from .values import Text
from .world import Reader

_CLASSES = ("pyspark.sql.window.Window", "pyspark.sql.Window")


def has_window(node: ast.expr) -> bool:
    """Whether ``node`` computes with a window function."""
    return any(True for _ in _windows(node))


def _windows(node: ast.expr) -> Iterator[ast.Call]:
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "over":
            yield part


def window_column(name: str, node: ast.expr, columns: ColumnReader, reader: Reader) -> WindowColumn:
    """The column ``name`` with the value ``node``: what all its windows partition by, read from the same frame."""
    partitions = [_partition(use, columns, reader) for use in _windows(node)]
    known = [frozenset(p) for p in partitions if p is not None]
    if len(known) < len(partitions):
        return WindowColumn(name, None)
    return WindowColumn(name, tuple(sorted(known[0].intersection(*known))))


def _partition(use: ast.Call, columns: ColumnReader, reader: Reader) -> tuple[str, ...] | None:
    if len(use.args) != 1 or use.keywords:
        return None
    spec = _assigned(use.args[0], reader)
    found: tuple[str, ...] | None = None
    while isinstance(spec, ast.Call) and isinstance(spec.func, ast.Attribute):
        if spec.func.attr == "partitionBy" and found is None:  # the last call counts, and it is seen first
            found = _names(spec, columns)
            if found is None:
                return None
        spec = _assigned(spec.func.value, reader)
    return found or () if reader.names.resolve(spec) in _CLASSES else None


def _assigned(node: ast.expr, reader: Reader) -> ast.expr:
    """What a variable was assigned, if that means the same here."""
    if isinstance(node, ast.Name) and node.id not in reader.names.rebound:
        bound = reader.lookup(node.id)
        if bound is not None and isinstance(bound.value, Text) and not bound.outdated(reader.lookup):
            return bound.value.node
    return node


def _names(call: ast.Call, columns: ColumnReader) -> tuple[str, ...] | None:
    items = list(call.args)
    if len(items) == 1 and isinstance(items[0], (ast.List, ast.Tuple)):
        items = list(items[0].elts)
    try:
        terms = [columns.column(item, text_is_name=True) for item in items]
    except Refusal:
        return None
    # Partitioned by `x + 1`, rows of one x still are in one partition, but the condition wants the columns themselves.
    names = tuple(t.expr.name for t in terms if isinstance(t.expr, Col))
    return names if len(names) == len(terms) and not call.keywords else None
