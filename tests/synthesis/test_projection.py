"""Strengthening by projection: cells that never change what ψ promises are dropped, and nothing else."""

from __future__ import annotations

import time

from headwater.proof.certificate import certify
from headwater.proof.checker import accepted, check
from headwater.semantics.interpreter import Env, holds
from headwater.synthesis.algorithm import Limits, solve
from headwater.synthesis.bisimulation import find_strongest_bisimulation
from headwater.synthesis.projection import strengthen
from headwater.synthesis.readable import tidy_invariant
from headwater.synthesis.session import Clock, Session, minimum
from headwater.synthesis.universe import Analysis, invariant_universe, prefilter_universe, residual_universe
from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.verdict import Proved, Solution
from tests.synthesis import problems as p

KIND, X, Y = (ir.Col(c) for c in ("kind", "x", "y"))
WEAK = ir.Or((p.sql(">", X, p.num(5)), p.sql(">", Y, p.num(5))))
EXPECTED = ir.Or((
    ir.And((p.sql("==", KIND, p.text("a")), p.sql(">", X, p.num(5)))),
    ir.And((p.sql("==", KIND, p.text("b")), p.sql(">", Y, p.num(5)))),
))  # fmt: skip


def strengthened(weak: Expr) -> tuple[Session, list[Expr], tuple[Expr, ...] | None]:
    problem = p.two_conditional_maxima()
    analysis = Analysis.of(problem)
    universe = tuple(dict.fromkeys((*prefilter_universe(analysis), weak)))
    psi = invariant_universe(analysis, minimum(problem))
    session = Session(problem, universe, residual_universe(analysis), Clock(time.process_time() + 60))
    initial = [a for a in psi if session.holds_initially(a)]
    found = find_strongest_bisimulation(session, initial, (weak,), session.lower)
    assert isinstance(found, list)
    core = tidy_invariant(session, (weak,), found, problem.predicate)
    assert core is not None
    return session, core, next(strengthen(session, (weak,), core), None)


def test_a_weak_prefilter_becomes_the_strongest_that_its_invariant_admits() -> None:
    session, psi, stronger = strengthened(WEAK)
    assert stronger is not None
    for kind in ("a", "b", "c", None):
        for x in (4, 6, None):
            for y in (4, 6, None):
                env = Env(row={"k": "k", "kind": kind, "x": x, "y": y})
                assert all(holds(g, env) for g in stronger) == holds(EXPECTED, env), (kind, x, y)
    problem = session.problem
    claim = Solution("partial", ir.conjoin(stronger), problem.predicate, tuple(psi))
    assert accepted(check(certify(problem, claim)))


def test_a_prefilter_that_is_already_strongest_stays() -> None:
    assert strengthened(EXPECTED)[2] is None


def test_the_search_finds_the_same() -> None:
    verdict = solve(p.two_conditional_maxima(), Limits(60))
    assert isinstance(verdict, Proved)
    assert (verdict.solution.kind, verdict.solution.pre_filter) == ("split", EXPECTED)
