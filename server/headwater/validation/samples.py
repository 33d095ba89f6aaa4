"""Groups of rows to try: edge values of each type, the constants of the function and their neighbours, ties."""

from __future__ import annotations

import ast
import datetime as dt
import math
import random
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import Expr, Scalar
from headwater_ir.native import as_native
from headwater_ir.types import Type

from .limits import NotEvaluated

GROUPS = 50
SIZES = (1, 2, 1, 3, 2, 4, 1, 3, 5, 2, 8)
_DAYS = [dt.date(2024, 2, 29), dt.date(1970, 1, 1), dt.date(2023, 12, 31), dt.date(2024, 1, 1)]
_TEXTS = ["", "a", "b", "A", "ab", " a ", "é", "10"]
_FLOATS = [0.0, 1.0, -1.0, 2.5, -0.0, math.inf, -math.inf, math.nan, 1e300, 0.1]
_INTS = [0, 1, 2, -1, 3, 5, 10, 100]
_NATIVE: dict[str, Callable[[Any], Any]] = {
    "length": len, "lower": str.lower, "upper": str.upper, "year": lambda d: d.year, "month": lambda d: d.month,
    "dayofmonth": lambda d: d.day, "weekday": lambda d: d.weekday(),
}  # fmt: skip
"""What Spark computes of one column as Python does."""
Row = dict[str, Scalar]
_TRIES = 12
_MODES = ("every", "known", "few", "few or none", "every", "few")
"""What the rows of a group are made of: any value; none that is missing; two values; two and None."""


def constants(nodes: Iterable[ast.AST]) -> list[Scalar]:
    """The numbers, texts and dates that stand in the code."""
    found: dict[tuple[type, object], Scalar] = {}
    for node in (n for top in nodes for n in ast.walk(top)):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
            found[type(node.value), node.value] = node.value  # type: ignore[assignment]
        elif isinstance(node, ast.Call) and 3 <= len(node.args) <= 6 and not node.keywords:
            numbers = [a.value for a in node.args if isinstance(a, ast.Constant) and type(a.value) is int]
            if len(numbers) == len(node.args):
                try:
                    day = dt.datetime(*numbers)  # type: ignore[arg-type]
                except (ValueError, OverflowError):
                    continue
                found[dt.datetime, day] = day
    return list(found.values())[:24]


