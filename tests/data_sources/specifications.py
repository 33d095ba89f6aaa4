"""Reads the Markdown files of this folder: modules with a data source, rows, and conditions."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Specification:
    """One section. ``expected``: the words behind ``expect:``; ``columns``, ``rows``: of the table that the options
    lead to; ``where``: conditions to run."""

    name: str
    source: str
    expected: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    where: tuple[str, ...]

    @property
    def honest(self) -> bool:
        """Whether nothing is to be found."""
        return self.expected == ("nothing",)

    def options(self, folder: Path) -> Mapping[str, str]:
        """Write the rows, as a database, as text and as a Parquet file."""
        if not self.columns:
            return {}
        names = [c.split()[0] for c in self.columns]
        database, file = folder / "t.db", folder / "t.csv"
        with sqlite3.connect(database) as connection:
            types = {"int": "INTEGER", "bigint": "INTEGER", "double": "REAL", "string": "TEXT"}
            shown = ", ".join(f"{n} {types[c.split()[1]]}" for n, c in zip(names, self.columns, strict=True))
            connection.execute(f"CREATE TABLE t ({shown})")
            connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' for _ in names)})", self.rows)
        connection.close()
        with file.open("w", newline="") as out:
            csv.writer(out).writerows([names, *self.rows])
        parquet = folder / "t.parquet"
        arrow = {"int": pa.int32(), "bigint": pa.int64(), "double": pa.float64(), "string": pa.string()}
        schema = pa.schema([(n, arrow[c.split()[1]]) for n, c in zip(names, self.columns, strict=True)])
        pq.write_table(pa.Table.from_pylist([dict(zip(names, r, strict=True)) for r in self.rows], schema), parquet)
        return {"path": str(database), "csv": str(file), "parquet": str(parquet)}


def specifications() -> list[Specification]:
    """All sections of all files."""
    return [_section(s) for file in ("honest.md", "sources.md", "arrow.md") for s in _sections(HERE / file)]


def _sections(file: Path) -> list[str]:
    return [s for s in re.split(r"^## ", file.read_text("utf-8"), flags=re.MULTILINE)[1:] if "```python" in s]


def _section(text: str) -> Specification:
    name = text.splitlines()[0].strip()
    blocks = dict(re.findall(r"^```(python|rows|where)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))
    (expected,) = re.findall(r"# expect: (.*)", blocks["python"])
    head, *rows = blocks.get("rows", "").splitlines() or [""]
    table = re.fullmatch(r"table t\((.*)\)", head)
    columns = tuple(c.strip() for c in table.group(1).split(",")) if table else ()
    where = tuple(blocks.get("where", "").splitlines())
    return Specification(
        name, blocks["python"], tuple(expected.split()), columns, tuple(tuple(json.loads(r)) for r in rows), where
    )
