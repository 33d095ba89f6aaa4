"""Offsets around a method call: where its receiver ends, where its dot stands."""

from __future__ import annotations

import ast

from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.span import Span


def receiver_end(ctx: Context, function: ast.Attribute) -> int:
    """The offset behind the receiver of ``receiver.method``, its closing parentheses included."""
    return _scan(ctx, function)[0]


def dot_before(ctx: Context, attribute: ast.Attribute) -> int:
    """The offset of the dot of ``receiver.attribute``."""
    return _scan(ctx, attribute)[1]


def call_span(ctx: Context, call: ast.Call) -> Span:
    """From the dot of a method call to its closing parenthesis."""
    assert isinstance(call.func, ast.Attribute)
    return Span(_scan(ctx, call.func)[1], ctx.span(call).end)


def _scan(ctx: Context, function: ast.Attribute) -> tuple[int, int]:
    """(end of the receiver, offset of the dot). Between them: ``)``, white space, comments, line continuations."""
    start, source = ctx.span(function).start, ctx.text(function)
    i = end = ctx.span(function.value).end - start
    while i < len(source) and source[i] != ".":
        if source[i] == "#":
            while i < len(source) and source[i] not in "\r\n":
                i += 1
            continue
        if source[i] == ")":
            end = i + 1
        elif source[i] not in " \t\f\r\n\\":
            raise Refusal("opaque", "the text before the method is not understood", function)
        i += 1
    if i == len(source):
        raise Refusal("opaque", "the text before the method is not understood", function)
    return start + end, start + i
