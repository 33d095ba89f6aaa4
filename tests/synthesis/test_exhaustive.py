"""THEORY.md section 3: ``G`` is the strongest and ``R`` the weakest of their universes, checked by trying all."""

from __future__ import annotations

import pytest

from headwater.synthesis.algorithm import Limits, solve
from headwater_ir import expr as ir
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved
from tests.synthesis.exhaustive import Exhaustion
from tests.synthesis.test_solve import REFUSED, SOLVED

MAX_PREFILTERS, MAX_RESIDUALS = 8, 8
PROBLEMS = {name: entry[0] for name, entry in SOLVED.items()} | {name: entry[0] for name, entry in REFUSED.items()}


@pytest.mark.parametrize("name", PROBLEMS)
def test_nothing_in_the_universes_is_better(name: str) -> None:
    better(PROBLEMS[name])


def better(problem: FoldProblem) -> None:
    verdict = solve(problem, Limits(60))
    everything = Exhaustion(problem)
    if len(everything.prefilters) > MAX_PREFILTERS or len(everything.residuals) > MAX_RESIDUALS:
        pytest.skip("too many conjunctions to try")
    if isinstance(verdict, Proved):
        assert verdict.solution.pre_filter == ir.FALSE or not list(everything.stronger_prefilters(verdict.solution))
        assert not list(everything.weaker_residuals(verdict.solution))
    else:
        assert not list(everything.valid_prefilters())
