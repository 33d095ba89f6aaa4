"""Random input tables for a case: few keys, the constants of the snippet and their neighbours, adversarial values."""

from __future__ import annotations

import ast
import math
import random
import re
from typing import Any
from zlib import crc32

from headwater.syntax.source import notebook
from tests.results import Rows
from tests.strategies import ADVERSARIAL

from .cases import Case, Field, Table, split_outside

_KINDS = {
    "string": "string", "boolean": "bool", "date": "date", "timestamp": "timestamp", "double": "float",
    "float": "float", "int": "int", "integer": "int", "bigint": "int", "long": "int", "tinyint": "int",
}  # fmt: skip
_BITS = {"tinyint": 7, "int": 31, "integer": 31, "bigint": 63, "long": 63}


def random_inputs(case: Case, count: int) -> list[dict[str, Rows]]:
    """``count`` sets of tables, the first of them empty; the same on every run."""
    draw = random.Random(crc32(case.name.encode()))
    constants = constants_of(case.source)
    return [{t.name: _rows(draw, t, constants, n) for t in case.tables} for n in range(count)]


def _rows(draw: random.Random, table: Table, constants: list[Any], n: int) -> Rows:
    size = 0 if n == 0 else draw.randint(2, 12)
    pools = [_pool(field, constants, draw) for field in table.fields]
    return [tuple(draw.choice(pool) for pool in pools) for _ in range(size)]


def _pool(field: Field, constants: list[Any], draw: random.Random) -> list[Any]:
    """A small pool per column and table, around one or two constants of the snippet: values must meet, for it is in
    groups, ties and bounds that a rewrite goes wrong, and filters must pass now and then."""
    if field.type.startswith("array<"):
        return _arrays(field, constants, draw)
    if field.type.startswith("struct<"):
        return _structs(field, constants, draw)
    kind = _KINDS[field.type]
    limit = 2 ** _BITS.get(field.type, 63)
    near = [_neighbours(c, kind) for c in constants]
    close = [v for values in draw.sample(near, len(near)) if values for v in values if kind != "int" or _fits(v, limit)]
    close = close[: draw.choice((3, 4, 8))]
    odd = [v for v in ADVERSARIAL[kind] if kind != "int" or _fits(v, limit)]
    if field.type == "float":
        odd = [v for v in odd if isinstance(v, float) and v not in (5e-324, 1.7e308)]
    chosen = [*close, *draw.sample(odd, draw.choice((0, 1, 2)) if close else 2)]
    return [*chosen, None] if field.nullable and draw.randrange(3) else chosen


def _fits(value: Any, limit: int) -> bool:
    return isinstance(value, int) and -limit <= value < limit


def _arrays(field: Field, constants: list[Any], draw: random.Random) -> list[Any]:
    """Arrays of every length up to one more than the largest of the small constants, NULL elements among them."""
    pool = _pool(Field("element", field.type.removeprefix("array<")[:-1], True), constants, draw)
    longest = max([2, *(math.floor(c) for c in constants if isinstance(c, (int, float)) and 0 <= c <= 4)]) + 1
    made: list[Any] = [[draw.choice(pool) for _ in range(n)] for n in range(longest + 1)]
    return [*made, [None, None], None] if field.nullable else [*made, [None, None]]


def _structs(field: Field, constants: list[Any], draw: random.Random) -> list[Any]:
    parts = [p.strip().split(":") for p in split_outside(field.type.removeprefix("struct<")[:-1])]
    pools = {name: _pool(Field(name, kind, True), constants, draw) for name, kind in parts}
    return [{name: draw.choice(pool) for name, pool in pools.items()} for _ in range(3)]


def _neighbours(constant: Any, kind: str) -> list[Any]:
    if kind == "string":
        return [constant] if isinstance(constant, str) else []
    if kind in ("int", "float") and isinstance(constant, (int, float)) and abs(constant) < 2**30:
        near = [constant, constant + 1, constant - 1]
        return [math.floor(v) for v in near] if kind == "int" else [float(v) for v in [*near, constant + 0.5]]
    return []


def constants_of(source: str) -> list[Any]:
    """Numbers of the snippet and texts that it compares with, those inside SQL strings included."""
    found: list[Any] = [0]
    for node in ast.walk(notebook.parse(source).tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            found.append(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [float(x) if "." in x else int(x) for x in re.findall(r"(?<!\w)\d+(?:\.\d+)?", node.value)]
            found += re.findall(r"'([^']*)'", node.value)
        elif isinstance(node, ast.Compare):
            texts = (o.value for o in (node.left, *node.comparators) if isinstance(o, ast.Constant))
            found += [t for t in texts if isinstance(t, str)]
    return sorted(set(found), key=lambda v: (isinstance(v, str), v))
