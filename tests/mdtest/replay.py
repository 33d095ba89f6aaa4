"""Runs snippets of the specifications on Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tests.replay import Run, results
from tests.results import Result, Rows

from .cases import Case

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def given(case: Case) -> dict[str, Rows]:
    """The rows that the file states."""
    return {t.name: list(t.rows) for t in case.tables}


def run_of(case: Case, source: str, tables: Mapping[str, Rows], only: Mapping[str, str] | None = None) -> Run:
    """``source`` over these rows. ``only``: what tables are filtered by. One partition: the order of rows inside a
    group is then the same in both runs."""
    return Run(source, {t.name: t.ddl for t in case.tables}, tables, only or {})


def run_all(spark: SparkSession, case: Case, source: str, inputs: Sequence[Mapping[str, Rows]]) -> list[Result]:
    """The result of ``source`` on each input."""
    return results(spark, [run_of(case, source, tables) for tables in inputs])


def run_both(
    spark: SparkSession, case: Case, sources: tuple[str, str], inputs: Sequence[Mapping[str, Rows]]
) -> list[tuple[Result, Result]]:
    """The results of two sources on each input."""
    found = results(spark, [run_of(case, source, tables) for source in sources for tables in inputs])
    return list(zip(found[: len(inputs)], found[len(inputs) :], strict=True))
