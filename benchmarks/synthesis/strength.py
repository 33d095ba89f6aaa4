"""Whether an answer is at the expected strength or stronger.

Pre-filters are compared by Z3 on every row that the fold's facts admit, residuals on every output that the found
invariant admits for the optimized run, in the encoding of the verification conditions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import z3
from typing_extensions import assert_never

from headwater.engine.analysis.reporting_policy import why_quiet
from headwater.operators.move import Stopped
from headwater.proof.conditions import invariant
from headwater.proof.vocabulary import Vocabulary
from headwater.semantics.symbolic import Scope
from headwater.semantics.values import UnsupportedTerm, fresh_context, is_true, land, lnot, lor
from headwater_ir.expr import FALSE, Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Bounded, Proved, Refuted, Solution, Unknown, Unsupported, Verdict

from .annotations import Kind
from .suite import Problem

Found = Literal["exact", "split", "partial", "none", "never", "unknown"]
_RANK: dict[str, int] = {"none": 0, "partial": 1, "split": 2, "exact": 3}
TIMEOUT_MS = 20_000


@dataclass(frozen=True)
class Answer:
    """A verdict in the words of the suite. ``quiet``: proved, but so weak that a user is not told (a NULL test, or
    what Spark moves itself); ``obstruction`` and ``reason`` for what is not proved."""

    kind: Found
    obstruction: str | None = None
    reason: str = ""
    quiet: bool = False
    solution: Solution | None = None


@dataclass(frozen=True)
class Comparison:
    """``complaints`` is empty where the expectation is met; ``stronger``: the found G is strictly stronger;
    ``but_for_nan``: it is met but for rows that hold a NaN, which the found G keeps. The search prefers such a G
    where it is as good otherwise: those rows are rare, and the filter is what a person would have written."""

    complaints: tuple[str, ...]
    stronger: bool = False
    but_for_nan: bool = False


def answer(problem: Problem, verdict: Verdict | Stopped) -> Answer:
    """``verdict`` in the words of the suite."""
    match verdict:
        case Proved() if is_never(verdict):
            return Answer("never", solution=verdict.solution)
        case Proved():
            quiet = _why_quiet(problem, verdict.solution)
            return Answer(verdict.solution.kind, None, quiet or "", quiet is not None, verdict.solution)
        case Refuted() | Unsupported() | Stopped():
            return Answer("none", verdict.obstruction, verdict.reason)
        case Unknown(reason):
            return Answer("unknown", "time-out", reason)
        case Bounded():
            return Answer("unknown", None, "only bounded")
        case _:
            assert_never(verdict)


def is_never(verdict: Proved) -> bool:
    """Whether the proved pre-filter drops every row, so that nothing passes the filter."""
    return verdict.solution.pre_filter == FALSE


def _why_quiet(problem: Problem, solution: Solution) -> str | None:
    if isinstance(problem.moved, Stopped):
        return None
    quiet = why_quiet(problem.moved.boundary, problem.moved.problem, solution)
    return quiet.reason if quiet else None


def compare(problem: Problem, found: Answer) -> Comparison:
    """What the answer lacks, in words."""
    expected = problem.expected
    if expected.kind == "never":
        return Comparison(() if found.kind == "never" else (f"expected `never`, found {_said(found)}",))
    if expected.kind == "none":
        return Comparison(_against_none(problem, found))
    if found.kind not in _RANK or found.solution is None or problem.problem is None:
        return Comparison((f"expected `{expected.kind}`, found {_said(found)}",))
    return _against_solution(problem, problem.problem, expected.kind, found.solution)


def _against_none(problem: Problem, found: Answer) -> tuple[str, ...]:
    allowed = problem.expected.obstructions
    if found.quiet and "no-prefilter" in allowed:
        return ()
    if found.kind != "none":
        return (f"expected `none`, found {_said(found)}",)
    if found.obstruction not in allowed:
        return (f"expected `none {' '.join(allowed)}`, found {_said(found)}",)
    return ()


def _against_solution(problem: Problem, fold_problem: FoldProblem, kind: Kind, solution: Solution) -> Comparison:
    complaints = []
    if _RANK[solution.kind] < _RANK[kind]:
        complaints.append(f"expected `{kind}`, found `{solution.kind}`")
    stronger = nan_only = False
    if problem.prefilter is not None:
        if not implies_on_rows(fold_problem, solution.pre_filter, problem.prefilter):
            nan_only = implies_on_rows(fold_problem, solution.pre_filter, problem.prefilter, without_nan=True)
            complaints += [] if nan_only else ["G is weaker than expected"]
        stronger = not implies_on_rows(fold_problem, problem.prefilter, solution.pre_filter)
    # A stronger G may need a stronger R: G comes first.
    if problem.residual is not None and not stronger and solution.residual != problem.residual:
        if not implies_on_outputs(fold_problem, solution, problem.residual, solution.residual):
            complaints.append("R is stronger than expected")
    return Comparison(tuple(complaints), stronger, nan_only and not complaints)


def implies_on_rows(problem: FoldProblem, stronger: Expr, weaker: Expr, without_nan: bool = False) -> bool:
    """Whether every row that ``stronger`` keeps is kept by ``weaker``; ``without_nan``: of the rows that hold none.
    What cannot be decided counts as no."""
    fresh_context()
    v = Vocabulary(problem, [stronger, weaker])
    row = v.row()
    scope = Scope(row=row, params=v.params)
    try:
        claim = [v.encoder.holds(stronger, scope), lnot(v.encoder.holds(weaker, scope))]
        whole = [lor(value.null, lnot(value.nan)) for value in row.values()] if without_nan else []
        return _unsatisfiable(v, [*v.facts(row), *whole, *claim])
    except (UnsupportedTerm, KeyError):
        return stronger == weaker


def implies_on_outputs(problem: FoldProblem, solution: Solution, stronger: Expr, weaker: Expr) -> bool:
    """Whether ``weaker`` accepts every output of the run with the pre-filter that ``stronger`` accepts."""
    fresh_context()
    try:
        v = Vocabulary(problem, [stronger, weaker, *solution.invariant])
        if problem.fold.rows == "one":
            return _implies_on_row_outputs(v, solution, stronger, weaker)
        a1, wf1 = v.state("a1")
        a2, wf2 = v.state("a2")
        accepted, ok = v.passes(a2, stronger)
        also, _ = v.passes(a2, weaker)
        related = invariant(v, solution.invariant, a1, a2)
        return _unsatisfiable(v, [*wf1, *wf2, related, ok, accepted, lnot(also)])
    except (UnsupportedTerm, KeyError):
        return stronger == weaker


def _implies_on_row_outputs(v: Vocabulary, solution: Solution, stronger: Expr, weaker: Expr) -> bool:
    row = v.row()
    outs = {o.name: v.encoder.eval(o.value, v.scope(row, tag=1)) for o in v.fold.outputs}
    scope = Scope(row=row, outs=outs, params=v.params)
    kept = v.encoder.holds(solution.pre_filter, Scope(row=row, params=v.params))
    value, ok = v.encoder.eval(weaker, scope)
    claim = [kept, v.encoder.holds(stronger, scope), lnot(land(ok, is_true(value)))]
    return _unsatisfiable(v, [*v.facts(row), *claim])


def _unsatisfiable(v: Vocabulary, claim: list[z3.BoolRef]) -> bool:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.set("random_seed", 0)
    solver.add(*v.encoder.axioms, *claim)
    return bool(solver.check() == z3.unsat)


def _said(found: Answer) -> str:
    words = [f"`{found.kind}`", found.obstruction or "", f"({found.reason})" if found.reason else ""]
    return " ".join(w for w in words if w)