class Samples:
    """Values for columns, by a seed. ``own``: the constants of the function; ``exact``: whole numbers are assumed to
    stay within 2**53."""

    def __init__(self, own: list[Scalar], facts: tuple[Expr, ...], keys: frozenset[str], exact: bool) -> None:
        self._own, self._facts, self._keys, self._exact = own, facts, keys, exact
        self._pools: dict[Type, list[Scalar]] = {}

    def groups(self, columns: Mapping[str, Type], params: Mapping[str, Type]) -> Iterator[tuple[list[Row], Row]]:
        """Groups with the values of driver variables. NotEvaluated if no row satisfies what is known of all rows."""
        made = 0
        for seed in range(GROUPS):
            chance = random.Random(seed)
            kind = ("number", "string", "float")[seed % 3]
            mode = _MODES[seed // 3 % len(_MODES)]
            size = SIZES[seed % len(SIZES)]
            pools = self._pools_of(columns, kind, mode, chance)
            if mode == "every" and size == 1:  # each value in its turn
                pools = {n: [pool[(seed // 2 + 5 * i) % len(pool)]] for i, (n, pool) in enumerate(pools.items())}
            given: Row = {
                n: chance.choice([v for v in self._pool(t, kind) if v is not None]) for n, t in params.items()
            }
            self._last = chance, pools
            rows = self._group(chance, pools, given, size)
            if rows:
                made += 1
                yield rows, given
        if not made:
            raise NotEvaluated("no sampled row satisfies what is known of every row")

    def _pools_of(
        self, columns: Mapping[str, Type], kind: str, mode: str, chance: random.Random
    ) -> dict[str, list[Scalar]]:
        """The values that each column may take in a group. Columns of one type share those of a small choice, so that
        they tie with each other."""
        shared: dict[int, list[Scalar]] = {}
        found: dict[str, list[Scalar]] = {}
        for name, t in columns.items():
            pool = self._pool(t, kind)
            known: list[Scalar] = [v for v in pool if v is not None and v == v]
            if mode == "every" or not known:
                found[name] = pool
            elif mode == "known":
                found[name] = known
            else:
                own = [v for v in known if v in self._own and type(v) is not bool] if chance.random() < 0.7 else []
                few = shared.setdefault(id(pool), chance.sample(own if len(own) > 1 else known, min(2, len(known))))
                found[name] = [*few, None] if mode == "few or none" else few
        return found

    def beside(self, rows: list[Row], given: Row) -> list[Row]:
        """Further rows of the group that was made last."""
        chance, pools = self._last
        keys = {n: rows[0][n] for n in self._keys if n in rows[0]}
        return self._group(chance, pools, given, 4, keys)

    def _group(
        self, chance: random.Random, pools: Mapping[str, list[Scalar]], given: Row, size: int, keys: Row | None = None
    ) -> list[Row]:
        keys = keys or {}
        rows: list[Row] = []
        for _ in range(size):
            for _ in range(_TRIES):
                row = {n: chance.choice(pool) for n, pool in pools.items()} | keys
                if self._is_possible(row, given):
                    keys = keys or {n: row[n] for n in pools if n in self._keys}
                    rows.append(row)
                    break
        return rows

    def _is_possible(self, row: Row, given: Row) -> bool:
        env = Env(with_natives(row, self._facts), params=given)
        try:
            return all(evaluate(f, env) is True for f in self._facts)
        except (EvaluationError, KeyError):
            return False

    def _pool(self, t: Type, kind: str) -> list[Scalar]:
        if t.name == "any":
            t = Type("int", 64) if kind == "number" else Type(kind)  # type: ignore[arg-type]
        if t.name == "number":
            t = Type("float", 64) if kind == "float" else Type("int", 64)
        known = self._pools.get(t)
        if known is None:
            known = self._pools[t] = [None, *{repr(v): v for v in self._values(t)}.values()]
        return known

    def _values(self, t: Type) -> Iterator[Scalar]:
        numbers = [c for c in self._own if type(c) in (int, float)]
        if t.name == "bool":
            yield from (True, False)
        elif t.name == "int":
            limit = 2 ** ((t.bits or 64) - 1)
            near = [int(c) + d for c in numbers if math.isfinite(c) for d in (0, 1, -1)]  # type: ignore[arg-type]
            large = [limit - 1, -limit, *((2**53 + 1, -(2**53) - 1) if limit > 2**53 else ())]
            large = [v for v in large if not self._exact or abs(v) < 2**40]
            yield from (v for v in (*_INTS, *near, *near, *large) if -limit <= v < limit)
        elif t.name == "float":
            close = [float(c) + d for c in numbers if abs(c) < 1e15 for d in (0.0, 0.5, -0.5)]  # type: ignore[arg-type]
            yield from (v for v in (*_FLOATS, *close) if t.bits != 32 or _is_short(v))
        elif t.name == "string":
            texts = [c for c in self._own if isinstance(c, str) and len(c) < 40]
            yield from (*_TEXTS, *(v for c in texts for v in (c, c, c.upper(), c + "x", c[:-1])))
        elif t.name in ("date", "timestamp"):
            moments = [c for c in self._own if isinstance(c, dt.datetime)]
            days = [m + dt.timedelta(days=d) for m in moments for d in (0, 1, -1)]
            days += [dt.datetime(d.year, d.month, d.day) for d in _DAYS]
            if t.name == "date":
                yield from (d.date() for d in days)
            else:
                yield from (*days, *(d + dt.timedelta(hours=5) for d in days[:2]))
        else:
            raise NotEvaluated(f"values of type {t}")


def _is_short(value: float) -> bool:
    """Whether a 32-bit float holds it."""
    try:
        return value != value or struct.unpack("f", struct.pack("f", value))[0] == value
    except OverflowError:
        return False


def with_natives(row: Row, expressions: Iterable[Expr] = (), names: Iterable[str] = ()) -> Row:
    """``row`` with what Spark computes of its columns, as columns of their own."""
    from headwater_ir.expr import columns_of

    found = dict(row)
    for name in sorted({*names, *(n for e in expressions for n in columns_of(e))}):
        native = as_native(name)
        if native is not None and name not in found:
            function = _NATIVE.get(native[0])
            if function is None or native[1] not in row:
                raise NotEvaluated(f"`{name}` of Spark")
            value = row[native[1]]
            found[name] = None if value is None else function(value)
    return found
