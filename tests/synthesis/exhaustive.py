"""Optimality by exhaustion: every stronger pre-filter of the universe, and every weaker residual, is tried and refused,
by a group of rows on which it changes the result or because no ψ of the universe proves it.

What the search may leave out on purpose (search.py) does not count: conditions that only drop rows with NaN.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations

from headwater.semantics.values import fresh_context
from headwater.synthesis.algorithm import Limits, solve
from headwater.synthesis.bisimulation import Diagnosis, find_strongest_bisimulation
from headwater.synthesis.concrete import Laboratory
from headwater.synthesis.normal_form import drops_nan
from headwater.synthesis.residual import Final, find_residual
from headwater.synthesis.row_queries import says_nothing, total_ones
from headwater.synthesis.session import Clock, Session, minimum
from headwater.synthesis.universe import Analysis, invariant_universe, prefilter_universe, residual_universe
from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved, Solution

SECONDS = 60.0


class Exhaustion:
    """All conjunctions over the universes of one problem."""

    def __init__(self, problem: FoldProblem) -> None:
        fresh_context()
        analysis = Analysis.of(problem)
        self.problem = problem
        total = total_ones(problem, prefilter_universe(analysis))
        self.prefilters = tuple(g for g in total if not says_nothing(problem, g))
        self.residuals = residual_universe(analysis)
        self._lab = Laboratory(problem)
        psi = invariant_universe(analysis, minimum(problem))
        clock = Clock(time.process_time() + SECONDS)
        self._session = Session(problem, self.prefilters, self.residuals, clock)
        self._psi = [a for a in psi if self._session.holds_initially(a)]

    def stronger_prefilters(self, solution: Solution) -> Iterator[tuple[Expr, ...]]:
        """Conjunctions that are strictly stronger than the solution's ``G``, rows without NaN considered, and that have
        a ψ and a residual. There should be none."""
        implies = self._session.row_implies
        full_rows = [t for g in (*self.prefilters, solution.pre_filter) for t in _present(g)]
        for candidate in _conjunctions(self.prefilters):
            if not implies(candidate, solution.pre_filter):
                continue
            if implies([solution.pre_filter, *full_rows], ir.conjoin(candidate)):
                continue
            if self._psi_for(candidate) is not None:
                yield candidate

    def valid_prefilters(self) -> Iterator[tuple[Expr, ...]]:
        """Conjunctions that drop more than rows with NaN and have a ψ and a residual."""
        for candidate in _conjunctions(self.prefilters):
            if not all(map(drops_nan, candidate)) and self._psi_for(candidate) is not None:
                yield candidate

    def weaker_residuals(self, solution: Solution) -> Iterator[tuple[Expr, ...]]:
        """Conjunctions of ``U_R`` that Final accepts under the strongest ψ of the solution's ``G`` and that are
        strictly weaker than its residual on the outputs that ψ admits. There should be none."""
        psi = self._psi_for(ir.conjuncts(solution.pre_filter))
        assert psi is not None, "the search's own answer must be found again"
        final = Final(self._session, psi)
        for candidate in _conjunctions(self.residuals, with_nothing=True):
            said = ir.conjoin(candidate)
            weaker = final.implies(solution.residual, said) and not final.implies(said, solution.residual)
            if weaker and final.model(said) is None:
                yield candidate

    def _psi_for(self, candidate: tuple[Expr, ...]) -> list[Expr] | None:
        if self._lab.difference(candidate) is not None:
            return None
        found = find_strongest_bisimulation(self._session, self._psi, candidate, self._session.lower)
        if isinstance(found, Diagnosis) or find_residual(self._session, found, ()) is None:
            return None
        return found


def assert_nothing_is_better(problem: FoldProblem, name: str) -> None:
    """AssertionError if the search's answer is not the best that the universes hold."""
    verdict = solve(problem, Limits(SECONDS))
    everything = Exhaustion(problem)
    if isinstance(verdict, Proved):
        solution = verdict.solution
        better = [] if solution.pre_filter == ir.FALSE else list(everything.stronger_prefilters(solution))
        assert not better, f"{name}: stronger than {solution.pre_filter}: {better}"
        weaker = list(everything.weaker_residuals(solution))
        assert not weaker, f"{name}: weaker than {solution.residual}: {weaker}"
    else:
        valid = list(everything.valid_prefilters())
        assert not valid, f"{name}: refused, but valid: {valid}"


def _conjunctions(atoms: tuple[Expr, ...], with_nothing: bool = False) -> Iterator[tuple[Expr, ...]]:
    for size in range(0 if with_nothing else 1, len(atoms) + 1):
        yield from combinations(atoms, size)


def _present(g: Expr) -> Iterator[Expr]:
    """That no column of ``g`` is NaN."""
    for name in sorted(ir.columns_of(g)):
        yield ir.Not(ir.IsNaN(ir.Col(name)))
