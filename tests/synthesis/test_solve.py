"""Verdicts of the synthesis on the shapes that the papers and THEORY.md name; each solution passes Z3 and cvc5."""

from __future__ import annotations

import pytest

from headwater.proof.checker import accepted, check
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Kind, Proved, Refuted
from tests.synthesis import problems as p

X, SCORE, TS, EPOCH = (ir.Col(c) for c in ("x", "score", "ts", "epoch"))
NOT_NULL = lambda name: ir.Not(ir.IsNull(ir.Out(name)))  # noqa: E731
OVER_100 = p.sql(">", X, p.num(100))

SOLVED: dict[str, tuple[FoldProblem, Kind, Expr, Expr]] = {
    "001 Example 3.3: top two scores": (
        FoldProblem(p.top2(), p.BOTH_90), "split", p.sql(">=", SCORE, p.num(90)), NOT_NULL("second"),
    ),
    "max of integers": (FoldProblem(p.maximum(ty.INT64), p.m(">", 100)), "exact", OVER_100, ir.TRUE),
    "max of floats keeps NaN, which Spark orders last": (
        FoldProblem(p.maximum(ty.FLOAT), p.m(">", 100)), "exact", ir.Or((OVER_100, ir.IsNaN(X))), ir.TRUE,
    ),
    "max == c needs every larger row": (
        FoldProblem(p.maximum(ty.INT64), p.m("==", 100)), "partial", p.sql(">=", X, p.num(100)), p.m("==", 100),
    ),
    "min < c": (FoldProblem(p.minimum(ty.INT64), p.m("<", 5)), "exact", p.sql("<", X, p.num(5)), ir.TRUE),
    "a global max leaves a NULL row behind": (
        FoldProblem(p.maximum(ty.INT64, grouped=False), p.m(">", 100)), "split", OVER_100, NOT_NULL("m"),
    ),
    "count_if > c": (FoldProblem(p.count_if_error(), p.n(">", 5)), "partial", ir.Col("error"), p.n(">", 5)),
    "a global count_if < c": (
        FoldProblem(p.count_if_error(grouped=False), p.n("<", 5)), "partial", ir.Col("error"), p.n("<", 5),
    ),
    "a global count_if > c": (
        FoldProblem(p.count_if_error(grouped=False), p.n(">", 5)), "partial", ir.Col("error"), p.n(">", 5),
    ),
    "a sum of ones and zeros": (
        FoldProblem(p.summed_flags(), p.n(">", 5)), "partial", ir.Col("error"), p.n(">", 5),
    ),
    "a flag": (
        FoldProblem(p.any_flag(), ir.Compare("==", ir.Out("f"), ir.Lit(True, ty.BOOL), "sql")), "exact",
        ir.And((OVER_100, ir.Not(ir.IsNaN(X)))), ir.TRUE,
    ),
    "001 Appendix D, case A": (
        p.EVENTS, "split",
        ir.Or((
            p.sql("<=", TS, p.num(1990)), p.sql(">=", TS, p.num(1995)),
            p.sql("==", ir.Col("action"), p.text("time")), p.sql("==", ir.Col("action"), p.text("price")),
        )),
        ir.And((
            p.n_of("n_time", ">", 0), p.n_of("n_price", ">", 3),
            ir.Or((p.n_of("first", "<=", 1990), p.n_of("first", "==", 1980))), p.n_of("last", ">=", 1995),
        )),
    ),
    "001 Appendix D, case B": (
        p.OPEN_CLOSE, "partial", ir.Or((p.sql("<=", EPOCH, p.num(1000)), p.sql(">=", EPOCH, p.num(2000)))),
        p.OPEN_CLOSE.predicate,
    ),
}  # fmt: skip

REFUSED: dict[str, tuple[FoldProblem, str]] = {
    "unguarded top2: a NaN that comes first stays": (
        FoldProblem(p.top2(guarded=False), p.BOTH_90), "representative-choice",
    ),
    "grouped count_if < c: a group without errors passes": (
        FoldProblem(p.count_if_error(), p.n("<", 5)), "empty-input-row",
    ),
    "grouped count_if == 0": (FoldProblem(p.count_if_error(), p.n("==", 0)), "empty-input-row"),
    "000 Listing 1: sum > c": (
        FoldProblem(p.summing(ty.INT64), p.sql(">", ir.Out("s"), p.num(1000))), "no-prefilter",
    ),
    "sum of floats": (FoldProblem(p.summing(ty.FLOAT), p.sql(">", ir.Out("s"), p.num(1000))), "no-prefilter"),
    "a filter that can never pass": (
        FoldProblem(p.maximum(ty.INT64), ir.And((p.m(">", 5), p.m("<", 3)))), "no-prefilter",
    ),
    "max > c beside count(*)": (FoldProblem(p.max_beside_count(), p.m(">", 100)), "no-prefilter"),
    "max > c beside collect_list": (FoldProblem(p.collecting(), p.m(">", 100)), "opaque"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOLVED)
def test_solved(name: str) -> None:
    problem, kind, prefilter, residual = SOLVED[name]
    verdict = solve(problem, Limits(60))
    assert isinstance(verdict, Proved), verdict
    assert (verdict.solution.kind, verdict.solution.pre_filter, verdict.solution.residual) == (
        kind,
        prefilter,
        residual,
    )
    assert accepted(verdict.conditions)
    assert accepted(check(verdict.certificate, "cvc5"))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    problem, obstruction = REFUSED[name]
    verdict = solve(problem, Limits(60))
    assert isinstance(verdict, Refuted) or _drops_only_missing(verdict), verdict
    if isinstance(verdict, Refuted):
        assert verdict.obstruction == obstruction


def _drops_only_missing(verdict: object) -> bool:
    """A sum may still lose its NULL rows, which changes nothing that anybody sees."""
    from headwater.synthesis.normal_form import tests_missing

    return isinstance(verdict, Proved) and tests_missing(verdict.solution.pre_filter)


def test_the_same_problem_gives_the_same_certificate_whatever_came_before() -> None:
    problem = SOLVED["001 Example 3.3: top two scores"][0]
    first = solve(problem, Limits(60))
    solve(SOLVED["max == c needs every larger row"][0], Limits(60))
    second = solve(problem, Limits(60))
    assert isinstance(first, Proved)
    assert isinstance(second, Proved)
    assert first.certificate == second.certificate
