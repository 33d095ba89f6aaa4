"""Taking a call out of a chain, with its line if it stands alone on it; comments stay."""

from __future__ import annotations

from headwater_ir.span import Span

from .edit import Edit
from .tokens import Tokens, indent_of, line_end, line_start, newline_of, next_line


def remove_call(tokens: Tokens, call: Span) -> Edit:
    """The edit that takes ``call`` (from its dot to its closing parenthesis) out of the text."""
    source = tokens.source
    start, end = line_start(source, call.start), line_end(source, call.end)
    rest = source[call.end : end].strip()
    if source[start : call.start].strip():
        return _within_line(tokens, call, rest)
    comments = tokens.comments_within(call)
    if comments:
        return _leave_comments(tokens, call, comments)
    if rest.startswith("#"):
        return Edit(Span(call.start, source.index("#", call.end)), "")
    if rest == "\\":
        return Edit(Span(start, next_line(source, call.end)), "")
    return _last_of_chain(tokens, call, rest)


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


def _within_line(tokens: Tokens, call: Span, rest: str) -> Edit:
    source = tokens.source
    start = call.start
    if source[call.start] == "." and not rest and not source[line_start(source, start) : start].strip():
        start = line_start(source, start)
    comments = tokens.comments_within(call)
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
