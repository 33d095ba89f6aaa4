"""Small inputs for a program: around its constants, adversarial, guided toward groups that pass, in several orders and
partitionings."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headwater_ir.verdict import Certificate
from tests.mdtest.cases import Field, Table
from tests.small_spark.frame import Parts
from tests.suite.rows import guided

from .tool import Answer

Rows = list[tuple[Any, ...]]
MORE: dict[str, dict[str, tuple[Any, ...]]] = {
    "native part": {"string": ("A", " a", "a ", "AB", "None", "-", "aa", "ba", "a-1", "1", "a-b", "ab\t", "\u00e9")},
    "keys below": {"double": (-0.0, 0.0)},
    "element function": {"string": ("A", " a", "a b", "aab", "bA")},
    "union types": {"bigint": (2**53, 2**53 + 1, 2**53 + 2, -(2**53) - 1), "double": (2.0**53, -(2.0**53))},
}
"""Values at which the functions and the casts of a shape say several things."""
NOTHING: Mapping[str, tuple[Any, ...]] = {}


def inputs(answer: Answer, seed: int, count: int) -> Iterator[dict[str, Parts]]:
    """``count`` random tables and some that the interpreter finds to pass, each dealt out to partitions."""
    chance = random.Random(seed)
    for tables in random_tables(answer, seed, count):
        yield {name: dealt(chance, rows) for name, rows in tables.items()}


def random_tables(answer: Answer, seed: int, count: int) -> Iterator[dict[str, Rows]]:
    """The tables before they are dealt out."""
    program = answer.program
    (table,) = program.tables
    chance = random.Random(seed)
    narrow = small_integers(answer.assumptions)
    for o in answer.applied[:1]:
        if isinstance(o.certificate, Certificate):
            for rows in guided(chance, o.certificate.problem, table, program.source):
                yield {table.name: narrowed(rows) if narrow else rows}
    for _ in range(count):
        rows = random_rows(chance, table, MORE.get(program.shape, {}))
        yield {table.name: narrowed(rows) if narrow else rows}


def small_integers(assumptions: Iterable[str]) -> bool:
    """Whether it is assumed that integers are exact as doubles (pandas makes floats of the integers of a group with a
    NULL), or that sums fit. Tables must keep to what a certificate assumes."""
    return any(words in a for a in assumptions for words in ("2**53", "64 bits", "width"))


def narrowed(rows: Rows) -> Rows:
    """The rows of which that holds."""
    return [row for row in rows if not any(isinstance(v, int) and abs(v) >= 2**30 for v in row)]


def random_rows(chance: random.Random, table: Table, more: Mapping[str, tuple[Any, ...]] = NOTHING) -> Rows:
    """Up to ten rows, from a small pool per column: values must meet, for it is in groups, ties and bounds that a
    rewrite goes wrong. ``more``: values by their type, beside the usual ones."""
    pools = [_pool(chance, f, i == 0, more) for i, f in enumerate(table.fields)]
    return [tuple(chance.choice(pool) for pool in pools) for _ in range(chance.choice((0, 1, 2, 3, 4, 6, 8, 10)))]


def _pool(chance: random.Random, field: Field, key: bool, more: Mapping[str, tuple[Any, ...]]) -> list[Any]:
    common, odd = [*_COMMON[field.type], *more.get(field.type, ())], ODD.get(field.type, ())
    chosen = chance.sample(common, min(len(common), chance.choice((1, 2, 3) if key else (2, 3, 4, 6))))
    if odd and not key and not chance.randrange(6):
        chosen.append(chance.choice(odd))
    return [*chosen, None] if field.nullable and chance.randrange(5) > 1 else chosen


_INTS = (0, 1, 2, 3, -1, 90, 4, -2, 91, 89)
_COMMON: dict[str, tuple[Any, ...]] = {
    "int": _INTS, "bigint": _INTS, "double": (1.0, 0.0, 2.5, 90.0, 2.0, -1.0, 3.0, 91.0, 0.5, 100.0, math.nan),
    "string": ("a", "b", "ab", "", "c"), "boolean": (True, False),
    "date": (dt.date(2024, 1, 1), dt.date(2023, 12, 31), dt.date(2025, 6, 1), dt.date(2024, 12, 31),
             dt.date(2026, 1, 1)),
    "timestamp": (dt.datetime(2024, 1, 1), dt.datetime(2023, 12, 31, 23, 59, 59), dt.datetime(2025, 6, 1, 12),
                  dt.datetime(2024, 12, 31, 23, 59, 59, 999999), dt.datetime(2026, 1, 1)),
    "array<string>": ([], ["a"], ["a", "b"], ["b", "b"], ["", "a", "c"], [None, "a"], ["b"]),
    "array<int>": ([], [1], [1, 2], [0, 0], [1, 2, 3], [None, 1], [1, 1, 1]),
}  # fmt: skip
ODD: dict[str, tuple[Any, ...]] = {
    "int": (2**31 - 1, -(2**31)), "bigint": (2**63 - 1, -(2**63), 2**53 + 1),
    "string": ("A", " a", "a ", "\u00e9", "\u00df", "\u0130", "\U0001f600"),
    "date": (dt.date(9999, 12, 31), dt.date(1, 1, 1)), "timestamp": (dt.datetime(1970, 1, 1), dt.datetime(2200, 1, 1)),
    "double": (-0.0, math.inf, -math.inf, math.nan, 1e300, 0.1),
}  # fmt: skip


def dealt(chance: random.Random, rows: Rows) -> Parts:
    """``rows`` cut into one to three partitions."""
    cuts = sorted(chance.randint(0, len(rows)) for _ in range(chance.randint(0, 2)))
    return [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def one_key_each(parts: Parts) -> Iterator[Parts]:
    """The same rows, one key (the first column) at a time: where one group raises, the others can still be compared."""
    keys = dict.fromkeys(repr(row[0]) for part in parts for row in part)
    for key in keys:
        yield [[row for row in part if repr(row[0]) == key] for part in parts]
