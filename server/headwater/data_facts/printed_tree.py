"""What ``DataFrame.printSchema()`` prints, read back. A tree with a line that is not understood is none at all.

Format: Spark 4.3, measured (``tests/data_facts/test_printed.py``). Spark does not mark the end of a name, so that one
with a colon is cut at the last that leaves a type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .model import ColumnFacts

ROOT = "root"
_LINE = re.compile(r"\|(?P<depth>(?: {4}\|)*)-- (?P<rest>.*)")
_TYPE = r"(?P<type>[a-z_ ]+(?:\(\d+(?:, ?-?\d+)?\))?)"
_COLUMN = re.compile(rf"(?P<name>.+): {_TYPE} \(nullable = (?P<nullable>true|false)\)")
_ELEMENT = re.compile(rf"element: {_TYPE} \(containsNull = (?:true|false)\)")
_KEY = re.compile(rf"key: {_TYPE}")
_VALUE = re.compile(rf"value: {_TYPE} \(valueContainsNull = (?:true|false)\)")
UNKNOWN = "unknown"
TYPES = {
    **{
        name: name
        for name in ("boolean", "byte", "short", "integer", "long", "float", "double", "string", "date", "void")
    },
    **dict.fromkeys(("binary", "timestamp_ntz", "vector", "matrix", "variant", "time(6)"), UNKNOWN),
    "timestamp": "timestamp",
}
"""What a tree calls a type, and DDL."""
_WITH_NUMBERS = {"decimal": "decimal", "char": UNKNOWN, "varchar": "string"}


@dataclass(frozen=True)
class _Node:
    depth: int
    text: str


class _NoTree(Exception):
    pass


def columns_of(lines: Sequence[str]) -> tuple[ColumnFacts, ...] | None:
    """The columns of a tree, of which ``lines`` are those below ``root`` without blanks at their ends; None if it is
    none, two names differ in case alone, or one cannot be quoted."""
    try:
        nodes = [_node(line) for line in lines]
        found, at = [], 0
        while at < len(nodes):
            match = _COLUMN.fullmatch(nodes[at].text)
            if match is None or nodes[at].depth:
                return None
            ddl, at = _type(match["type"], nodes, at + 1, 1)
            found.append(ColumnFacts(match["name"], ddl, 0 if match["nullable"] == "false" else None))
    except _NoTree:
        return None
    return tuple(found) if are_columns(found) else None


def are_columns(found: Sequence[ColumnFacts]) -> bool:
    """Whether ``found`` are the columns of a frame: some, of names that can be quoted and differ not in case alone."""
    quotable = all(c.name.isprintable() and "`" not in c.name for c in found)
    return bool(found) and quotable and len({c.name.lower() for c in found}) == len(found)


def _node(line: str) -> _Node:
    found = _LINE.fullmatch(line)
    if found is None:
        raise _NoTree
    return _Node(found["depth"].count("|"), found["rest"])


def _type(name: str, nodes: Sequence[_Node], at: int, depth: int) -> tuple[str, int]:
    """The type as DDL, and the place behind what is below it, which begins ``at`` and is ``depth`` deep."""
    if name == "array":
        ddl, at = _part(_ELEMENT, nodes, at, depth)
        return f"array<{ddl}>", at
    if name == "map":
        _, at = _part(_KEY, nodes, at, depth)
        _, at = _part(_VALUE, nodes, at, depth)
        return UNKNOWN, at
    if name == "struct":
        while at < len(nodes) and nodes[at].depth == depth:
            _, at = _part(_COLUMN, nodes, at, depth)
        return UNKNOWN, at
    plain = TYPES.get(name) or _WITH_NUMBERS.get(name.partition("(")[0] if "(" in name else "")
    if plain is None:
        raise _NoTree
    return plain, at


def _part(shape: re.Pattern[str], nodes: Sequence[_Node], at: int, depth: int) -> tuple[str, int]:
    found = shape.fullmatch(nodes[at].text) if at < len(nodes) and nodes[at].depth == depth else None
    if found is None:
        raise _NoTree
    return _type(found["type"], nodes, at + 1, depth + 1)
