"""Which columns a condition reads for certain, whatever it means."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unevaluated
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col

from .api_context import ApiContext

_MOST_VARIABLES = 8
"""That stand for one another."""


def certain_columns(node: ast.expr, text: str | None, frame: TrackedFrame, reader: ApiContext) -> tuple[str, ...]:
    """Columns of ``frame`` that the condition ``node``, or its SQL ``text``, names; others may be read as well."""
    columns = reader.columns(frame, joins=True)
    columns.qualified = True
    found = _of_sql(text) if text is not None else _named(node, columns, reader, _MOST_VARIABLES)
    return tuple(sorted(set(found)))


def _named(node: ast.expr, columns: ColumnReader, reader: ApiContext, depth: int) -> Iterator[str]:
    match node:
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() | ast.IfExp():
            return  # what they read may be a variable of their own, or not be read
        case ast.Name(id=name):
            bound = reader.lookup(name)
            known = bound is not None and isinstance(bound.value, Unevaluated) and name not in reader.names.rebound
            if depth and bound is not None and known and bound.outdated(reader.lookup) is None:
                assert isinstance(bound.value, Unevaluated)
                yield from _named(bound.value.node, columns, reader, depth - 1)
            return
        case ast.Call(func=func) if reader.names.function(func) not in ("col", "column"):
            parts: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
            if isinstance(func, ast.Attribute):
                parts.append(func.value)
        case ast.Call() | ast.Attribute() | ast.Subscript():
            yield from _column(node, columns)
            return
        case _:
            parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    for part in parts:
        yield from _named(part, columns, reader, depth)


def _column(node: ast.expr, columns: ColumnReader) -> Iterator[str]:
    try:
        expr = columns.column(node).expr
    except Refusal:
        return
    if isinstance(expr, Col):
        yield expr.name


def _of_sql(text: str) -> Iterator[str]:
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return
    if tree.find(exp.Lambda, exp.Query) is None:
        yield from (c.name for c in tree.find_all(exp.Column) if not c.args.get("table") and c.name)
