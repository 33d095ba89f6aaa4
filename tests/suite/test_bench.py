"""The benchmark judges rightly: it complains where it should, Spacer refutes what is wrong, and lost children are
outcomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.synthesis import figures, judge, report, runner
from benchmarks.synthesis.annotations import Kind
from benchmarks.synthesis.conditions import prefilter, residual
from benchmarks.synthesis.spacer import prove
from benchmarks.synthesis.strength import Answer, compare, implies_on_outputs, implies_on_rows
from benchmarks.synthesis.suite import Problem, parse

from headwater.engine.analysis.solver import synthesis
from headwater_ir import expr as ir
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Obstruction, Proved, Solution

FILE = Path("benchmarks/suite/games/scores.py")
HEAD = """from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
scores = spark.read.schema("team string, score int, bonus boolean").parquet("scores")
"""
MAXIMUM = """
# kind: split
# G: score > 90
# R: best IS NOT NULL
# why: a global maximum over no rows is NULL.
scores.agg(F.max("score").alias("best")).filter(F.col("best") > 90)
"""


@pytest.fixture(scope="module")
def maximum() -> Problem:
    (problem,) = parse(HEAD + MAXIMUM, FILE)
    return problem


@pytest.fixture(scope="module")
def solution(maximum: Problem) -> Solution:
    verdict = synthesis(fold_of(maximum), 30.0)
    assert isinstance(verdict, Proved)
    return verdict.solution


def fold_of(problem: Problem) -> FoldProblem:
    assert problem.problem is not None
    return problem.problem


def expecting(
    problem: Problem, kind: Kind, g: str | None = None, r: str | None = None, *obstructions: Obstruction
) -> Problem:
    return replace(
        problem,
        expected=replace(problem.expected, kind=kind, obstructions=obstructions),
        prefilter=prefilter(fold_of(problem), g) if g else None,
        residual=residual(fold_of(problem), r) if r else None,
    )


def test_what_is_met_has_no_complaints(maximum: Problem, solution: Solution) -> None:
    found = Answer(solution.kind, solution=solution)
    assert compare(maximum, found).complaints == ()
    assert not compare(maximum, found).stronger
    weaker = expecting(maximum, "partial", "score > 50", "best > 90")
    assert compare(weaker, found).complaints == ()
    assert compare(weaker, found).stronger


@pytest.mark.parametrize(
    ("kind", "g", "r", "words"),
    [
        ("exact", None, None, "expected `exact`, found `split`"),
        ("split", "score > 95", None, "G is weaker"),
        ("split", "score > 90 AND bonus", None, "G is weaker"),
        ("split", "score > 90", "best IS NOT NULL OR best IS NULL", "R is stronger"),
        ("never", None, None, "expected `never`"),
        ("none", None, None, "expected `none`"),
    ],
)
def test_what_is_not_met_is_said(
    maximum: Problem, solution: Solution, kind: Kind, g: str | None, r: str | None, words: str
) -> None:
    columns = (*fold_of(maximum).fold.columns, ir_column("bonus"))
    wider = replace(fold_of(maximum), fold=replace(fold_of(maximum).fold, columns=columns))
    problem = replace(maximum, moved=replace(maximum.moved, problem=wider))  # type: ignore[arg-type]
    (complaint, *_) = compare(expecting(problem, kind, g, r), Answer(solution.kind, solution=solution)).complaints
    assert words in complaint


def ir_column(name: str) -> Any:
    from headwater_ir.problem import Column
    from headwater_ir.types import BOOL

    return Column(name, BOOL)


def test_a_refusal_must_name_its_obstruction(maximum: Problem) -> None:
    refused = Answer("none", "no-prefilter", "…")
    assert compare(expecting(maximum, "none", None, None, "opaque", "no-prefilter"), refused).complaints == ()
    assert compare(expecting(maximum, "none", None, None, "opaque"), refused).complaints
    assert compare(maximum, refused).complaints
    assert compare(expecting(maximum, "never"), refused).complaints
    assert compare(expecting(maximum, "none", None, None, "time-out"), Answer("unknown", "time-out")).complaints


def test_implication_knows_null_and_nan(maximum: Problem) -> None:
    fold = fold_of(maximum)

    def implied(a: str, b: str) -> bool:
        return implies_on_rows(fold, prefilter(fold, a), prefilter(fold, b))

    assert implied("score > 90", "score IS NOT NULL")
    assert not implied("score > 90 OR score IS NULL", "score > 90")
    assert not implied("NOT (score > 90)", "score IS NULL OR score > 90")
    assert implied("score >= 91", "score > 90")


def test_residuals_are_compared_where_the_pre_filter_leads(maximum: Problem, solution: Solution) -> None:
    fold = fold_of(maximum)
    not_null, over = residual(fold, "best IS NOT NULL"), residual(fold, "best > 90")
    assert implies_on_outputs(fold, solution, not_null, over)
    assert not implies_on_outputs(fold, solution, ir.TRUE, over)


@pytest.mark.parametrize(
    ("g", "r", "status"),
    [
        ("score > 90", "best > 90", "proved"),
        ("score > 90", "best IS NOT NULL", "proved"),
        ("score > 90", "best IS NULL OR best > 90", "refuted"),
        ("score > 91", "best > 90", "refuted"),
        ("score < 90", "best > 90", "refuted"),
    ],
)
def test_spacer_tells_right_from_wrong(maximum: Problem, g: str, r: str, status: str) -> None:
    fold = fold_of(maximum)
    assert prove(fold, prefilter(fold, g), residual(fold, r), 20.0) == status


def test_a_mode_runs_in_a_child(tmp_path: Path) -> None:
    path = tmp_path / "games" / "scores.py"
    path.parent.mkdir()
    path.write_text(HEAD + MAXIMUM, encoding="utf-8")
    (problem,) = parse(HEAD + MAXIMUM, path)
    with runner.Child("full", (path,), 30.0) as child:
        outcome = child.ask(problem.name)
    record = judge.judged(problem, outcome, with_cvc5=True)
    assert (record["found"], record["complaints"], record["cvc5"]) == ("split", [], True)
    assert record["wall"] > 0
    assert record["peak_mb"] > 10


def test_a_child_that_ignores_its_limit_is_killed(maximum: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "COMMAND", ("-c", "import time; print('ready', flush=True); time.sleep(60)"))
    monkeypatch.setattr(runner.Child, "hard_seconds", 0.3)
    with runner.Child("full", (), 1.0) as child:
        outcome = child.ask(maximum.name)
    assert "timeout" in outcome
    assert judge.judged(maximum, outcome, False)["found"] == "unknown"


def test_a_child_that_ends_is_a_crash_and_the_next_one_is_asked_on(
    maximum: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies = "import sys; print('ready', flush=True); sys.stdin.readline(); sys.exit(3)"
    monkeypatch.setattr(runner, "COMMAND", ("-c", dies))
    with runner.Child("full", (), 1.0) as child:
        assert [child.ask(maximum.name)["crash"] for _ in range(2)] == ["exit code 3"] * 2


def test_percentiles() -> None:
    assert figures.percentile(range(1, 101), 0.95) == 95
    assert figures.percentile([7.0], 0.95) == 7.0
    assert figures.median([]) != figures.median([])


def test_failures_are_listed() -> None:
    record = {"problem": "a:1", "complaints": ["G is weaker"], "cvc5": False}
    found = {"searches": {"full": [record]}, "bounded": [{"problem": "a:1", "agrees": False}]}
    assert len(report.failures(found)) == 3
