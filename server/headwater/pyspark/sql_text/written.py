"""Where the characters of a SQL text stand in the file.

A text is put together of literals and of constants that the file proves (``constant_text``): f-strings, ``+``, plain
``format`` and literals side by side. What stands in a literal character by character may get more characters between
them; the value of a constant is known, and belongs to its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.constant_text import fields, text_of
from headwater.syntax.refusal import Refusal
from headwater_ir.span import Span

_OPENING = re.compile(r"([A-Za-z]*)(\"{3}|'{3}|\"|')")
_BETWEEN = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*")
"""What may stand between two literals that are one."""
_HOLE = re.compile(r"\{\s*[A-Za-z_][\w.]*\s*\}")
"""A part of an f-string that is a name and nothing else."""


_QUOTES = ("\\'", '\\"')
"""Escapes of which it is plain what they stand for."""


@dataclass(frozen=True)
class Piece:
    """Characters of a text and their place in the file; ``written``: they are the characters there."""

    text: str
    span: Span
    written: bool


def pieces_of(node: ast.expr, reader: ApiContext) -> tuple[Piece, ...]:
    """The text that ``node`` is, in pieces; Refusal, with the part that is not known, if it is not."""
    found = tuple(_pieces(node, reader))
    if "".join(piece.text for piece in found) != text_of(node, reader.names, reader.lookup):
        raise Refusal("opaque", f"how the SQL text `{_short(node, reader)}` is written is not plain to see")
    return found


def _pieces(node: ast.expr, reader: ApiContext) -> Iterator[Piece]:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield from _literal(node, reader)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _pieces(left, reader)
            yield from _pieces(right, reader)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()) as template, attr="format")):
            yield from _formatted(template, node, reader)
        case _:
            yield _constant(node, _short(node, reader), reader.names.ctx.span(node), reader)


def _constant(node: ast.expr, name: str, span: Span, reader: ApiContext) -> Piece:
    value = text_of(ast.JoinedStr([ast.FormattedValue(node, -1, None)]), reader.names, reader.lookup)
    if value is None:
        raise Refusal("opaque", f"the value of `{name}` in the SQL text is not known")
    return Piece(value, span, False)


def _literal(node: ast.expr, reader: ApiContext) -> Iterator[Piece]:
    """The pieces of a literal, or of several side by side; what they hold must be checked against their value."""
    source, start, at = reader.names.ctx.text(node), reader.names.ctx.span(node).start, 0
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    filled = (part for part in parts if isinstance(part, ast.FormattedValue))
    while at < len(source):
        opening = _OPENING.match(source, at)
        if opening is None:
            raise Refusal("opaque", "a SQL text that is not written as literals")
        begin = at = opening.end()
        while not source.startswith(opening[2], at):
            if source[at : at + 2] in _QUOTES and "r" not in opening[1].lower():
                yield Piece(source[begin:at], Span(start + begin, start + at), True)
                yield Piece(source[at + 1], Span(start + at, start + at + 2), False)
                begin = at = at + 2
                continue
            if at >= len(source) or source[at] == "\\":
                raise Refusal("opaque", "the SQL text has a backslash")
            if "f" not in opening[1].lower() or source[at] not in "{}":
                at += 1
                continue
            hole, value = _HOLE.match(source, at), next(filled, None)
            if hole is None or value is None or value.conversion != -1 or value.format_spec is not None:
                unknown = source[at:].partition("}")[0].strip("{ ")
                raise Refusal("opaque", f"the value of `{unknown}` in the SQL text is not known")
            yield Piece(source[begin:at], Span(start + begin, start + at), True)
            yield _constant(value.value, hole[0].strip("{} "), Span(start + at, start + hole.end()), reader)
            begin = at = hole.end()
        yield Piece(source[begin:at], Span(start + begin, start + at), True)
        between = _BETWEEN.match(source, at + len(opening[2]))
        assert between is not None
        at = between.end()


def _formatted(template: ast.Constant, call: ast.Call, reader: ApiContext) -> Iterator[Piece]:
    """The pieces of ``"… {} …".format(…)``."""
    given = fields(str(template.value), call)
    if given is None:
        raise Refusal("opaque", "the SQL text has fields that are not plain")
    offset = 0
    for piece in _literal(template, reader):
        begin, end = 0, len(piece.text)
        for start, stop, value in given:
            if offset <= start < offset + end:
                yield _within(piece, begin, start - offset)
                begin = stop - offset
                place = _within(piece, start - offset, begin).span
                yield _constant(value, _short(value, reader), place, reader)
        yield _within(piece, begin, end)
        offset += end


def _within(piece: Piece, start: int, end: int) -> Piece:
    return Piece(piece.text[start:end], Span(piece.span.start + start, piece.span.start + end), True)


def _short(node: ast.expr, reader: ApiContext) -> str:
    line = " ".join(reader.names.ctx.text(node).split())
    return line if len(line) <= 40 else line[:37] + "…"
