"""``stack(2, 'a', a, 'b', b) AS (kind, price)`` in SQL text: for each row as many as are written out.

The same as ``unpivot`` but that the cells are any values, of which columns and constants have a meaning here.
https://spark.apache.org/docs/latest/api/sql/index.html#stack
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.pyspark.columns.sql import read_tree
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.constant_text import text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Lit
from headwater_ir.plan import Boundary, Explode
from headwater_ir.span import Span
from headwater_ir.types import ANY, NULL, Type

from .api_context import ApiContext

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class Stack:
    """``names`` of the columns that it makes, none if it leaves them to Spark, and its cells, row by row."""

    names: tuple[str, ...]
    rows: tuple[tuple[exp.Expression, ...], ...]


def stack_of(node: ast.expr, reader: ApiContext) -> Stack | None:
    """The ``stack`` that ``F.expr(text)`` is; None if it is something else."""
    match node:
        case ast.Call(func=func, args=[given], keywords=[]) if reader.names.function(func) == "expr":
            text = text_of(given, reader.names, reader.lookup)
            return None if text is None else read_stack(text)
    return None


def read_stack(text: str) -> Stack | None:
    """The ``stack`` that ``text`` is; None if it is something else. Refusal if its rows are not known."""
    import sqlglot
    from sqlglot import exp

    if not text.lstrip().lower().startswith("stack"):
        return None
    try:
        tree = sqlglot.parse_one(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    names = [i.name for i in tree.expressions] if isinstance(tree, exp.Aliases) else [tree.alias] if tree.alias else []
    call = tree.this if isinstance(tree, (exp.Aliases, exp.Alias)) else tree
    if not isinstance(call, exp.Stack):
        return None
    cells, count = call.expressions, call.this
    if not isinstance(count, exp.Literal) or count.is_string or not str(count.this).isdigit():
        raise Refusal("opaque", "the number of rows of `stack` is not written out")
    rows = int(str(count.this))
    if not rows or not cells or len(cells) % rows or (names and len(names) != len(cells) // rows):
        raise Refusal("opaque", "the rows of `stack` are not written out one by one")
    width = len(cells) // rows
    return Stack(tuple(names), tuple(tuple(cells[i : i + width]) for i in range(0, len(cells), width)))


def stacked(
    frame: TrackedFrame, names: tuple[str, ...], found: Stack, call: ast.Call, span: Span, reader: ApiContext
) -> tuple[Explode, tuple[Type, ...]]:
    """``frame`` with the columns ``names`` of ``found`` beside its own, and their types; ``call``: of the method."""
    columns = reader.columns(frame, joins=True)
    rows = [[read_tree(cell, columns) for cell in row] for row in found.rows]
    reader.check_variables(frame.plan, columns.used)
    if columns.used or len(names) != len(rows[0]) or not all(_is_plain(t) for row in rows for t in row):
        raise Refusal("opaque", "a cell of `stack` is neither a column nor a constant")
    if not isinstance(call.func, ast.Attribute):
        raise Refusal("opaque", "`stack` in a method that is kept in a variable", call)
    boundary = Boundary(
        "stack", None, reader.names.ctx.span(call), call_spans.receiver_end(reader.names.ctx, call.func)
    )
    reader.world.bound_at[boundary] = reader.snapshot()
    arms = tuple(tuple((n, t.expr) for n, t in zip(names, row, strict=True)) for row in rows)
    types = tuple({row[i].type for row in rows} for i in range(len(names)))
    plan = Explode(frame.plan, names, span, boundary, arms=arms, facts=frame.facts)
    return plan, tuple(t.pop() if len(t) == 1 else ANY for t in types)


def _is_plain(term: Term) -> bool:
    return isinstance(term.expr, Col) or (isinstance(term.expr, Lit) and term.type != NULL)
