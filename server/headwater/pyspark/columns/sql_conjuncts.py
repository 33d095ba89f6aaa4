"""The operands of AND on the outside of a SQL condition, as they are written: a filter looks at each of them only where
those before it are TRUE.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from .sql_templates import HOLE, template

_INSIDE = "hidden_{}_part"
"""A word for a part of the text that is not written in it."""


def told(node: ast.expr) -> str | None:
    """The SQL text ``node``, by which one is told from another: with ``{x}`` where the value of ``x`` is put in; None
    for what is neither a text nor an f-string."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_told(v) for v in values)
    return None


def conjuncts(node: ast.expr) -> list[ast.expr]:
    """The operands of the condition ``node``, a text or an f-string, in SQL; it alone where that is one, or where it is
    not sure how the text is read. What is put in is taken to be a name or a value."""
    text = node.value if isinstance(node, ast.Constant) else template(node)
    if not isinstance(text, str) or any(sign in text for sign in ("--", "/*", "\\", '"')):
        return [node]
    words = iter(_INSIDE.format(i) for i in range(text.count(HOLE)))
    spelled = re.sub(HOLE, lambda _: next(words), text)
    parts = _parts_of(spelled)
    if not parts:
        return [node]
    given = [v for v in node.values if isinstance(v, ast.FormattedValue)] if isinstance(node, ast.JoinedStr) else []
    return [_node(part, given, node) for part in parts]


@lru_cache(maxsize=4096)
def _parts_of(condition: str) -> tuple[str, ...]:
    """The operands of ``condition``; none where it is one itself, or where it is not sure how it is read."""
    parts = (*_flattened(condition),)
    return parts if len(parts) > 1 and _is_their_conjunction(condition, [*parts]) else ()


def _told(part: ast.expr) -> str:
    return (
        part.value
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        else ast.unparse(ast.JoinedStr([part]))[2:-1]
    )


def _operands(text: str) -> Iterator[str]:
    """What stands between each AND of ``text`` that is in no parentheses, CASE, or BETWEEN."""
    import sqlglot

    try:
        tokens = sqlglot.tokenize(text, read="spark")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return
    depth, start, between = 0, 0, False
    for token in tokens:
        word = token.text.lower()
        if token.token_type.name.endswith("STRING"):
            continue
        depth += (word in ("(", "[", "case")) - (word in (")", "]", "end"))
        if depth == 0 and word == "between":
            between = True
        elif depth == 0 and word == "and" and not between:
            yield text[start : token.start].strip()
            start = token.end + 1
        elif depth == 0 and word == "and":
            between = False
    yield text[start:].strip()


def _flattened(text: str) -> Iterator[str]:
    """The operands of ``text``, of which none is a conjunction in parentheses."""
    for part in [*_operands(text)]:
        inner = part[1:-1] if part.startswith("(") and part.endswith(")") and _is_read(part[1:-1]) else None
        yield from [part] if inner is None else _flattened(inner)


def _is_read(text: str) -> bool:
    import sqlglot

    try:
        return sqlglot.parse_one(text, read="spark") is not None
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False


def _is_their_conjunction(text: str, parts: list[str]) -> bool:
    """Whether ``text`` is read as the conjunction of ``parts``."""
    import sqlglot
    from sqlglot import exp

    try:
        whole = sqlglot.parse_one(text, read="spark")
        read = [sqlglot.parse_one(part, read="spark") for part in parts]
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False
    todo, found = [whole], list[exp.Expr]()
    while todo:
        at = todo.pop(0)
        match at:
            case exp.And(this=left, expression=right):
                todo = [left, right, *todo]
            case exp.Paren(this=exp.And() | exp.Paren() as inner):
                todo = [inner, *todo]
            case _:
                found.append(at)
    return [f.unnest() for f in found] == [r.unnest() for r in read]


def _node(part: str, given: list[ast.FormattedValue], of: ast.expr) -> ast.expr:
    """The text or f-string that makes ``part``, where the words stand for what is ``given``."""
    values = list[ast.expr]()
    for i, piece in enumerate(re.split(_INSIDE.format(r"(\d+)"), part)):
        if i % 2:
            values.append(given[int(piece)])
        elif piece:
            values.append(ast.Constant(piece))
    plain = len(values) == 1 and isinstance(values[0], ast.Constant)
    return ast.copy_location(values[0] if plain else ast.JoinedStr(values), of)
