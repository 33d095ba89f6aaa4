"""``seeds_lakehouse.md``: what a lesson says of predicates and sources, what we say, and what Spark does (issue 22)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from headwater.source.formats import Class
from tests.shares import share
from tests.source.cells import SOURCES, does, frames, is_wrong, measured, says

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Row(NamedTuple):
    predicate: str
    source: str
    lesson: Class
    ours: Class
    flaw: str


TEXT = Path(__file__).with_name("seeds_lakehouse.md").read_text(encoding="utf-8")
_LINE = re.compile(r"^\| `([^|]+)` \| ([^|]+) \| (\w+) \| (\w+) \| (flaw)? ?\|$", re.MULTILINE)
ROWS = [Row(*(part.strip() for part in found)) for found in _LINE.findall(TEXT)]  # type: ignore[arg-type]


def test_every_row_of_the_page_is_read() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith("| `")]
    assert len(ROWS) == len(lines) >= 40
    assert {r.source for r in ROWS} <= {*SOURCES}
    assert all((r.lesson != r.ours) == bool(r.flaw) for r in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.predicate} {r.source}")
def test_what_we_say(row: Row) -> None:
    assert says(row.predicate, row.source).kind == row.ours


@pytest.mark.spark
def test_spark_bears_it_out(spark: SparkSession) -> None:
    """No class that we say is contradicted, and each flaw is."""
    with frames(spark) as found:
        for row in share(ROWS, 3):
            seen = does(measured(found(row.source), row.predicate))
            assert not is_wrong(row.ours, seen), row
            assert bool(row.flaw) == is_wrong(row.lesson, seen), (row, seen)
