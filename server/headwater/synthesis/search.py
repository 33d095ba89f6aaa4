"""The worklist over candidate pre-filters, strongest first, and what is done with one that has a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Kind, Solution

from .bisimulation import Diagnosis, find_strongest_bisimulation
from .bounds import repair, weaken_via_bounds
from .concrete import Difference, Laboratory
from .modes import Mode
from .normal_form import drops_nan, without_nan_tests
from .projection import proposals, strengthen
from .readable import tidy_invariant, tidy_prefilter
from .residual import find_residual
from .row_queries import says_nothing, total_ones
from .session import Clock, OutOfTime, Session, minimum
from .universe import Analysis, invariant_universe, residual_universe

BOUNDS_PAY = 3
"""Bounds on ψ cost as much as a candidate or two; they pay where the search is a long one."""


@dataclass
class Statistics:
    """What a search did; for reports and tests. ``sizes``: of the three universes; ``alive``: atoms of ψ that concrete
    runs left for the solver."""

    candidates: int = 0
    concrete_repairs: int = 0
    projected: bool = False
    alive: int = 0
    sizes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A pre-filter with the strongest ψ of the universe and the weakest residual for them."""

    prefilter: tuple[Expr, ...]
    psi: list[Expr]
    residual: Expr


class Search:
    """``synthesize_optimal_pushdown``: THEORY.md section 3, step 1."""

    def __init__(
        self, problem: FoldProblem, analysis: Analysis, universe: tuple[Expr, ...], clock: Clock, mode: Mode,
        statistics: Statistics,
    ) -> None:  # fmt: skip
        self.problem, self.clock, self.mode, self.statistics = problem, clock, mode, statistics
        self.lab = Laboratory(problem)
        telling = tuple(
            g for g in total_ones(problem, universe) if not (self.lab.always(g) and says_nothing(problem, g))
        )
        self.universe = self.lab.distinct(telling) if mode.concrete else telling
        self.difference: Difference | None = None
        self._analysis = analysis
        self._lower = minimum(problem)
        self._session: Session | None = None
        self._initial: dict[Expr, bool] = {}
        self._failures = 0
        statistics.sizes = {"G": len(self.universe)}

    def run(self) -> Solution | None:
        """The first candidate with a proof, which is a strongest one unless time grew short."""
        if self.mode.concrete and self.lab.passes_nothing():
            never = self._attempt((ir.FALSE,), [])
            if never is not None:
                return self._polish(never)
        work: list[tuple[Expr, ...]] = [self.universe]
        seen: set[frozenset[Expr]] = set()
        refuted: set[object] = set()
        late = False
        while work:
            if not late and self.clock.is_late():
                late = True
                work += [(g,) for g in self.universe]
            work.sort(key=len, reverse=not late)
            candidate = work.pop(0)
            if not candidate or frozenset(candidate) in seen or self._kept(candidate) in refuted:
                continue
            seen.add(frozenset(candidate))
            self.statistics.candidates += 1
            self.clock.left_ms()
            difference = self._refuted(candidate)
            if difference is not None:
                self.difference = difference
                self.statistics.concrete_repairs += 1
                refuted.add(self._kept(candidate))
                work += self._keeping_a_dropped_row(candidate, difference)
                continue
            found = self._plainest(candidate, work)
            if found is not None:
                return self._polish(found)
        return None

    def _kept(self, candidate: tuple[Expr, ...]) -> object:
        """What concrete runs can tell of a candidate."""
        return self.lab.kept(candidate) if self.mode.concrete else None

    def _refuted(self, candidate: tuple[Expr, ...]) -> Difference | None:
        return self.lab.difference(candidate) if self.mode.concrete else None

    def _keeping_a_dropped_row(self, candidate: tuple[Expr, ...], d: Difference) -> list[tuple[Expr, ...]]:
        """The candidate must keep at least one of the rows that it drops in ``d``."""
        if not self.mode.repair:
            return self._weakenings(candidate)
        return [tuple(g for g in candidate if self.lab.keeps(g, row, d.lossy)) for row in d.rows]

    def _weakenings(self, candidate: tuple[Expr, ...]) -> list[tuple[Expr, ...]]:
        """One-step weakenings: dropping an atom takes with it those that imply it, or nothing would change."""
        if not self.mode.concrete:
            return [tuple(g for g in candidate if g is not dropped) for dropped in candidate]
        implied = self.lab.implies
        return [tuple(g for g in candidate if not implied(g, dropped)) for dropped in candidate]

    def _plainest(self, candidate: tuple[Expr, ...], work: list[tuple[Expr, ...]]) -> Found | None:
        """The candidate less the conditions that only drop NaN, if that is as good: such rows are rare, and the filter
        is what a person would have written."""
        plain = tuple(dict.fromkeys(without_nan_tests(g) for g in candidate if not drops_nan(g)))
        usable = plain and set(plain) != set(candidate)
        without = self._attempt(plain, []) if usable and self._refuted(plain) is None else None
        if without is not None and without.residual == ir.TRUE:
            return without
        found = self._attempt(candidate, work)
        if found is None and without is not None:
            work.append(plain)  # after those that may have a weaker residual
        return without if found and without and without.residual == found.residual else found

    def _attempt(self, candidate: tuple[Expr, ...], work: list[tuple[Expr, ...]]) -> Found | None:
        """ψ and the residual for a candidate; where there are none, ``work`` gains what may still be tried."""
        session = self._opened()
        psi = self._bisimulation(candidate)
        if isinstance(psi, Diagnosis):
            work += self._after_failure(candidate, psi)
            return None
        if self.mode.two_phase:
            again = None if find_residual(session, psi, ()) is None else self._bisimulation(candidate)
            residual = None if again is None or isinstance(again, Diagnosis) else self._residual(again)
        else:
            residual = self._residual(psi)
        if residual is None:
            work += self._weakenings(candidate)
            return None
        return Found(candidate, psi, residual)

    def _residual(self, psi: list[Expr]) -> Expr | None:
        return find_residual(self._opened(), psi, self._residuals)

    def _bisimulation(self, candidate: tuple[Expr, ...]) -> list[Expr] | Diagnosis:
        """The strongest ψ of the narrow universe, or else of the wide one, or why there is none."""
        session = self._opened()
        psi: list[Expr] | Diagnosis = Diagnosis("Init", frozenset())
        for wide in (False, True):
            alive = self._possible_atoms(self._wide_psi if wide else self._psi, candidate)
            self.statistics.alive = max(self.statistics.alive, len(alive))
            psi = find_strongest_bisimulation(session, alive, candidate, self._lower)
            if not isinstance(psi, Diagnosis):
                break
        return psi

    def _after_failure(self, candidate: tuple[Expr, ...], why: Diagnosis) -> list[tuple[Expr, ...]]:
        self._failures += 1
        if self.mode.bounds and self._failures >= BOUNDS_PAY:
            atoms = self.lab.agreeing(self._wide_psi, candidate) if self.mode.concrete else self._wide_psi
            upper = [a for a in atoms if self._holds_initially(a)]
            feasible = weaken_via_bounds(self._opened(), candidate, upper, self._lower)
            if feasible is None:
                return []
            if feasible.prefilter != candidate:
                return [feasible.prefilter]
        repaired = [repair(candidate, why)] if self.mode.repair else []
        return [*repaired, *self._weakenings(candidate)]

    def _possible_atoms(self, universe: tuple[Expr, ...], candidate: tuple[Expr, ...]) -> list[Expr]:
        """The atoms of ψ that hold at the start and that no concrete run falsifies. Always with ``ψ_min``."""
        atoms = self.lab.surviving(universe, candidate) if self.mode.concrete else list(universe)
        return [a for a in atoms if a == self._lower or self._holds_initially(a)]

    def _holds_initially(self, atom: Expr) -> bool:
        if atom not in self._initial:
            self._initial[atom] = self._opened().holds_initially(atom)
        return self._initial[atom]

    def _opened(self) -> Session:
        """The solver session, made when concrete runs leave something to ask."""
        if self._session is None:
            self._residuals = residual_universe(self._analysis)
            self._session = Session(self.problem, self.universe, self._residuals, self.clock)
            self.statistics.sizes["R"] = len(self._residuals)
        return self._session

    @cached_property
    def _psi(self) -> tuple[Expr, ...]:
        """The narrow universe of ψ."""
        return self._invariants(wide=False)

    @cached_property
    def _wide_psi(self) -> tuple[Expr, ...]:
        """The wide one, for what the narrow one cannot prove."""
        return self._invariants(wide=True)

    def _invariants(self, wide: bool) -> tuple[Expr, ...]:
        found = invariant_universe(self._analysis, self._lower, wide)
        self.statistics.sizes["psi"] = len(found)
        return found

    def _polish(self, found: Found) -> Solution:
        """The answer in few words, strengthened by projection; as it is where time runs out meanwhile."""
        try:
            return self._polished(found)
        except OutOfTime:
            return self._solution(found)

    def _polished(self, found: Found) -> Solution:
        session = self._opened()
        prefilter = tidy_prefilter(session, found.prefilter)
        core = tidy_invariant(session, prefilter, found.psi, found.residual)
        if core is None:
            return self._solution(found)
        for stronger in self._stronger(prefilter, core) if self.mode.projection else ():
            better = self._again(Found(stronger, core, found.residual))
            if better is not None:
                self.statistics.projected = True
                return self._solution(better)
        return self._solution(Found(prefilter, core, found.residual))

    def _stronger(self, prefilter: tuple[Expr, ...], core: list[Expr]) -> Iterator[tuple[Expr, ...]]:
        """Strengthenings to try; none where every cell of rows that is kept is needed by some concrete run."""
        session = self._opened()
        if not self.mode.concrete:
            yield from strengthen(session, prefilter, core)
            return
        proposed = False
        for stronger in proposals(self.lab, session, prefilter):
            proposed = True
            if self._refuted(stronger) is None:
                yield stronger
        if proposed:
            yield from strengthen(session, prefilter, core)

    def _again(self, found: Found) -> Found | None:
        """A strengthened pre-filter with a ψ and a residual of its own: ψ may say more of fewer rows, and then R may
        say less. None if it has no proof."""
        session, prefilter = self._opened(), found.prefilter
        psi = self._bisimulation(prefilter)
        residual = None if isinstance(psi, Diagnosis) else self._residual(psi)
        if not isinstance(psi, Diagnosis) and residual is not None:
            core = tidy_invariant(session, prefilter, psi, residual)
            if core is not None:
                return Found(prefilter, core, residual)
        core = tidy_invariant(session, prefilter, found.psi, found.residual)
        return None if core is None else Found(prefilter, core, found.residual)

    def _solution(self, found: Found) -> Solution:
        residual = found.residual
        kind: Kind = "exact" if residual == ir.TRUE else "partial" if residual == self.problem.predicate else "split"
        return Solution(kind, ir.conjoin(found.prefilter), residual, tuple(found.psi))
