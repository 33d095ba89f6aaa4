"""``selectExpr("a", "b + 1 AS c", "*")``: a ``select`` whose columns are SQL texts."""

from __future__ import annotations

import ast

from headwater_ir.plan import unread_column
from headwater_ir.span import Span
from headwater_ir.types import ANY

from .column import ColumnReader
from .context import Refusal
from .project import selected
from .rowwise import is_rowwise_sql
from .sources import resolve_literal
from .sql import read_tree
from .terms import Term
from .values import Frame, Value
from .world import Reader


def select_expr(frame: Frame, call: ast.Call, span: Span, reader: Reader) -> Value:
    """The frame of ``frame.selectExpr(…)``; Refusal for texts that are no literals and columns without a plain name."""
    items = list(call.args)
    if len(items) == 1:
        only = resolve_literal(items[0], reader)
        items = list(only.elts) if isinstance(only, (ast.List, ast.Tuple)) else items
    columns = reader.columns(frame)
    terms: list[tuple[str, Term]] = []
    stars = False
    for item in (resolve_literal(i, reader) for i in items):
        if call.keywords or not isinstance(item, ast.Constant) or not isinstance(item.value, str):
            raise Refusal("opaque", "the columns of `selectExpr` are not written out", call)
        if item.value.strip() == "*":
            stars = True
        else:
            terms.append(_column(item.value, columns, reader))
    reader.check_variables(frame.plan, columns.used)
    if len({n for n, _ in terms}) < len(terms):
        raise Refusal("attribute-capture", "`selectExpr` makes two columns of the same name", call)
    return selected(frame, terms, stars, span, reader)


def _column(text: str, columns: ColumnReader, reader: Reader) -> tuple[str, Term]:
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        raise Refusal("opaque", "the SQL text does not parse") from None
    if not isinstance(tree, (exp.Alias, exp.Column)) or not tree.alias_or_name.isidentifier():
        raise Refusal("opaque", f"`{text}` has no plain name")
    name = tree.alias_or_name
    reader.names.spell(name)
    try:
        return name, read_tree(tree.this if isinstance(tree, exp.Alias) else tree, columns)
    except Refusal as refusal:
        if refusal.obstruction not in ("opaque", "may-throw") or not is_rowwise_sql(text):
            raise
        return name, Term(unread_column(refusal.reason), ANY, name=name)
