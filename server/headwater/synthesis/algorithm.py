"""``synthesize_optimal_pushdown``: THEORY.md section 3, the names as in 001."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import (
    Certificate,
    Condition,
    Kind,
    Proved,
    Refuted,
    Solution,
    Unknown,
    Unsupported,
    Verdict,
)  # fmt: skip

from ..proof.certificate import certify
from ..proof.checker import MalformedCertificate, accepted, check
from ..semantics.values import UnsupportedTerm, fresh_context
from . import rowwise
from .bisimulation import Diagnosis, find_strongest_bisimulation
from .bounds import repair, weaken_via_bounds
from .concrete import Difference, Laboratory
from .normal_form import drops_missing, stripped
from .obstruction import explain
from .projection import strengthen
from .readable import tidy_invariant, tidy_prefilter
from .residual import find_residual
from .row_queries import is_empty, is_total
from .session import Clock, OutOfTime, Session, minimum
from .universe import Analysis, invariant_universe, prefilter_universe, residual_universe

CHECK_SECONDS = 10.0
"""For each condition of a found answer, whatever the search has left: to lose it now would waste all the rest."""


@dataclass(frozen=True)
class Limits:
    """``seconds`` of processor time for one problem: a busy machine must not change the answer."""

    seconds: float = 10.0


@dataclass
class Statistics:
    """What a search did; for reports and tests."""

    candidates: int = 0
    concrete_repairs: int = 0
    projected: bool = False
    sizes: dict[str, int] = field(default_factory=dict)


def solve(problem: FoldProblem, limits: Limits = Limits(), statistics: Statistics | None = None) -> Verdict:
    """The strongest pre-filter and weakest residual, proved by the checker; otherwise why not."""
    fresh_context()
    clock = Clock(time.process_time() + limits.seconds)
    statistics = statistics or Statistics()
    try:
        if problem.fold.rows == "one":
            return _finish(problem, rowwise.synthesize(problem, clock))
        return _solve_fold(problem, clock, statistics)
    except OutOfTime as reason:
        return Unknown(str(reason))
    except UnsupportedTerm as reason:
        return Unsupported("opaque", str(reason))
    except RecursionError:
        return Unknown("the expressions are nested too deeply")


def _solve_fold(problem: FoldProblem, clock: Clock, statistics: Statistics) -> Verdict:
    analysis = Analysis.of(problem)
    g_universe = prefilter_universe(analysis)
    if not g_universe:
        return explain(problem, None)
    lab = Laboratory(problem)
    search = _Search(problem, analysis, lab, g_universe, clock, statistics)
    solution = search.run()
    if solution is None:
        return explain(problem, search.difference)
    return _finish(problem, solution)


class _Search:
    """The worklist over candidate pre-filters, strongest first."""

    def __init__(
        self, problem: FoldProblem, analysis: Analysis, lab: Laboratory, universe: tuple[Expr, ...], clock: Clock,
        statistics: Statistics,
    ) -> None:  # fmt: skip
        self.problem, self.lab, self.clock, self.statistics = problem, lab, clock, statistics
        self.lower = minimum(problem)
        self.residuals = residual_universe(analysis)
        self.universe = tuple(g for g in universe if is_total(problem, g))
        self.psi = invariant_universe(analysis, self.lower)
        statistics.sizes = {"G": len(self.universe), "R": len(self.residuals), "psi": len(self.psi)}
        self.difference: Difference | None = None
        self._session: Session | None = None

    def session(self) -> Session:
        """The solver session, built when concrete runs leave something to ask."""
        if self._session is None:
            self._session = Session(self.problem, self.universe, self.residuals, self.psi, self.clock)
            self._upper = self._session.initial_atoms(self.psi)
        return self._session

    def run(self) -> Solution | None:
        """The first certified candidate, which is a strongest one."""
        work: list[tuple[Expr, ...]] = [self.universe]
        seen: set[frozenset[Expr]] = set()
        while work:
            work.sort(key=len, reverse=True)
            candidate = work.pop(0)
            if not candidate or frozenset(candidate) in seen:
                continue
            seen.add(frozenset(candidate))
            self.statistics.candidates += 1
            self.clock.left_ms()
            difference = self.lab.difference(candidate)
            if difference is not None:
                self.difference = difference
                self.statistics.concrete_repairs += 1
                work += self._keeping_a_dropped_row(candidate, difference)
                continue
            found = self._certify(candidate, work)
            if found is not None:
                return found
        return None

    def _keeping_a_dropped_row(self, candidate: tuple[Expr, ...], d: Difference) -> list[tuple[Expr, ...]]:
        """The candidate must keep at least one of the rows that it drops in ``d``."""
        rows = [d.group.rows[i] for i in d.dropped]
        holds = self.lab.holds_on_row
        return [tuple(g for g in candidate if holds(g, r, d.group.params, d.lossy)) for r in rows]

    def _weakenings(self, candidate: tuple[Expr, ...]) -> list[tuple[Expr, ...]]:
        """One-step weakenings: dropping an atom takes with it those that imply it, or nothing would change."""
        implied = self.lab.implies
        return [tuple(g for g in candidate if not implied(g, dropped)) for dropped in candidate]

    def _certify(self, candidate: tuple[Expr, ...], work: list[tuple[Expr, ...]]) -> Solution | None:
        session = self.session()
        reachable = self.lab.surviving(self._upper, candidate)
        if self.lower not in reachable:
            work += self._weakenings(candidate)
            return None
        feasible = weaken_via_bounds(session, candidate, self._upper, self.lower)
        if feasible is None:
            return None
        if feasible.prefilter != candidate:
            work.append(feasible.prefilter)
            return None
        alive = set(reachable)
        upper = [a for a in feasible.upper if a in alive]
        psi = find_strongest_bisimulation(session, upper, candidate, self.lower)
        if isinstance(psi, Diagnosis):
            work += [repair(candidate, psi), *self._weakenings(candidate)]
            return None
        residual = find_residual(session, psi, self.residuals)
        if residual is None:
            work += self._weakenings(candidate)
            return None
        try:
            plain = self._without_missing_tests(candidate, work)
        except OutOfTime:
            plain = None
        if plain is not None and plain.residual == residual:
            return plain
        return self._polish(session, candidate, psi, residual)

    def _without_missing_tests(self, candidate: tuple[Expr, ...], work: list[tuple[Expr, ...]]) -> Solution | None:
        """The same filter less the conditions that only drop NULL and NaN, if it is certified too: such rows cost the
        boundary next to nothing, and the filter is what a person would have written."""
        plain = tuple(dict.fromkeys(stripped(g) for g in candidate if not drops_missing(g)))
        usable = plain and set(plain) != set(candidate) and set(plain) <= set(self.universe)
        return self._certify(plain, work) if usable else None

    def _polish(self, session: Session, candidate: tuple[Expr, ...], psi: list[Expr], residual: Expr) -> Solution:
        """The certified answer in few words, strengthened by projection; as it is where time runs out meanwhile."""
        try:
            return self._polished(session, candidate, psi, residual)
        except OutOfTime:
            return _solution(self.problem, candidate, residual, tuple(psi))

    def _polished(self, session: Session, candidate: tuple[Expr, ...], psi: list[Expr], residual: Expr) -> Solution:
        prefilter = tidy_prefilter(session, candidate)
        core = tidy_invariant(session, prefilter, psi, residual)
        stronger = strengthen(session, prefilter, core)
        if stronger is not None:
            self.statistics.projected = True
            prefilter = stronger
            psi, residual = self._again(session, stronger, core, residual)
            core = tidy_invariant(session, prefilter, psi, residual)
        return _solution(self.problem, prefilter, residual, tuple(core))

    def _again(
        self, session: Session, prefilter: tuple[Expr, ...], psi: list[Expr], residual: Expr
    ) -> tuple[list[Expr], Expr]:
        """ψ and R for a strengthened pre-filter: ψ may say more of fewer rows, and then R may say less."""
        session.keeps.update({g: session.v.keeps((g,), session.row) for g in prefilter})
        better = find_strongest_bisimulation(session, self._upper, prefilter, self.lower)
        if isinstance(better, Diagnosis):
            return psi, residual
        return better, find_residual(session, better, self.residuals) or residual


def _solution(problem: FoldProblem, prefilter: tuple[Expr, ...], residual: Expr, psi: tuple[Expr, ...]) -> Solution:
    kind: Kind = "exact" if residual == ir.TRUE else "partial" if residual == problem.predicate else "split"
    return Solution(kind, ir.conjoin(prefilter), residual, psi)


def _finish(problem: FoldProblem, solution: Solution | None) -> Verdict:
    """Only what the checker accepts is proved."""
    if solution is None:
        return explain(problem, None)
    if is_empty(problem, solution.pre_filter):
        return Refuted("no-prefilter", "no row can matter: the filter can never pass")
    try:
        certificate: Certificate = certify(problem, solution)
        conditions: tuple[Condition, ...] = check(certificate, "z3", CHECK_SECONDS)
    except MalformedCertificate as reason:
        return Unknown(f"the checker refused the certificate: {reason}")
    if not accepted(conditions):
        failed = ", ".join(c.name for c in conditions if c.status != "proved")
        return Unknown(f"the checker did not accept {failed}")
    return Proved(certificate, conditions)
