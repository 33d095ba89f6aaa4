"""How the statement is laid out that asks for several measures of one frame."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from headwater.rewrite.tokens import CannotEdit, line_start
from headwater_ir.span import Span

LINE_LENGTH = 120
_CLOSES = re.compile(r"\s*\n\s*\)(?=[ \t]*(?:\n|$))")


def with_parentheses(call: Span, source: str) -> Span:
    """``call``, and the parentheses that it alone stands in, if these are there for its line breaks."""
    after = _CLOSES.match(source, call.end)
    begin = call.start
    while after is not None and begin and source[begin - 1].isspace():
        begin -= 1
    if after is None or "\n" not in source[begin : call.start] or source[max(begin - 3, 0) : begin] != "= (":
        return call
    return Span(begin - 1, after.end())


def whole_lines(statement: Span, source: str) -> Span:
    """The lines of ``statement``; ``CannotEdit`` if it shares one with another."""
    start, end = line_start(source, statement.start), source.find("\n", statement.end) + 1
    behind = source[statement.end : end].strip()
    if source[start : statement.start].strip() or not end or (behind and not behind.startswith("#")):
        raise CannotEdit("a statement that has to stand in front does not have its lines to itself")
    return Span(start, end)


def in_one_line(text: str) -> str:
    """``text`` without its line breaks, if it is the same expression then."""
    if "\n" not in text or "#" in text:
        return text
    joined = re.sub(r"\s*\n\s*", " ", re.sub(r",?\s*\n\s*(?=[)\]])", "", re.sub(r"([(\[])\s*\n\s*", r"\1", text)))
    try:
        same = ast.dump(ast.parse(joined, mode="eval")) == ast.dump(ast.parse(f"({text}\n)", mode="eval"))
    except (SyntaxError, ValueError):
        return text
    return joined if same else text


def _indented(written: str, indent: str) -> list[str]:
    """The lines of an argument: in one if they fit, in parts of a call that does not, and as it is written where that
    has line breaks and its parts do not fit either."""
    text = in_one_line(written)
    if len(indent) + len(text) < LINE_LENGTH and "\n" not in text:
        return [f"{indent}{text},"]
    whole = re.fullmatch(r"([\w.]+\()(.*)\)", text, re.DOTALL)
    if whole is None:
        return [f"{indent}{text},"]
    inside = [f"{indent}    {whole[2]}"]
    if len(inside[0]) > LINE_LENGTH or "\n" in text:
        inside = _with_its_breaks(written[len(whole[1]) : -1], f"{indent}    ") or inside
    return [f"{indent}{whole[1]}", *inside, f"{indent}),"]


def _with_its_breaks(text: str, indent: str) -> list[str]:
    """The lines of an expression, indented anew; none if it would be another one."""
    first, *more = text.strip().splitlines()
    least = min((len(line) - len(line.lstrip()) for line in more if line.strip()), default=0)
    lines = [f"{indent}{first.strip()}", *(f"{indent}{line[least:]}".rstrip() for line in more)]
    return lines if more and _is_same("\n".join(lines), text) else []


def _is_same(one: str, other: str) -> bool:
    """Whether two texts are the same expression, which stands in parentheses."""
    try:
        trees = [ast.dump(ast.parse(f"(\n{text}\n)", mode="eval")) for text in (one, other)]
    except (SyntaxError, ValueError):
        return False
    return trees[0] == trees[1]


def statement(head: str, measures: Iterable[str], indent: str, end: str) -> str:
    """The statement as lines of their own, one measure a line if it is too long for one. ``end``: what is behind it."""
    written = list(measures)
    texts, newline = [in_one_line(m) for m in written], end.removeprefix(")")
    one = f"{indent}{head}.agg({', '.join(texts)}).first()"
    if len(one) <= LINE_LENGTH and "\n" not in one and "#" not in one:
        return one + end
    parts = "".join(line + newline for m in written for line in _indented(m, indent + "    "))
    return f"{indent}{head}.agg({newline}{parts}{indent}).first(){end}"
