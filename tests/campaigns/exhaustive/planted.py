"""What the exhaustive campaign must find: wrong answers of the prover and wrong rules, for ``tests/planted``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from unittest import mock

from headwater.pyspark.api import dataframe
from headwater.synthesis.algorithm import solve
from headwater_ir import expr as ir
from headwater_ir.expr import Col, Expr
from headwater_ir.plan import Project
from headwater_ir.problem import FoldProblem
from headwater_ir.types import INT64
from headwater_ir.verdict import Proved, Refuted, Solution, Verdict
from tests.operators.planted_rules import REGISTRY, anything_passes, with_rule
from tests.planted import Fault

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


STRONGER = (
    ("grouped max", 'F.col("m") >= 0'), ("grouped count", 'F.col("m") >= 1'), ("udf sign", 'F.col("u") >= 0'),
    ("global max", 'F.col("m") >= 0'), ("applyInPandas max guarded", 'F.col("m") >= 0'),
    ("udtf max", 'F.col("m") >= 0'), ("rdd reduceByKey max", "lambda kv: kv[1] >= 0"),
    ("dropna → applyInPandas top2", 'F.col("b") >= 0'),
)  # fmt: skip


def without_groups(problem: FoldProblem) -> Verdict:
    """The rule that forgets absent groups: as if the aggregate were global."""
    verdict = solve(replace(problem, fold=replace(problem.fold, grouped=False)))
    assert isinstance(verdict, Proved)
    return replace(verdict, certificate=replace(verdict.certificate, problem=problem))


def lazy(problem: FoldProblem) -> Verdict:
    """Proves nothing."""
    return Refuted("no-prefilter", "lazy")


def wrong(name: str, condition: str, prover: Callable[[FoldProblem], Verdict] = solve) -> bool:
    """Whether a rewrite of this filter is seen to change a result."""
    return bool(judged(name, condition, prover).wrong)


def misses(name: str) -> bool:
    """Whether a filter that the prover gives up is seen to be a chance, and another one is not."""
    (missed,) = judged(name, 'F.col("m") == 1', lazy).missed
    assert (missed.prefilter, missed.never) == ("v = 1", False)
    return not judged("grouped last", 'F.col("m") == 1', lazy).missed


def faults() -> Iterator[Fault]:
    """Each with the plan and the filter that show it."""
    for name, condition in STRONGER:
        made = altered(stronger(ir.Compare("==", Col("v"), ONE, "sql")))
        yield Fault("exhaustive", f"a stronger pre-filter of {name}", partial(wrong, name, condition, made))
    dropped = altered(lambda s: replace(s, kind="exact", residual=ir.TRUE))
    yield Fault("exhaustive", "a residual is missing", partial(wrong, "global max", 'F.col("m") >= 1', dropped))
    vanished = partial(wrong, "grouped count_if", 'F.col("m") < 1', without_groups)
    yield Fault("exhaustive", "a group vanishes", vanished)
    captured = partial(wrong, "grouped max → select swapped", 'F.col("k") == 1')
    rule = partial(mock.patch, REGISTRY, with_rule(Project, anything_passes))
    yield Fault("exhaustive", "a column is captured", captured, rule, clean=True)
    limit = partial(mock.patch.dict, dataframe._HANDLERS, {"limit": dataframe._sort})
    passed = partial(wrong, "grouped max → limit", 'F.col("k") == 1')
    yield Fault("exhaustive", "a filter passes a limit", passed, limit)
    yield Fault("exhaustive", "nothing is proved", partial(misses, "grouped max"))
