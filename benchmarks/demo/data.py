"""Input data for the examples: Parquet, reproducible, with skewed groups and NULLs.

The values are chosen so that the filters of the examples are selective (a pre-filter keeps a few percent of the rows)
and every result has rows. That is the case in which moving a filter pays; docs/limitations.md says when it does not.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.random import Generator

VERSION = 2
"""Part of the cache's path: raise it when the data changes."""

FILES = 4
Columns = dict[str, pa.Array]


def _nullable(rng: Generator, values: np.ndarray, share: float, kind: pa.DataType) -> pa.Array:
    """``values`` as an Arrow column in which ``share`` of the rows are NULL."""
    return pa.array(values, type=kind, mask=rng.random(len(values)) < share)


def _skewed(rng: Generator, rows: int, groups: int, exponent: float = 0.7) -> np.ndarray:
    """Group numbers whose sizes follow Zipf's law, in shuffled order."""
    weights = 1.0 / np.arange(1, groups + 1) ** exponent
    return np.searchsorted(np.cumsum(weights / weights.sum()), rng.random(rows)).clip(max=groups - 1)


def _names(prefix: str, numbers: np.ndarray) -> np.ndarray:
    """``prefix`` + number as strings."""
    table = np.array([f"{prefix}-{n:05d}" for n in range(int(numbers.max()) + 1)], dtype=object)
    names: np.ndarray = table[numbers]
    return names


def scores(rng: Generator, rows: int) -> Columns:
    """One in 25 scores is 90 or more."""
    team = _names("team", _skewed(rng, rows, max(3, rows // 20_000)))
    score = rng.normal(62, 16, rows).clip(0, 100).round(1)
    return {"team": _nullable(rng, team, 0.001, pa.string()), "score": _nullable(rng, score, 0.05, pa.float64())}


def trades(rng: Generator, rows: int) -> Columns:
    """The first quarter of 2024 in order of time."""
    epoch = np.sort(rng.integers(1_704_067_200, 1_711_929_600, rows))
    symbol = _names("sym", _skewed(rng, rows, max(3, rows // 20_000)))
    price = rng.integers(1, 10_000, rows)
    return {
        "symbol": pa.array(symbol, pa.string()),
        "epoch": _nullable(rng, epoch, 0.01, pa.int32()),
        "price": _nullable(rng, price, 0.03, pa.int32()),
    }


def events(rng: Generator, rows: int) -> Columns:
    """Six years of market data in order of time; the two counted actions are rare."""
    actions = np.array(["quote", "depth", "heartbeat", "price", "time"], dtype=object)
    action = actions[rng.choice(5, rows, p=[0.6, 0.25, 0.1, 0.03, 0.02])]
    return {
        "ticker": pa.array(_names("tick", _skewed(rng, rows, max(3, rows // 20_000))), pa.string()),
        "action": _nullable(rng, action, 0.01, pa.string()),
        "day": _nullable(rng, np.sort(rng.integers(0, 2191, rows)), 0.01, pa.int32()),
    }


def companies(rng: Generator, rows: int) -> Columns:
    """Lists of one to three groups; software and data companies are rare."""
    common = ["Finance", "Health", "Education", "Energy", "Travel", "Media", "Retail", "Food", "Sports", "Biotech"]
    rare = ["Software", "Data", "Software, Gaming", "Big Data, Media"]
    pairs = [f"{a}, {b}" for a in common for b in common if a != b]
    lists = np.array(rare + common + pairs, dtype=object)
    weights = np.array([0.01] * 4 + [0.05] * len(common) + [0.46 / len(pairs)] * len(pairs))
    groups = lists[rng.choice(len(lists), rows, p=weights / weights.sum())]
    return {
        "company": pa.array(np.arange(rows), pa.int64()),
        "groups": _nullable(rng, groups, 0.04, pa.string()),
        "funding": _nullable(rng, rng.lognormal(12, 2, rows).round(2), 0.2, pa.float64()),
    }


def items(rng: Generator, rows: int) -> Columns:
    """About one price in twenty passes."""
    tier = np.array(["standard", "plus", "premium"], dtype=object)[rng.choice(3, rows, p=[0.7, 0.2, 0.1])]
    return {
        "item": pa.array(np.arange(rows), pa.int64()),
        "tier": _nullable(rng, tier, 0.02, pa.string()),
        "price": _nullable(rng, rng.lognormal(5.2, 1.0, rows).round(2), 0.03, pa.float64()),
    }


def payments(rng: Generator, rows: int) -> Columns:
    """Many accounts with a few payments each, of which one in a hundred is large."""
    return {
        "account": _nullable(rng, _skewed(rng, rows, max(3, rows // 4), 0.4), 0.001, pa.int64()),
        "amount": _nullable(rng, rng.lognormal(10, 1.6, rows).astype(np.int64), 0.02, pa.int64()),
    }


def days(rng: Generator, rows: int) -> Columns:
    """Revenue per day; one in eight is above 1,000, and two weekdays in seven count."""
    return {
        "store": pa.array(_names("store", _skewed(rng, rows, max(3, rows // 150_000))), pa.string()),
        "month": pa.array(rng.integers(1, 13, rows), pa.int32()),
        "weekday": _nullable(rng, rng.integers(1, 8, rows), 0.01, pa.int32()),
        "revenue": _nullable(rng, rng.lognormal(5.8, 0.95, rows).round(2), 0.04, pa.float64()),
    }


def orders(rng: Generator, rows: int) -> Columns:
    """Three revenues in ten are missing; about one order in 25 is above 1,000."""
    quantity = rng.integers(1, 20, rows).astype(np.float64)
    price = rng.lognormal(2.5, 1.0, rows).round(2)
    revenue = (quantity * price * rng.uniform(0.8, 1.0, rows)).round(2)
    return {
        "shop": pa.array(_names("shop", _skewed(rng, rows, max(3, rows // 20_000))), pa.string()),
        "revenue": _nullable(rng, revenue, 0.3, pa.float64()),
        "quantity": _nullable(rng, quantity, 0.02, pa.float64()),
        "price": _nullable(rng, price, 0.02, pa.float64()),
    }


DATASETS: dict[str, Callable[[Generator, int], Columns]] = {
    f.__name__: f for f in (scores, trades, events, companies, items, payments, days, orders)
}


def generate(name: str, root: Path, rows: int) -> Path:
    """The folder of data set ``name`` under ``root``, written unless it is already there in full."""
    target = root / name
    if target.exists():
        return target
    table = pa.table(DATASETS[name](np.random.default_rng([VERSION, *name.encode()]), rows))
    partial = root / f".{name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    step = -(-rows // FILES)
    for part in range(FILES):
        pq.write_table(table.slice(part * step, step), partial / f"part-{part}.parquet", row_group_size=128 * 1024)
    partial.rename(target)
    return target
