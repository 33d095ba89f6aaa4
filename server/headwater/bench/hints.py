"""Constants that a program compares its columns with: data in which they occur is data in which filters matter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

Constant = int | float | str | bool
_IN_SQL = re.compile(r"(\w+)\s*(?:=|==|!=|<>|<=|>=|<|>)\s*(?:DATE\s*|TIMESTAMP\s*)?(-?\d+(?:\.\d+)?|'[^']*')", re.I)
_LISTED = re.compile(r"(\w+)\s+IN\s*\(([^()]*)\)", re.I)
_WORD = re.compile(r"\w+")


def hints(text: str, conditions: Iterable[str] = ()) -> dict[str, tuple[Constant, ...]]:
    """Name → the constants that it is compared with, in the program ``text`` and in the SQL ``conditions``.

    A name is whatever may name a column: a variable, an attribute, a text in brackets or in a call.
    """
    found: dict[str, dict[Constant, None]] = {}
    pairs = [*_in_python(text), *(p for c in conditions for p in _in_sql(c))]
    for name, constant in pairs:
        found.setdefault(name, {}).setdefault(constant)
    return {name: tuple(constants) for name, constants in found.items()}


def _in_python(text: str) -> Iterator[tuple[str, Constant]]:
    tree = ast.parse(text)
    known = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            constants = [c for side in sides for c in _constants(side, known)]
            yield from ((name, c) for side in sides for name in _names(side) for c in constants)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr in ("isin", "between", "startswith", "contains"):
                constants = [c for arg in node.args for c in _constants(arg, known)]
                yield from ((name, c) for name in _names(node.func.value) for c in constants)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _in_sql(node.value)


def _constants(node: ast.expr, known: Mapping[str, object]) -> Iterator[Constant]:
    try:
        value = known[node.id] if isinstance(node, ast.Name) and node.id in known else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return
    for item in value if isinstance(value, (tuple, list, set)) else [value]:
        if isinstance(item, (int, float, str)):
            yield item


def _names(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield part.value


def _in_sql(condition: str) -> Iterator[tuple[str, Constant]]:
    for found in _IN_SQL.finditer(condition):
        yield found[1], _read(found[2])
    for found in _LISTED.finditer(condition):
        yield from ((found[1], _read(item.strip())) for item in found[2].split(",") if item.strip())


def _read(item: str) -> Constant:
    try:
        value = ast.literal_eval(item)
    except (ValueError, SyntaxError):
        return item
    return value if isinstance(value, (int, float, str)) else item


def mentioned(condition: str, columns: Iterable[str]) -> tuple[str, ...]:
    """Those of ``columns`` that the SQL ``condition`` names."""
    words = {w.lower() for w in _WORD.findall(re.sub(r"'[^']*'", "''", condition))}
    return tuple(c for c in columns if c.lower() in words)
