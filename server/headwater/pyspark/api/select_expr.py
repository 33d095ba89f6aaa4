"""``selectExpr("a", "b + 1 AS c", "*")``: a ``select`` whose columns are SQL texts."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.parsing import parse_sql
from headwater.pyspark.columns.sql import read_tree
from headwater.pyspark.columns.sql_determinism import is_rowwise_sql
from headwater.pyspark.frames.constant_text import given_items, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.span import Span
from headwater_ir.types import ANY
from headwater_ir.unread import unread_column

from .api_context import ApiContext
from .explode import beside
from .select import select_generated, selected
from .stack import read_stack, stacked

if TYPE_CHECKING:
    from sqlglot import exp


def select_expr(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """The frame of ``frame.selectExpr(…)``; Refusal for texts that are no literals and columns without a plain name."""
    columns = reader.columns(frame)
    terms: list[tuple[str, Term]] = []
    stars, stacks = False, []
    for item in given_items(call, reader.names, reader.lookup):
        text = text_of(item, reader.names, reader.lookup)
        if call.keywords or text is None:
            raise Refusal("opaque", "the columns of `selectExpr` are not written out", call)
        if text.strip() == "*":
            stars = True
        elif (found := read_stack(text)) is not None:
            stacks.append(found)
        else:
            terms.append(read_column(text, columns, reader))
    reader.check_variables(frame.plan, columns.used)
    if len({n for n, _ in terms}) < len(terms):
        raise Refusal("attribute-capture", "`selectExpr` makes two columns of the same name", call)
    if stacks:
        names = stacks[0].names
        if len(stacks) > 1 or not names:
            raise Refusal("opaque", "generated columns that are not named one by one", call)
        for name in names:
            reader.names.spell(name)
        made = beside(frame, *stacked(frame, names, stacks[0], call, span, reader), reader)
        return select_generated(frame, made, names, terms, stars, span, reader)
    return selected(frame, terms, stars, span, reader)


def read_column(text: str, columns: ColumnReader, reader: ApiContext) -> tuple[str, Term]:
    """The name and the value of a column that a SQL text selects."""
    import sqlglot
    from sqlglot import exp

    try:
        (tree,) = parse_sql(text)
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
        raise Refusal("opaque", "the SQL text does not parse") from None
    if not isinstance(tree, (exp.Alias, exp.Column)) or not tree.alias_or_name.isidentifier():
        raise Refusal("opaque", f"`{text}` has no plain name")
    name = tree.alias_or_name
    reader.names.spell(name)
    try:
        return name, read_tree(tree.this if isinstance(tree, exp.Alias) else tree, columns)
    except Refusal as refusal:
        if refusal.obstruction not in ("opaque", "may-throw") or not is_rowwise_sql(text, reader.names):
            raise
        constants = _constant_case(tree.unalias(), columns, refusal.reason)
        return name, replace(constants or Term(unread_column(refusal.reason), ANY), name=name)


def _constant_case(tree: exp.Expr, columns: ColumnReader, reason: str) -> Term | None:
    """A CASE of constants whose conditions have no model, for ``reason``; None if ``tree`` is none."""
    from sqlglot import exp

    if not isinstance(tree, exp.Case):
        return None
    results = [branch.args["true"] for branch in tree.args["ifs"]]
    last = tree.args.get("default")
    if not all(isinstance(r, (exp.Literal, exp.Boolean, exp.Null)) for r in (*results, *([last] if last else []))):
        return None
    test = unread_column(reason)
    branches = tuple((test, read_tree(r, columns)) for r in results)
    return spark_functions.case(branches, read_tree(last, columns) if last else None)
