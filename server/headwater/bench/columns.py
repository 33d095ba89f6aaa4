"""Columns of generated data, chunk by chunk, and the Parquet files that they make: reproducible, and never all in
memory at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

FILES = 4
CHUNK = 500_000
ROW_GROUP = 128 * 1024
Numbers = NDArray[np.generic]


@dataclass(frozen=True)
class Draw:
    """Draws one chunk of a table: ``rows`` rows from row ``start`` on, of ``total``."""

    rng: np.random.Generator
    start: int
    rows: int
    total: int

    def uniform(self, low: int, high: int) -> Numbers:
        """Integers from ``low`` up to, and without, ``high``."""
        drawn: Numbers = self.rng.integers(low, high, self.rows)
        return drawn

    def zipf(self, distinct: int, exponent: float = 0.7) -> Numbers:
        """Integers below ``distinct`` whose frequencies follow Zipf's law, in shuffled order."""
        weights = 1.0 / np.arange(1, distinct + 1) ** exponent
        places = np.searchsorted(np.cumsum(weights / weights.sum()), self.rng.random(self.rows))
        drawn: Numbers = np.minimum(places, distinct - 1)
        return drawn

    def rising(self, low: int, high: int) -> Numbers:
        """Integers between the bounds in the order of the rows, as in what was written while time went by."""
        width = (high - low) / max(1, self.total)
        first, last = low + width * self.start, low + width * (self.start + self.rows)
        drawn: Numbers = np.sort(self.rng.uniform(first, last, self.rows)).astype(np.int64)
        return drawn

    def normal(self, mean: float, deviation: float, digits: int = 2) -> Numbers:
        """Normally distributed numbers, rounded."""
        drawn: Numbers = self.rng.normal(mean, deviation, self.rows).round(digits)
        return drawn

    def lognormal(self, mean: float, sigma: float, digits: int = 2) -> Numbers:
        """Positive numbers, many of them small; rounded."""
        drawn: Numbers = self.rng.lognormal(mean, sigma, self.rows).round(digits)
        return drawn

    def chance(self, share: float) -> NDArray[np.bool_]:
        """True for ``share`` of the rows."""
        return self.rng.random(self.rows) < share

    def pick(self, values: Mapping[str, float], null: float = 0.0) -> pa.Array:
        """Texts by their weights."""
        weights = np.array(list(values.values()), dtype=float)
        return self.text(self.rng.choice(len(values), self.rows, p=weights / weights.sum()), list(values), null)

    def named(self, prefix: str, numbers: Numbers, null: float = 0.0) -> pa.Array:
        """``prefix-00017`` for 17."""
        return self.text(numbers, [f"{prefix}-{n:05d}" for n in range(int(numbers.max(initial=0)) + 1)], null)

    def text(self, numbers: Numbers, texts: Sequence[str], null: float = 0.0) -> pa.Array:
        """The texts with these numbers."""
        return pa.array(list(texts), pa.string()).take(self.nullable(numbers, null))

    def nullable(self, values: Numbers, share: float) -> pa.Array:
        """``values`` with ``share`` of them replaced by NULL."""
        return pa.array(values, mask=self.chance(share) if share else None, from_pandas=False)


Columns = Callable[[Draw], Mapping[str, pa.Array]]


def write(target: Path, rows: int, columns: Columns, schema: pa.Schema, seed: Sequence[int]) -> None:
    """A folder of Parquet files with ``rows`` rows, written unless it is already there in full."""
    if target.exists():
        return
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    part = -(-rows // FILES)
    for number in range(FILES):
        first, last = number * part, min(rows, (number + 1) * part)
        with pq.ParquetWriter(partial / f"part-{number}.parquet", schema) as writer:
            for start in range(first, last, CHUNK):
                draw = Draw(np.random.default_rng([*seed, start]), start, min(CHUNK, last - start), rows)
                found = columns(draw)
                arrays = [_fitted(found[field.name], field.type) for field in schema]
                writer.write_table(pa.table(arrays, schema=schema), row_group_size=ROW_GROUP)
    partial.rename(target)


def _fitted(array: pa.Array, kind: pa.DataType) -> pa.Array:
    return array if array.type == kind else array.cast(kind, safe=False)
