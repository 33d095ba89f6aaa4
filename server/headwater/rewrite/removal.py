"""Taking a call out of a chain, with its line if it stands alone on it; comments stay. Where nothing but ``x = x``
would be left, the statement goes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.lines import split_lines
from headwater_ir.span import Span

from .edit import Edit
from .tokens import Tokens, indent_of, line_end, line_start, newline_of, next_line


def remove_call(tokens: Tokens, call: Span, *, with_comments: bool = False) -> Edit:
    """The edit that takes ``call`` (from its dot to its closing parenthesis) out of the text. ``with_comments``: those
    inside it too, which stand elsewhere now."""
    source = tokens.source
    start, end = line_start(source, call.start), line_end(source, call.end)
    rest = source[call.end : end].strip()
    if source[start : call.start].strip():
        return _within_line(tokens, call, rest, [] if with_comments else tokens.comments_within(call))
    comments = [] if with_comments else tokens.comments_within(call)
    if comments:
        return _leave_comments(tokens, call, comments)
    if rest.startswith("#"):
        return Edit(Span(call.start, source.index("#", call.end)), "")
    if rest == "\\":
        return Edit(Span(start, next_line(source, call.end)), "")
    return _last_of_chain(tokens, call, rest)


def remove_filter(context: Context, tokens: Tokens, call: Span, *, with_comments: bool = False) -> Edit:
    """As ``remove_call``; and the statement with it that gives a variable nothing but its own value then."""
    for block in _blocks(context.tree):
        for statement in block:
            match statement:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=of))) as value
                ) if name == of and context.span(value).end == call.end:
                    gone = context.span(statement)
                    edit = None if tokens.comments_within(gone) else remove_statement(context, gone)
                    beside = re.match(r"[ \t]*#", context.readable[gone.end :])
                    if edit is not None and beside is not None:
                        edit = Edit(Span(gone.start, gone.end + beside.end() - 1), "")
                    return edit or remove_call(tokens, call, with_comments=with_comments)
    return remove_call(tokens, call, with_comments=with_comments)


def remove_statement(context: Context, gone: Span) -> Edit | None:
    """The edit that takes the lines of a statement away, and what a comment says beside it; None if something else
    stands on them, or nothing would be left of the block around it."""
    text, start = context.readable, gone.start
    while start and text[start - 1] in " \t":
        start -= 1
    rest = re.match(r"[ \t]*(#[^\r\n]*)?", text[gone.end :])
    end = gone.end + (rest.end() if rest is not None else 0)
    if (start and text[start - 1] != "\n") or (end < len(text) and text[end] not in "\r\n"):
        return None
    block = next((b for b in _blocks(context.tree) if any(context.span(s) == gone for s in b)), [])
    if len(block) < 2:
        return None
    lines = split_lines(text[end:])
    return Edit(Span(start, end + len(lines[0]) if lines else end), "")


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _last_of_chain(tokens: Tokens, call: Span, rest: str) -> Edit:
    """A call that begins its line and is not followed by a backslash or a comment."""
    source = tokens.source
    start = line_start(source, call.start)
    if rest.startswith("."):
        return Edit(call, "")
    previous = source[:start].rstrip("\r\n")
    if previous.endswith("\\"):
        return Edit(Span(len(previous[:-1].rstrip()), call.end), "")
    if not rest:
        return Edit(Span(start, next_line(source, call.end)), "")
    if tokens.comments_within(Span(line_start(source, len(previous)), start)):
        return Edit(call, "")  # what follows must not become part of the comment above
    return Edit(Span(len(previous.rstrip()), call.end), "")


def _within_line(tokens: Tokens, call: Span, rest: str, comments: list[str]) -> Edit:
    source = tokens.source
    start = call.start
    if source[call.start] == "." and not rest and not source[line_start(source, start) : start].strip():
        start = line_start(source, start)
    return Edit(Span(start, call.end), "" if not comments else _comment_block(source, call, comments))


def _comment_block(source: str, call: Span, comments: list[str]) -> str:
    """Comments of a call that shared its line: inside brackets (or they could not be there once the call is gone; then
    the result does not parse and the rewrite is refused)."""
    newline, indent = newline_of(source, call.start), indent_of(source, call.end)
    return "  " + (newline + indent).join(comments) + newline + indent


def _leave_comments(tokens: Tokens, call: Span, comments: list[str]) -> Edit:
    source = tokens.source
    newline, indent = newline_of(source, call.start), source[line_start(source, call.start) : call.start]
    rest = source[call.end : line_end(source, call.end)]
    text = (newline + indent).join(comments)
    if rest.strip().startswith("#"):
        end = source.index("#", call.end)
        return Edit(Span(call.start, end), text + newline + indent)
    return Edit(call, text if not rest.strip() else text + newline + indent)
