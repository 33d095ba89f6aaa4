"""The tables of a benchmark as Parquet files, its queries in SQL and their answers: by DuckDB and its extensions."""

from __future__ import annotations

import datetime as dt
import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

_CLOSE = 1e-6
"""Sums of doubles depend on the order of the rows."""
_DDL = {"int64": "bigint", "int32": "int", "double": "double", "string": "string", "date32[day]": "date"}


@dataclass(frozen=True)
class Kit:
    """A benchmark that DuckDB has an extension for: ``name`` of it, and what is called to make the tables."""

    name: str
    title: str
    generator: str

    @property
    def queries(self) -> list[Path]:
        """The queries as PySpark: ``q`` and the number in the benchmark."""
        return sorted((Path(__file__).parent / self.name).glob("q*.py"))

    @cached_property
    def _extension(self) -> Path:
        package = importlib.import_module(f"duckdb_extension_{self.name}")
        return next(Path(str(package.__file__)).parent.rglob(f"{self.name}.duckdb_extension"))

    def database(self, folder: Path | None = None) -> Any:
        """A database in memory with the extension, and the tables in ``folder`` as views."""
        import duckdb

        database = duckdb.connect()
        database.execute(f"LOAD '{self._extension}'")
        for table in folder.glob("*.parquet") if folder else ():
            database.execute(f"CREATE VIEW {table.stem} AS SELECT * FROM '{table}'")
        return database

    def generate(self, folder: Path, scale: float) -> None:
        """Write the tables of a scale factor to ``folder``, unless it is there. Decimals are written as doubles, which
        is what programs with Python functions compute with."""
        if folder.exists():
            return
        partial = folder.with_suffix(".partial")
        partial.mkdir(parents=True, exist_ok=True)
        database = self.database()
        database.execute(f"CALL {self.generator}(sf={scale})")
        for (name,) in database.execute("SHOW TABLES").fetchall():
            columns = [
                f"CAST({column} AS DOUBLE) AS {column}" if kind.startswith("DECIMAL") else column
                for column, kind, *_ in database.execute(f"DESCRIBE {name}").fetchall()
            ]
            file = partial / f"{name}.parquet"
            database.execute(f"COPY (SELECT {', '.join(columns)} FROM {name}) TO '{file}' (FORMAT parquet)")
        partial.rename(folder)

    def schemas(self, folder: Path) -> dict[str, str]:
        """The paths as the queries read them, with the schemas of the files in ``folder``."""
        return {
            f"{self.name}/{file.name}": ", ".join(f"{f.name} {_DDL[str(f.type)]}" for f in pq.read_schema(file))
            for file in folder.glob("*.parquet")
        }

    def sql(self, number: int) -> str:
        """The query with this number, as the benchmark has it."""
        found = self.database().execute(f"SELECT query FROM {self.name}_queries() WHERE query_nr = {number}")
        return str(found.fetchone()[0])

    def answer(self, folder: Path, number: int) -> list[tuple[Any, ...]]:
        """What that query gives of the tables in ``folder``."""
        found: list[tuple[Any, ...]] = self.database(folder).execute(self.sql(number)).fetchall()
        return found


KITS = {kit.name: kit for kit in (Kit("tpch", "TPC-H", "dbgen"), Kit("tpcds", "TPC-DS", "dsdgen"))}


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
