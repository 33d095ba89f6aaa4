"""The harness finds the bugs that it is there for: each of these is planted, and must be reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from headwater.pyspark.api import dataframe
from headwater.synthesis.algorithm import solve
from headwater_ir import expr as ir
from headwater_ir.expr import Col, Expr
from headwater_ir.plan import Project
from headwater_ir.problem import FoldProblem
from headwater_ir.types import INT64
from headwater_ir.verdict import Proved, Refuted, Solution, Verdict
from tests.operators.planted_rules import REGISTRY, anything_passes, with_rule

from .judge import Judge, Tally
from .programs import Plan, plans

ONE = ir.Lit(1, INT64)


def plan_named(name: str) -> Plan:
    depth = 1 + name.count(" → ")
    return next(p for p in plans(depth) if p.name == name)


def judged(name: str, condition: str, prover: Callable[[FoldProblem], Verdict] = solve) -> Tally:
    plan = plan_named(name)
    assert condition in plan.predicates()
    return Judge(prover).judge(plan, [condition])


def altered(change: Callable[[Solution], Solution]) -> Callable[[FoldProblem], Verdict]:
    """A prover whose answers are changed after the proof."""

    def prover(problem: FoldProblem) -> Verdict:
        verdict = solve(problem)
        assert isinstance(verdict, Proved)
        return replace(verdict, certificate=replace(verdict.certificate, solution=change(verdict.solution)))

    return prover


def stronger(condition: Expr) -> Callable[[Solution], Solution]:
    return lambda s: replace(s, pre_filter=ir.And((*ir.conjuncts(s.pre_filter), condition)))


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("grouped max", 'F.col("m") >= 0'), ("grouped count", 'F.col("m") >= 1'), ("udf sign", 'F.col("u") >= 0'),
        ("global max", 'F.col("m") >= 0'), ("applyInPandas max guarded", 'F.col("m") >= 0'),
        ("udtf max", 'F.col("m") >= 0'), ("rdd reduceByKey max", "lambda kv: kv[1] >= 0"),
        ("dropna → applyInPandas top2", 'F.col("b") >= 0'),
    ],
)  # fmt: skip
def test_a_stronger_prefilter_is_found(name: str, condition: str) -> None:
    assert not judged(name, condition).wrong
    assert judged(name, condition, altered(stronger(ir.Compare("==", Col("v"), ONE, "sql")))).wrong


def test_a_residual_that_is_missing_is_found() -> None:
    name, condition = "grouped max and count", 'F.col("b") >= 1'
    assert not judged(name, condition).wrong
    name, condition = "global max", 'F.col("m") >= 1'
    assert judged(name, condition, altered(lambda s: replace(s, kind="exact", residual=ir.TRUE))).wrong


def test_a_group_that_vanishes_is_found() -> None:
    """The rule that forgets absent groups: ``count_if(…) < 1`` as if the aggregate were global."""

    def prover(problem: FoldProblem) -> Verdict:
        verdict = solve(replace(problem, fold=replace(problem.fold, grouped=False)))
        assert isinstance(verdict, Proved)
        return replace(verdict, certificate=replace(verdict.certificate, problem=problem))

    assert judged("grouped count_if", 'F.col("m") < 1', prover).wrong


def test_a_column_that_is_captured_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    name, condition = "grouped max → select swapped", 'F.col("k") == 1'
    assert not judged(name, condition).wrong
    monkeypatch.setattr(REGISTRY, with_rule(Project, anything_passes))
    assert judged(name, condition).wrong


def test_a_filter_that_passes_a_limit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dataframe._HANDLERS, "limit", dataframe._sort)
    assert judged("grouped max → limit", 'F.col("k") == 1').wrong


def test_a_missed_chance_is_found() -> None:
    def prover(problem: FoldProblem) -> Verdict:
        return Refuted("no-prefilter", "lazy")

    (missed,) = judged("grouped max", 'F.col("m") == 1', prover).missed
    assert missed.prefilter == "v = 1"
    assert not missed.never
    assert not judged("grouped last", 'F.col("m") == 1', prover).missed
