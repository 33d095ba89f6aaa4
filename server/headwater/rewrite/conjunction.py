"""The conjuncts of a condition as written, and taking some of them out of the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from headwater_ir.span import Span

from .edit import Edit, apply_edits
from .tokens import CannotEdit, Token, Tokens, closing, indent_of, line_end, newline_of

_LOOSER_TOKENS = "| ^ == != < <= > >= and or not if else lambda in is := , = for"
_LOOSER = frozenset(_LOOSER_TOKENS.split())
"""Python tokens that bind more loosely than ``&``: with one of them at top level it is no conjunction."""
_SQL_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|\w+|\S")


@dataclass(frozen=True)
class Operand:
    """One operand with the parentheses round it; ``parts`` are the conjuncts of it if it is a conjunction itself."""

    span: Span
    parts: tuple[Operand, ...] = ()

    def leaves(self) -> tuple[Operand, ...]:
        """The operands that are no conjunctions."""
        return tuple(leaf for p in self.parts for leaf in p.leaves()) if self.parts else (self,)


def column_operands(tokens: Tokens, condition: Span) -> Operand:
    """The tree of ``&`` in a Column condition."""
    return _operands(tokens.within(condition), "&", _python_splits)


def sql_operands(source: str, literal: Span) -> Operand:
    """The tree of ``AND`` in a plain one-line string literal."""
    text = literal.text(source)
    if len(text) < 2 or text[0] not in "\"'" or text[-1] != text[0] or "\\" in text or text[:3] in ('"""', "'''"):
        raise CannotEdit("not a plain string literal")
    found = [
        Token(literal.start + 1 + m.start(), literal.start + 1 + m.end(), m.group().lower())
        for m in _SQL_TOKEN.finditer(text[1:-1])
    ]
    return _operands(found, "and", _sql_splits)


def _operands(tokens: list[Token], word: str, splits: Callable[[list[Token]], list[int]]) -> Operand:
    if not tokens:
        raise CannotEdit("an empty operand")
    whole = Span(tokens[0].start, tokens[-1].end)
    if tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1 and len(tokens) > 2:
        return Operand(whole, _operands(tokens[1:-1], word, splits).parts)
    at = splits(tokens)
    if not at:
        return Operand(whole)
    bounds = [-1, *at, len(tokens)]
    parts = [tokens[i + 1 : j] for i, j in pairwise(bounds)]
    return Operand(whole, tuple(_operands(p, word, splits) for p in parts))


def _top_level(tokens: list[Token]) -> list[int]:
    found, i = [], 0
    while i < len(tokens):
        found.append(i)
        i = closing(tokens, i) + 1 if tokens[i].text in ("(", "[", "{") else i + 1
    return found


def _python_splits(tokens: list[Token]) -> list[int]:
    top = _top_level(tokens)
    if any(tokens[i].text in _LOOSER for i in top):
        return []
    return [i for i in top if tokens[i].text == "&"]


def _sql_splits(tokens: list[Token]) -> list[int]:
    """The ANDs at top level; not the one of BETWEEN … AND, and none inside CASE … END."""
    found: list[int] = []
    betweens = cases = 0
    for i in _top_level(tokens):
        word = tokens[i].text
        cases += (word == "case") - (word == "end")
        if cases:
            continue
        if word == "or":
            return []
        if word == "between":
            betweens += 1
        elif word == "and" and betweens:
            betweens -= 1
        elif word == "and":
            found.append(i)
    return found


def without(tokens: Tokens, root: Operand, dropped: Callable[[Operand], bool]) -> str:
    """The text of ``root`` without the leaves for which ``dropped``; comments stay. At least one leaf must remain."""
    source, origin = tokens.source, root.span.start
    moved = [Edit(Span(e.span.start - origin, e.span.end - origin), e.text) for e in _deletions(tokens, root, dropped)]
    text = apply_edits(root.span.text(source), moved)
    return _bare(text) if moved else text


def _deletions(tokens: Tokens, node: Operand, dropped: Callable[[Operand], bool]) -> list[Edit]:
    gone = [all(dropped(leaf) for leaf in p.leaves()) for p in node.parts]
    found: list[Edit] = []
    for i, part in enumerate(node.parts):
        if not gone[i]:
            found += _deletions(tokens, part, dropped)
        elif not all(gone[:i]):
            found.append(_after(tokens, Span(node.parts[i - 1].span.end, part.span.end)))
        else:
            found.append(_before(tokens, Span(part.span.start, node.parts[i + 1].span.start)))
    return found


def _after(tokens: Tokens, gap: Span) -> Edit:
    """Delete an operator and the operand behind it."""
    comments = tokens.comments_within(gap)
    if not comments:
        return Edit(gap, "")
    source = tokens.source
    newline = newline_of(source, gap.start) + indent_of(source, gap.end)
    rest = source[gap.end : line_end(source, gap.end)].strip()
    return Edit(gap, "  " + newline.join(comments) + ("" if not rest or rest.startswith("#") else newline))


def _before(tokens: Tokens, gap: Span) -> Edit:
    """Delete an operand and the operator behind it."""
    comments = tokens.comments_within(gap)
    newline = newline_of(tokens.source, gap.start) + indent_of(tokens.source, gap.end)
    return Edit(gap, "".join(c + newline for c in comments))


def _bare(text: str) -> str:
    """A single operand that is left on one line needs its parentheses no more."""
    if "\n" in text or "\r" in text or not (text.startswith("(") and text.endswith(")")):
        return text
    try:
        found = Tokens(text).tokens
    except CannotEdit:  # SQL text need not be Python text
        return text
    return _bare(text[1:-1]) if closing(found, 0) == len(found) - 1 else text
