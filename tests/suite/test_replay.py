"""The suite on real Spark: rewritten chains give what the original gives, and groups that pass without a telling row
are lost if their rows are dropped, which is why those filters are refused."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from benchmarks.synthesis.suite import Problem, files, load

from headwater.operators.move import Moved
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.verdict import Refuted
from tests.results import Failed

from .replay import Chain, chain_of, compare, dropping, isolated

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = files()
TABLES = int(os.environ.get("HEADWATER_SUITE_TABLES", "0"))
CHAINS = 100 if TABLES else 2
"""Per file: some of them in CI, all where ``HEADWATER_SUITE_TABLES`` asks for a longer run."""
SECONDS = 30.0


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def chains(spark: SparkSession, path: Path) -> list[Chain]:
    return [c for p in load(path) if (c := chain_of(spark, p)) is not None]


def sample(found: list[Chain]) -> list[Chain]:
    """The same ones on every run, but not the first of each file; always those that accept the initial state."""
    ordered = sorted(found, key=lambda c: (not c.problem.accepts_nothing, crc32(c.source.encode())))
    return ordered[: max(CHAINS, sum(c.problem.accepts_nothing for c in found))]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_chain_alone_is_python(path: Path) -> None:
    for problem in load(path):
        text = isolated(problem)
        if text is not None:
            compile(text, problem.name, "exec")
            assert text.count("result = ") == 1


@pytest.mark.spark
@pytest.mark.parametrize("path", FILES, ids=named)
def test_rewritten_chains_give_the_same_rows(spark: SparkSession, path: Path) -> None:
    differences, rows = [], 0
    rewritten = [c for c in chains(spark, path) if c.rewritten is not None]
    for chain in sample(rewritten):
        found, out = compare(spark, chain, max(1, TABLES))
        differences += found
        rows += out
    assert not differences, "\n\n".join(differences)
    assert rows or not rewritten, "no row passed any filter of this file"


@pytest.mark.spark
@pytest.mark.parametrize("path", FILES, ids=named)
def test_refusals_are_right(spark: SparkSession, path: Path) -> None:
    """On the rows of the counterexample: with the rows dropped that a natural pre-filter drops, the result changes."""
    for problem in load(path):
        example = refuted(problem)
        chain = chain_of(spark, problem) if example else None
        if chain is None or example is None or example.counterexample is None:
            continue
        if any(isinstance(v, float) and math.isnan(v) for row in example.counterexample.rows for _, v in row):
            continue  # what a scan that ignores NaN may lose, a table in memory does not
        outcome = dropping(spark, chain, example.counterexample)
        if outcome is not None and not isinstance(outcome[0], Failed):
            assert outcome[0] != outcome[1], f"{problem.name}: {example}"


def refuted(problem: Problem) -> Refuted | None:
    """The refusal, for grouped filters that accept the initial state; of every filter in a longer run."""
    if not isinstance(problem.moved, Moved) or not (problem.accepts_nothing or TABLES):
        return None
    verdict = solve(problem.moved.problem, Limits(SECONDS))
    return verdict if isinstance(verdict, Refuted) else None
