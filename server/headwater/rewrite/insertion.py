"""Where and how a new call joins a chain of calls, in the layout that the chain already has."""

from __future__ import annotations

from headwater_ir.span import Span

from .edit import Edit
from .tokens import Tokens, line_end, line_start, newline_of


def insert_call(tokens: Tokens, at: int, call: str, in_argument: bool = False) -> Edit:
    """The edit that calls ``call`` (``filter(…)``) on the receiver that ends at ``at``; ``in_argument``: which is an
    argument of another call, so that no parenthesis behind it is its own.

    One call per line stays one call per line, with the same indentation, the same side for the dot and the same
    backslashes; comments stay with the call that they stand beside.
    """
    source = tokens.source
    if in_argument:
        return _at(at, f".{call}")
    i = tokens.index(at)
    while i < len(tokens.tokens) and tokens.tokens[i].text == ")":  # the receiver stands in parentheses of its own
        i += 1
    if i + 1 >= len(tokens.tokens) or tokens.tokens[i].text != ".":
        return _at(at, f".{call}")
    if i > tokens.index(at):
        at = tokens.tokens[i - 1].end
    dot, name = tokens.tokens[i], tokens.tokens[i + 1]
    if _breaks(source, at, dot.start):
        return _own_line(source, at, dot.start, call)
    if _breaks(source, dot.end, name.start):
        indent = source[line_start(source, name.start) : name.start]
        return _at(at, f".{newline_of(source, dot.end)}{indent}{call}")
    following = _following_dot(tokens, i + 1)
    if following is not None:
        indent = source[line_start(source, following) : following]
        return _at(at, f".{call}{_continuation(source, name.end, following)}{newline_of(source, at)}{indent}")
    return _at(at, f".{call}")


def _own_line(source: str, at: int, dot: int, call: str) -> Edit:
    """``receiver⏎    .next()``: a line of its own behind the receiver's."""
    line = f"{newline_of(source, at)}{source[line_start(source, dot) : dot]}.{call}"
    if _continuation(source, at, dot):
        return _at(at, f" \\{line}")
    return _at(line_end(source, at), line)  # behind a comment on the receiver's line


def _following_dot(tokens: Tokens, i: int) -> int | None:
    """Offset of the dot behind the call (or calls) that start with the name at index ``i``, if it begins a line."""
    while i + 1 < len(tokens.tokens) and tokens.tokens[i + 1].text in ("(", "["):
        i = tokens.closing(i + 1)
    if i + 1 >= len(tokens.tokens) or tokens.tokens[i + 1].text != ".":
        return None
    dot = tokens.tokens[i + 1].start
    alone = not tokens.source[line_start(tokens.source, dot) : dot].strip()
    return dot if alone and _breaks(tokens.source, tokens.tokens[i].end, dot) else None


def _breaks(source: str, start: int, end: int) -> bool:
    return "\n" in source[start:end] or "\r" in source[start:end]


def _continuation(source: str, start: int, end: int) -> str:
    """`` \\`` if the line before ``end`` is continued by a backslash, else nothing."""
    previous = source[start : line_start(source, end)].rstrip("\r\n")
    return " \\" if previous.endswith("\\") else ""


def _at(offset: int, text: str) -> Edit:
    return Edit(Span(offset, offset), text)
