"""The syntax around a place in the text."""

from __future__ import annotations

import ast
from bisect import bisect_right

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import children
from headwater_ir.span import Span

_MEMO, _AROUND = "starts of statements", "_nodes_around"


def nodes_around(context: Context, span: Span) -> list[ast.AST]:
    """The nodes in which ``span`` stands, the innermost first."""
    statement = statement_around(context, span)
    if statement is None:
        return []
    known = getattr(statement, _AROUND, None)
    if not isinstance(known, dict):
        known = dict[tuple[int, int], list[ast.AST]]()
        setattr(statement, _AROUND, known)  # a table would keep the tree; where the statement stands may change
    place = _within(statement, context, span)
    if place not in known:
        known[place] = _around(statement, context, span)
    found: list[ast.AST] = known[place]
    return found


def _within(statement: ast.stmt, context: Context, span: Span) -> tuple[int, int]:
    """Where ``span`` stands in ``statement``, wherever that stands."""
    begin = context.start_of(statement)
    return span.start - begin, span.end - begin


def _around(statement: ast.stmt, context: Context, span: Span) -> list[ast.AST]:
    found, todo = list[ast.AST](), list[ast.AST]([statement])
    first, last = context.line_of(span.start), context.line_of(max(span.start, span.end - 1))
    while todo:
        node = todo.pop()
        begins, ends = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if begins is None or ends is None:
            todo += children(node)
            continue
        if begins > first or ends < last:
            continue  # to compare lines is quick
        here = context.span(node)
        if here.start <= span.start and span.end <= here.end:
            found.append(node)
            texts = (ast.Constant, ast.JoinedStr) if isinstance(node, (ast.JoinedStr, ast.FormattedValue)) else ()
            todo = [n for n in children(node) if not isinstance(n, texts)]  # these are said to be all of it
    return found[::-1]


def statement_around(context: Context, span: Span) -> ast.stmt | None:
    """The statement of the top level in which ``span`` stands, decorators left out."""
    known = context.memo.get(_MEMO)
    if not isinstance(known, tuple):  # what a linked file gives stands behind the text, and is bound by its imports
        ordered = sorted(context.tree.body, key=context.start_of)
        known = context.memo[_MEMO] = [context.start_of(s) for s in ordered], ordered
    starts, statements = known
    at = bisect_right(starts, span.start) - 1
    inside = at >= 0 and span.end <= context.span(statements[at]).end
    return statements[at] if inside else None


def joins_what_others_read(call: ast.Call, context: Context) -> bool:
    """Whether the variable that holds the right side of the join ``call`` is read anywhere else, or there is none."""
    at = next(iter((*call.args, *(k.value for k in call.keywords if k.arg == "other"))))
    while isinstance(at, (ast.Call, ast.Attribute)):
        at = at.func if isinstance(at, ast.Call) else at.value
    if not isinstance(at, ast.Name):
        return True
    inside = {id(n) for n in ast.walk(call)}
    named = (n for s in context.naming(at.id) for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == at.id)
    return any(isinstance(n.ctx, ast.Load) and id(n) not in inside for n in named)
