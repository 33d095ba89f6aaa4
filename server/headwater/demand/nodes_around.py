"""The syntax around a place in the text."""

from __future__ import annotations

import ast

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import children
from headwater_ir.span import Span


def nodes_around(context: Context, span: Span) -> list[ast.AST]:
    """The nodes in which ``span`` stands, the innermost first."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = [*context.tree.body]
    while todo:
        node = todo.pop()
        if not hasattr(node, "lineno"):
            todo += children(node)
            continue
        here = context.span(node)
        if here.start <= span.start and span.end <= here.end:
            found.append(node)
            todo = children(node)
    return found[::-1]
