"""The tables of a case whose schemas the analysis is not told, with columns of every class of types."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any
from zlib import crc32

from tests.results import Rows

from .cases import Case, Field, Table
from .tables import constants_of

_LISTED: dict[str, tuple[Any, ...]] = {
    "int": (0, -1, 5, 2**31 - 1), "bigint": (0, 5, 2**53 + 1, -(2**63)), "boolean": (True, False),
    "double": (0.0, -0.0, 5.5, float("nan"), float("inf")), "float": (0.0, 0.1, float("nan")),
    "decimal(38,18)": (Decimal(0), Decimal("5.000000000000000001")), "string": ("", "a", "A", "10", "9", "5.0", "t"),
    "date": (dt.date(2024, 1, 5), dt.date(1, 1, 1)), "binary": (b"", b"5", b"10", b"9"),
    "timestamp": (dt.datetime(2024, 1, 5), dt.datetime(2024, 1, 5, 10)),
}  # fmt: skip
CLASSES = tuple(_LISTED)
"""One type of each class within which Spark compares and converts alike."""


def _whole(bits: int) -> Callable[[Any], Any]:
    def read(constant: Any) -> int:
        value = int(float(constant))
        if not -(2**bits) <= value < 2**bits:
            raise ValueError
        return value

    return read


_READ: dict[str, Callable[[Any], Any]] = {
    "int": _whole(31), "bigint": _whole(63), "double": float, "float": float, "string": str,
    "decimal(38,18)": lambda v: Decimal(str(v)).quantize(Decimal(10) ** -18), "binary": lambda v: str(v).encode(),
    "boolean": lambda v: bool(v) if isinstance(v, bool) else {"true": True, "false": False}[str(v)],
    "date": lambda v: dt.date.fromisoformat(str(v)[:10]), "timestamp": lambda v: dt.datetime.fromisoformat(str(v)),
}  # fmt: skip
_NEAR: dict[str, Callable[[Any], Any]] = {
    "int": lambda v: v + 1, "bigint": lambda v: v - 1, "double": lambda v: v + 0.5, "float": lambda v: v - 0.5,
    "decimal(38,18)": lambda v: v + Decimal("0.000000000000000001"), "string": lambda v: f"0{v}",
    "date": lambda v: v + dt.timedelta(days=1), "timestamp": lambda v: v + dt.timedelta(seconds=1),
}  # fmt: skip


def retyped(case: Case, mixed: int = 3) -> Iterator[tuple[str, Case, dict[str, Rows]]]:
    """The case with all columns of its unstated tables of one class of types, for each; then ``mixed`` times with
    columns of different ones. Each with a name, and with rows around the constants of the snippet."""
    draw = random.Random(crc32(case.name.encode()))
    texts = [t.strip("'\"") for t in case.source.replace("(", " ").replace(")", " ").replace(",", " ").split()]
    constants = [*constants_of(case.source), *texts]
    names = [f.name for t in case.tables if not t.stated for f in t.fields]
    choices = [dict.fromkeys(names, kind) for kind in CLASSES]
    choices += [{name: draw.choice(CLASSES) for name in names} for _ in range(mixed)] if len(names) > 1 else []
    for types in choices:
        tables = tuple(t if t.stated else _typed(t, types) for t in case.tables)
        rows = {t.name: list(t.rows) if t.stated else _rows(t, constants, draw) for t in tables}
        yield ",".join(dict.fromkeys(types.values())), replace(case, tables=tables), rows


def _typed(table: Table, types: dict[str, str]) -> Table:
    fields = tuple(Field(f.name, types[f.name], True) for f in table.fields)
    return replace(table, fields=fields, ddl=", ".join(f"`{f.name}` {f.type}" for f in fields), rows=())


def values(kind: str, constants: list[Any]) -> list[Any]:
    """Values of a type: those that the constants spell, and their neighbours, and some of its own."""
    found: list[Any] = []
    for constant in constants:
        with suppress(Exception):
            value = _READ[kind](constant)
            found += [value, _NEAR.get(kind, lambda v: v)(value)]
    return [*_LISTED[kind], *found]


def _rows(table: Table, constants: list[Any], draw: random.Random) -> Rows:
    pools = [[*values(f.type, constants), None] for f in table.fields]
    every = [tuple(draw.choice(pool) for pool in pools) for _ in range(24)]
    return [*every, *zip(*[draw.sample(p, min(map(len, pools))) for p in pools], strict=True)]
