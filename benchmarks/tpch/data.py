"""The tables of TPC-H as Parquet files, and the answers, both by DuckDB and its ``tpch`` extension from PyPI."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
_CLOSE = 1e-6
"""Sums of doubles depend on the order of the rows."""


def _database() -> Any:
    import duckdb
    import duckdb_extension_tpch

    extension = next(Path(duckdb_extension_tpch.__file__).parent.rglob("tpch.duckdb_extension"))
    database = duckdb.connect()
    database.execute(f"LOAD '{extension}'")
    return database


def generate(folder: Path, scale: float) -> None:
    """Write the tables of a scale factor to ``folder``, unless they are there. Decimals are written as doubles, which
    is what programs with Python functions compute with."""
    if all((folder / f"{name}.parquet").exists() for name in TABLES):
        return
    folder.mkdir(parents=True, exist_ok=True)
    database = _database()
    database.execute(f"CALL dbgen(sf={scale})")
    for name in TABLES:
        columns = [
            f"CAST({column} AS DOUBLE) AS {column}" if kind.startswith("DECIMAL") else column
            for column, kind, *_ in database.execute(f"DESCRIBE {name}").fetchall()
        ]
        partial = folder / f"{name}.partial"
        database.execute(f"COPY (SELECT {', '.join(columns)} FROM {name}) TO '{partial}' (FORMAT parquet)")
        partial.rename(folder / f"{name}.parquet")


def answer(folder: Path, number: int) -> list[tuple[Any, ...]]:
    """What the query of the benchmark with this number gives of the tables in ``folder``."""
    database = _database()
    for name in TABLES:
        database.execute(f"CREATE VIEW {name} AS SELECT * FROM '{folder / f'{name}.parquet'}'")
    (query,) = database.execute("SELECT query FROM tpch_queries() WHERE query_nr = ?", [number]).fetchone()
    found: list[tuple[Any, ...]] = database.execute(query).fetchall()
    return found


def alike(one: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]]) -> bool:
    """Whether two results have the same rows in some order; numbers may differ by what the order of a sum changes."""
    first, second = (sorted((list(map(_plain, row)) for row in rows), key=_rough) for rows in (one, other))
    return len(first) == len(second) and all(
        len(a) == len(b) and all(map(_same, a, b)) for a, b in zip(first, second, strict=True)
    )


def _rough(row: list[Any]) -> list[str]:
    return [f"{v:.6g}" if isinstance(v, float) else str(v) for v in row]


def _plain(value: Any) -> Any:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return float(value)
    return value.isoformat()[:10] if isinstance(value, dt.date) else value


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=_CLOSE, abs_tol=1e-9) or (math.isnan(a) and math.isnan(b))
    return bool(a == b)
