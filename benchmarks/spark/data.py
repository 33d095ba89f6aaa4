"""Input data of the suite's pipelines: per source a function from a chunk to columns.

Values follow what the domain would have (skewed keys, bell curves, long tails, NULLs, time that goes by), not what a
pre-filter would like; sums are of numbers that add up exactly, and equal values tie with equal rows, so that no result
depends on the order in which Spark happens to take rows.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from zlib import crc32

import numpy as np
import pyarrow as pa

from headwater.bench.columns import Draw, write

VERSION = 1
"""Part of a result's identity: raise it when data changes."""

Columns = Mapping[str, pa.Array]
_TYPES = {
    "string": pa.string(), "int": pa.int32(), "bigint": pa.int64(), "long": pa.int64(), "double": pa.float64(),
    "boolean": pa.bool_(), "date": pa.date32(),
}  # fmt: skip


def keys(draw: Draw, name: str, rows_each: int, null: float = 0.0) -> pa.Array:
    """Names of which each occurs ``rows_each`` times on average: half of the rows by Zipf's law, half uniformly."""
    distinct = max(3, draw.total // rows_each)
    mixed = np.where(draw.chance(0.5), draw.zipf(distinct, 0.8), draw.uniform(0, distinct))
    return draw.named(name, mixed, null)


def numbers(draw: Draw, rows_each: int) -> np.ndarray:
    """The same as integers, uniformly."""
    return draw.uniform(0, max(3, draw.total // rows_each))


def slippage_fills(draw: Draw) -> Columns:
    quoted = draw.lognormal(4, 0.5)
    return {
        "venue": keys(draw, "venue", 50_000),
        "quoted": draw.nullable(quoted, 0.01),
        "filled": draw.nullable((quoted + draw.normal(0, 0.25)).round(2), 0.02),
        "side": draw.pick({"BUY": 50, "SELL": 50}, 0.01),
    }


def results(draw: Draw) -> Columns:
    return {
        "account": keys(draw, "account", 5_000),
        "day": draw.nullable(draw.rising(18_262, 19_723).astype(np.int32), 0),
        "pnl": draw.nullable(draw.normal(50, 550), 0.02),
    }


def runs(draw: Draw) -> Columns:
    return {
        "player": keys(draw, "player", 5_000),
        "score": draw.nullable(draw.lognormal(7, 0.9).astype(np.int64), 0.03),
        "level": draw.pick({"meadow": 40, "harbour": 30, "tower": 20, "boss": 10}, 0.01),
    }


def arena_matches(draw: Draw) -> Columns:
    return {
        "arena": keys(draw, "arena", 20_000),
        "player": draw.named("player", draw.zipf(1_000), 0.01),
        "score": draw.nullable(draw.normal(600, 220, 0).astype(np.int64), 0.03),
    }


def rounds(draw: Draw) -> Columns:
    return {
        "team": keys(draw, "team", 20_000),
        "round": draw.nullable(draw.uniform(1, 35), 0.01),
        "outcome": draw.pick({"win": 30, "draw": 20, "loss": 45, "cancelled": 5}, 0.02),
        "bonus": draw.nullable(draw.uniform(0, 4), 0.02),
    }


def scans(draw: Draw) -> Columns:
    return {
        "patient_id": keys(draw, "patient", 5_000),
        "scan_id": draw.nullable(np.arange(draw.start, draw.start + draw.rows), 0),
        "minute": draw.nullable(draw.rising(0, 525_600), 0.01),
        "quality": draw.nullable(draw.rng.beta(6, 3, draw.rows).round(12), 0.02),
        "slices": draw.nullable(draw.uniform(40, 400), 0.01),
        "dose_mgy": draw.nullable(draw.lognormal(2, 0.5), 0.05),
        "contrast": draw.nullable(draw.chance(0.35), 0.02),
        "body_part": draw.pick({"chest": 40, "head": 30, "knee": 20, "spine": 10}, 0.01),
        "reader": draw.named("reader", draw.zipf(60), 0.05),
    }


def labs(draw: Draw) -> Columns:
    return {
        "stay_id": draw.nullable(numbers(draw, 5_000), 0),
        "minute": draw.nullable(draw.rising(0, 525_600), 0.01),
        "creatinine": draw.nullable(draw.lognormal(0.05, 0.5), 0.04),
    }


def administrations(draw: Draw) -> Columns:
    return {
        "stay_id": keys(draw, "stay", 5_000),
        "minute": draw.nullable(draw.uniform(0, 2_880), 0.01),
        "dose_mg": draw.nullable(draw.uniform(1, 120) * 0.5, 0.02),
    }


def chart(draw: Draw) -> Columns:
    return {
        "stay_id": keys(draw, "stay", 5_000),
        "temp_c": draw.nullable(draw.normal(37.0, 0.7, 1), 0.05),
        "heart_rate": draw.nullable(draw.normal(82, 14, 0).astype(np.int64), 0.03),
        "map_mmhg": draw.nullable(draw.normal(88, 11, 0).astype(np.int64), 0.03),
    }


def lines(draw: Draw) -> Columns:
    ms = draw.lognormal(5, 1.5).astype(np.int64)
    code = np.where(ms % 9_973 == 0, 137, np.where(ms % 9_967 == 0, 28, 0))
    return {
        "host": keys(draw, "host", 20_000),
        "level": draw.pick({"DEBUG": 55, "INFO": 35, "WARN": 7, "ERROR": 3}, 0.01),
        "code": draw.nullable(code, 0),
        "ms": draw.nullable(ms, 0.01),
        "at": draw.nullable(draw.rising(1_704_067_200, 1_704_672_000), 0),
    }


def severity_lines(draw: Draw) -> Columns:
    status = draw.rng.choice([200, 301, 404, 500, 503], draw.rows, p=[0.88, 0.05, 0.05, 0.015, 0.005])
    return {
        "host": keys(draw, "host", 20_000),
        "level": draw.pick({"DEBUG": 50, "INFO": 44, "WARN": 3, "WARNING": 2, "FATAL": 1}, 0.01),
        "status": draw.nullable(status, 0.10),
    }


def session_requests(draw: Draw) -> Columns:
    status = draw.rng.choice([200, 302, 404, 500, 503], draw.rows, p=[0.87, 0.06, 0.05, 0.015, 0.005])
    return {
        "session": keys(draw, "session", 2_000),
        "at": draw.nullable(draw.rising(1_704_067_200, 1_704_153_600), 0),
        "status": draw.nullable(status, 0.02),
        "bytes": draw.nullable(draw.lognormal(8, 2).astype(np.int64), 0.01),
    }


def order_lines(draw: Draw) -> Columns:
    listed = draw.lognormal(3.6, 0.8)
    share = np.where(draw.chance(0.25), draw.rng.beta(2, 6, draw.rows), 0.0)
    return {
        "order_id": keys(draw, "order", 5_000),
        "listed": draw.nullable(listed, 0.01),
        "paid": draw.nullable((listed * (1 - share)).round(2), 0.02),
    }


def sales_on_offer(draw: Draw) -> Columns:
    return {
        "shop": keys(draw, "shop", 20_000),
        "sku": draw.named("sku", draw.zipf(5_000), 0.005),
        "price": draw.nullable(draw.lognormal(3.5, 1).astype(np.int64), 0.01),
        "offer": draw.nullable(draw.chance(0.12), 0.02),
    }


def offers(draw: Draw) -> Columns:
    return {
        "article": keys(draw, "article", 5_000),
        "shop": draw.named("shop", draw.zipf(200), 0.005),
        "price": draw.nullable(draw.lognormal(6, 0.9, 6), 0.02),
        "days": draw.nullable(draw.uniform(1, 60), 0.02),
    }


def store_sales(draw: Draw) -> Columns:
    return {
        "store": keys(draw, "store", 20_000),
        "region": draw.pick({"north": 30, "south": 30, "east": 25, "west": 15}, 0.01),
        "amount": draw.nullable(draw.lognormal(3.8, 1.1), 0.02),
    }


def orders(draw: Draw) -> Columns:
    return {
        "customer": keys(draw, "customer", 1_000),
        "kind": draw.pick({"sale": 90, "refund": 7, "gift": 3}, 0.01),
        "cents": draw.nullable(draw.lognormal(7.5, 1).astype(np.int64), 0.02),
        "express": draw.nullable(draw.chance(0.1), 0.01),
    }


def health(draw: Draw) -> Columns:
    return {
        "device": keys(draw, "device", 5_000),
        "second": draw.nullable(draw.rising(0, 86_400), 0),
        "celsius": draw.nullable(draw.normal(55, 14, 0).astype(np.int64), 0.02),
        "millivolts": draw.nullable(draw.normal(3_700, 300, 0).astype(np.int64), 0.02),
        "opened": draw.nullable(draw.chance(0.0005), 0.01),
    }


def samples(draw: Draw) -> Columns:
    """A day of samples in the order of time: files and their row groups are slices of the day."""
    return {
        "engine": keys(draw, "engine", 20_000),
        "at": draw.nullable(draw.rising(1_709_251_200, 1_709_337_600), 0.01),
        "thrust": draw.nullable(draw.normal(640, 140), 0.02),
        "fault": draw.nullable(draw.chance(0.002), 0.01),
    }


def readings(draw: Draw) -> Columns:
    return {
        "meter_id": keys(draw, "m", 5_000),
        "minute": draw.nullable(draw.uniform(0, 1_440), 0.01),
        "power_kw": draw.nullable(draw.rng.lognormal(2.2, 0.8, draw.rows).round(9), 0.02),
        "phase": draw.pick({"L1": 40, "L2": 30, "L3": 30}, 0.01),
        "volts": draw.nullable(draw.normal(230, 4, 0).astype(np.int64), 0.01),
    }


def vibrations(draw: Draw) -> Columns:
    return {
        "machine": keys(draw, "machine", 20_000),
        "second": draw.nullable(draw.uniform(0, 14_400), 0.01),
        "um_s": draw.nullable(draw.lognormal(6, 0.7).astype(np.int64), 0.02),
    }


def made(columns: Callable[[Draw], Columns], source: str, name: str, root: Path, rows: int) -> Path:
    """The folder of the table that ``source`` reads as ``name``, with ``rows`` rows."""
    target = root / f"{columns.__name__}-{VERSION}-{rows}"
    write(target, rows, columns, schema_of(source, name), [crc32(columns.__name__.encode())])
    return target


def schema_of(source: str, name: str) -> pa.Schema:
    """The columns that the program states for ``spark.read.schema("…").parquet(name)``."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    attr="parquet",
                    value=ast.Call(func=ast.Attribute(attr="schema"), args=[ast.Constant(value=str(ddl))]),
                ),
                args=[ast.Constant(value=place)],
            ) if place == name:
                pairs = [column.split() for column in ddl.split(",")]
                return pa.schema([(column, _TYPES[kind]) for column, kind in pairs])
    raise LookupError(f"nothing reads {name} with a schema")
