"""SQL text with parts that are not written in the file, such as ``f"day = '{day}' AND version > {low}"``.

What is put in from other code is taken to be a name or a value, where one may stand.
"""

from __future__ import annotations

import ast
import re

from headwater.syntax.names.resolve import Names

from .sql_determinism import is_rowwise_sql

HOLE = "\0"
"""Stands for a part that is not known."""
_OPERATOR = re.compile(r"(?:<=|>=|<>|!=|==?|<|>|,|\()\s*$")
_SIGN = re.compile(r"%[sd]")


def template(node: ast.expr) -> str | None:
    """The text that ``node`` makes, with a mark for each part that is not written there; None for what does not put
    text together."""
    match node:
        case ast.JoinedStr(values=values):
            return "".join(
                v.value if isinstance(v, ast.Constant) and isinstance(v.value, str) else HOLE for v in values
            )
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return re.sub(r"\{\w*\}", HOLE, text)
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            return _SIGN.sub(HOLE, text)
        case ast.BinOp(op=ast.Add(), left=left, right=right) if _is_text(left) or _is_text(right):
            return _part(left) + _part(right)
    return None


def _is_text(node: ast.expr) -> bool:
    return template(node) is not None or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return template(node) or HOLE


def filled(text: str) -> str:
    """``text`` with names in the place of what is not known."""
    return text.replace(HOLE, "unknown")


def is_rowwise_template(condition: str, names: Names) -> bool:
    """Whether ``condition`` is a deterministic function of a row, if each unknown part is a value: it stands in quotes,
    or behind an operator."""
    return all(_are_values(condition)) and is_rowwise_sql(filled(condition), names)


def put_in(node: ast.JoinedStr, *, names: bool = False) -> list[ast.expr]:
    """The parts that are put into the condition ``node``; with ``names`` those where a name may stand, and no value is
    sure to."""
    given = [v.value for v in node.values if isinstance(v, ast.FormattedValue)]
    values = _are_values(template(node) or "")
    return [g for g, is_value in zip(given, values, strict=True) if not (names and is_value)]


def _are_values(condition: str) -> list[bool]:
    """Whether each unknown part stands in quotes, or behind an operator."""
    parts = condition.split(HOLE)
    before = (HOLE.join(parts[: n + 1]) for n in range(len(parts) - 1))
    return [bool(b.count("'") % 2 or b.count('"') % 2 or _OPERATOR.search(b)) for b in before]
