"""Random input tables for a case: few keys, the constants of the snippet and their neighbours, adversarial values."""

from __future__ import annotations

import ast
import math
import random
import re
from typing import Any
from zlib import crc32

from tests.strategies import ADVERSARIAL

from .cases import Case, Field, Table

_KINDS = {
    "string": "string", "boolean": "bool", "date": "date", "timestamp": "timestamp", "double": "float", "float": "float",
    "int": "int", "integer": "int", "bigint": "int", "long": "int",
}  # fmt: skip
_BITS = {"int": 31, "integer": 31, "bigint": 63, "long": 63}
Rows = list[tuple[Any, ...]]


def random_inputs(case: Case, count: int) -> list[dict[str, Rows]]:
    """``count`` sets of tables, the first of them empty; the same on every run."""
    draw = random.Random(crc32(case.name.encode()))
    constants = constants_of(case.source)
    return [{t.name: _rows(draw, t, constants, n) for t in case.tables} for n in range(count)]


def _rows(draw: random.Random, table: Table, constants: list[Any], n: int) -> Rows:
    size = 0 if n == 0 else draw.randint(1, 10)
    pools = [_pool(field, constants, draw) for field in table.fields]
    return [tuple(draw.choice(pool) for pool in pools) for _ in range(size)]


def _pool(field: Field, constants: list[Any], draw: random.Random) -> list[Any]:
    """A small pool per column and table, so that values meet: that is where groups, ties and bounds go wrong."""
    kind = _KINDS[field.type]
    limit = 2 ** _BITS.get(field.type, 63)
    near = [v for c in constants for v in _neighbours(c, kind)]
    odd = [v for v in ADVERSARIAL[kind] if kind != "int" or -limit <= v < limit]
    if field.type == "float":
        odd = [v for v in odd if isinstance(v, float) and (not math.isfinite(v) or abs(v) < 1e30) and v != 5e-324]
    chosen = draw.sample(near, min(len(near), 5)) + draw.sample(odd, 2)
    return [*chosen, None] if field.nullable else chosen


def _neighbours(constant: Any, kind: str) -> list[Any]:
    if kind == "string":
        return [constant] if isinstance(constant, str) else []
    if kind in ("int", "float") and isinstance(constant, (int, float)) and abs(constant) < 2**30:
        near = [constant - 1, constant, constant + 1]
        return [math.floor(v) for v in near] if kind == "int" else [float(v) for v in [*near, constant + 0.5]]
    return []


def constants_of(source: str) -> list[Any]:
    """Numbers and words in the snippet, those inside SQL strings included."""
    found: list[Any] = [0, 1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            found.append(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            found += [float(x) if "." in x else int(x) for x in re.findall(r"(?<!\w)\d+(?:\.\d+)?", node.value)]
            found += re.findall(r"'([^']*)'", node.value) or ([node.value] if node.value.isidentifier() else [])
    return sorted(set(found), key=lambda v: (isinstance(v, str), v))
