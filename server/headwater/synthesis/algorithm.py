"""``solve``: from a fold problem to a verdict that the checker stands behind."""

from __future__ import annotations

from dataclasses import dataclass, replace

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import (
    Certificate,
    Condition,
    Proved,
    Solution,
    Unknown,
    Unsupported,
    Verdict,
)

from ..cost.conditions import cheap_first
from ..proof.certificate import certify
from ..proof.checker import MalformedCertificate, accepted, decide
from ..semantics.values import UnsupportedTerm, fresh_context
from .modes import FULL, Mode
from .obstruction import explain
from .readable import with_lists
from .row_functions import rowwise
from .row_queries import is_empty
from .search import Search, Statistics
from .session import Clock, OutOfTime
from .universe import Analysis, prefilter_universe

CHECK_SECONDS = 10.0
"""For each condition of a found answer, whatever the search has left: to lose it now would waste all the rest."""


@dataclass(frozen=True)
class Limits:
    """``seconds`` of processor time for one problem: a busy machine must not change the answer."""

    seconds: float = 10.0


def solve(
    problem: FoldProblem, limits: Limits = Limits(), statistics: Statistics | None = None, mode: Mode = FULL
) -> Verdict:
    """The strongest pre-filter and weakest residual, proved by the checker; otherwise why not."""
    fresh_context()
    clock = Clock.of(limits.seconds)
    statistics = statistics or Statistics()
    try:
        if problem.fold.rows == "one":
            return _finish(problem, rowwise.synthesize(problem, clock))
        return _solve_fold(problem, clock, statistics, mode)
    except OutOfTime as reason:
        return Unknown(str(reason))
    except UnsupportedTerm as reason:
        return Unsupported("opaque", str(reason))
    except RecursionError:
        return Unknown("the expressions are nested too deeply")


def _solve_fold(problem: FoldProblem, clock: Clock, statistics: Statistics, mode: Mode) -> Verdict:
    analysis = Analysis.of(problem)
    search = Search(problem, analysis, prefilter_universe(analysis), clock, mode, statistics)
    solution = search.run()
    return explain(problem, search.difference) if solution is None else _finish(problem, solution)


def _written(problem: FoldProblem, prefilter: Expr) -> Expr:
    """``prefilter`` with lists of constants, and what is cheap first; what the filter says itself is said in its words.
    Of a pre-filter that is proved (*Safe*) no part raises on any row, so that it is the same in any order."""
    types = {c.name: c.type for c in problem.fold.columns}
    own = ir.transform(problem.predicate, lambda n: ir.Col(n.name) if isinstance(n, ir.Out) else None)
    if prefilter == own:
        return prefilter
    parts = [c if c in ir.conjuncts(own) else cheap_first(with_lists(c, types)) for c in ir.conjuncts(prefilter)]
    return cheap_first(ir.conjoin(parts))


def _finish(problem: FoldProblem, solution: Solution | None) -> Verdict:
    """Only what the checker accepts is proved."""
    if solution is None:
        return explain(problem, None)
    if solution.pre_filter != ir.FALSE and is_empty(problem, solution.pre_filter):
        solution = replace(solution, pre_filter=ir.FALSE)
    solution = replace(solution, pre_filter=_written(problem, solution.pre_filter))
    try:
        certificate: Certificate = certify(problem, solution)
        conditions: tuple[Condition, ...] = decide(certificate, "z3", CHECK_SECONDS)
    except MalformedCertificate as reason:
        return Unknown(f"the checker refused the certificate: {reason}")
    if not accepted(conditions):
        failed = ", ".join(c.name for c in conditions if c.status != "proved")
        return Unknown(f"the checker did not accept {failed}")
    return Proved(certificate, conditions)
