"""The syntax around a place in the text."""

from __future__ import annotations

import ast

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import children
from headwater_ir.span import Span

_MEMO = "spans of statements"


def nodes_around(context: Context, span: Span) -> list[ast.AST]:
    """The nodes in which ``span`` stands, the innermost first."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = [
        s for start, end, s in spans_of_statements(context) if start <= span.start and span.end <= end
    ]
    while todo:
        node = todo.pop()
        if not hasattr(node, "lineno"):
            todo += children(node)
            continue
        here = context.span(node)
        if here.start <= span.start and span.end <= here.end:
            found.append(node)
            texts = (ast.Constant, ast.JoinedStr) if isinstance(node, (ast.JoinedStr, ast.FormattedValue)) else ()
            todo = [n for n in children(node) if not isinstance(n, texts)]  # these are said to be all of it
    return found[::-1]


def spans_of_statements(context: Context) -> list[tuple[int, int, ast.stmt]]:
    """Where the statements of the top level stand."""
    known = context.memo.get(_MEMO)
    if not isinstance(known, list):
        spans = ((context.span(s), s) for s in context.tree.body)
        known = context.memo[_MEMO] = [(span.start, span.end, s) for span, s in spans]
    return known
