"""Data for a schema of which nothing else is known: keys of mixed frequency, values around the program's own constants,
NULLs; and of the rows a chosen share that a pre-filter keeps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .columns import Draw, Numbers
from .hints import Constant

NULLS = 0.02
ROWS_PER_KEY = 20_000
POOL = 100_000
"""Rows that are tried against a pre-filter, of which the data is then made."""
_WIDTH = {pa.int8(): 7, pa.int16(): 15, pa.int32(): 31, pa.int64(): 53}
_EPOCH = dt.date(1970, 1, 1)

Hints = Mapping[str, Sequence[Constant]]
Judge = Callable[[pa.Table], NDArray[np.bool_]]
"""Which rows of a table pass a pre-filter."""


@dataclass(frozen=True)
class Pool:
    """Rows of some columns, those that a pre-filter keeps and the others. ``kept``: how many are to be of the first."""

    keeps: pa.Table
    drops: pa.Table
    kept: float

    def draw(self, draw: Draw) -> dict[str, pa.Array]:
        """A chunk of these columns."""
        if not self.keeps.num_rows or not self.drops.num_rows:
            whole = self.keeps if self.keeps.num_rows else self.drops
            return _columns(whole.take(pa.array(draw.uniform(0, whole.num_rows))))
        both = pa.concat_tables([self.keeps, self.drops])
        inside = draw.uniform(0, self.keeps.num_rows)
        outside = self.keeps.num_rows + draw.uniform(0, self.drops.num_rows)
        return _columns(both.take(pa.array(np.where(draw.chance(self.kept), inside, outside))))


def invent(draw: Draw, schema: pa.Schema, hints: Hints, pools: Sequence[Pool] = ()) -> dict[str, pa.Array]:
    """A chunk of a table."""
    pooled: dict[str, pa.Array] = {}
    for pool in pools:
        pooled.update(pool.draw(draw))
    return {f.name: pooled.get(f.name, _column(draw, f, hints.get(f.name, ()))) for f in schema}


def pool(schema: pa.Schema, hints: Hints, judge: Judge, kept: float) -> Pool:
    """Rows of the columns of ``schema`` that ``judge`` tells apart."""
    draw = Draw(np.random.default_rng([7]), 0, POOL, POOL)
    columns = {f.name: _around(draw, f, hints.get(f.name, ())) for f in schema}
    table = pa.table([columns[f.name] for f in schema], schema=schema)
    passes = judge(table)
    return Pool(table.filter(pa.array(passes)), table.filter(pa.array(~passes)), kept)


def _columns(table: pa.Table) -> dict[str, pa.Array]:
    return {name: table[name].combine_chunks() for name in table.column_names}


def _column(draw: Draw, field: pa.Field, constants: Sequence[Constant]) -> pa.Array:
    """Keys where the type may be one, values elsewhere."""
    nulls = NULLS if field.nullable else 0.0
    keys = max(3, draw.total // ROWS_PER_KEY)
    if pa.types.is_string(field.type) and not constants:
        return draw.named(field.name, draw.zipf(keys), nulls)
    if pa.types.is_integer(field.type) and not constants:
        return _numbers(draw, draw.zipf(keys) if field.name.endswith("id") else draw.uniform(0, 1000), field, nulls)
    return _around(draw, field, constants)


def _around(draw: Draw, field: pa.Field, constants: Sequence[Constant]) -> pa.Array:
    """Half of the rows at and beside the constants, half wherever the type goes in practice."""
    nulls = NULLS if field.nullable else 0.0
    kind = field.type
    if pa.types.is_boolean(kind):
        return draw.nullable(draw.chance(0.5), nulls)
    if pa.types.is_string(kind):
        texts = [c for c in constants if isinstance(c, str)]
        others = [f"{field.name}-{n}" for n in range(max(3, 2 * len(texts)))]
        return draw.text(draw.uniform(0, len(texts) + len(others)), texts + others, nulls)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _times(draw, kind, constants, nulls)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _numbers(draw, _spread(draw, [float(c) for c in constants if not isinstance(c, str)]), field, nulls)
    if pa.types.is_list(kind):
        values = _around(replace(draw, rows=3 * draw.rows), kind.value_field, constants)
        offsets = np.minimum(np.cumsum(draw.rng.integers(0, 4, draw.rows + 1)), 3 * draw.rows)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values, type=kind)
    return pa.nulls(draw.rows, kind)


def _spread(draw: Draw, constants: Sequence[float]) -> Numbers:
    if not constants:
        return draw.lognormal(4.0, 1.5)
    centres = np.array(constants)[draw.uniform(0, len(constants))]
    width = max(10.0, float(np.abs(np.array(constants)).max()), float(np.ptp(np.array(constants))))
    near = centres + draw.rng.integers(-2, 3, draw.rows) * draw.rng.choice([1.0, 0.5, 10.0], draw.rows)
    far = centres + draw.rng.normal(0, width, draw.rows)
    drawn: Numbers = np.where(draw.chance(0.3), near, far)
    return drawn


def _numbers(draw: Draw, values: Numbers, field: pa.Field, nulls: float) -> pa.Array:
    if pa.types.is_integer(field.type):
        bound = 2 ** _WIDTH.get(field.type, 31) - 1
        values = np.clip(np.asarray(values, dtype=float).round(), -bound, bound).astype(np.int64)
        return draw.nullable(values, nulls).cast(field.type)
    rounded = np.asarray(values, dtype=float).round(2)
    if pa.types.is_decimal(field.type):
        most = 10.0 ** (field.type.precision - field.type.scale) - 1
        return draw.nullable(np.clip(rounded, -most, most).round(min(2, field.type.scale)), nulls).cast(field.type)
    return draw.nullable(rounded, nulls).cast(field.type)


def _times(draw: Draw, kind: pa.DataType, constants: Sequence[Constant], nulls: float) -> pa.Array:
    found = [d for c in constants if isinstance(c, str) and (d := _day(c)) is not None]
    days = _spread(draw, [float(d) for d in found]) if found else draw.uniform(19_000, 20_000)
    near = np.clip(np.asarray(days, dtype=float), 0, 40_000)  # of the years that anybody has data of
    if pa.types.is_date(kind):
        return draw.nullable(near.astype(np.int32), nulls).cast(kind)
    return draw.nullable((near * 86_400_000_000).astype(np.int64), nulls).cast(pa.timestamp("us")).cast(kind)


def _day(text: str) -> int | None:
    try:
        return (dt.date.fromisoformat(text[:10]) - _EPOCH).days
    except ValueError:
        return None
