"""Bugs to plant into the tool: whoever judges rewrites must see them.

Some make a wrong solution of a right proof; the interpreter sees those as well. Others misread the program before the
proof, as a wrong front end would; of those only running the program tells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from headwater.engine.analysis.conditional import Fact, with_facts
from headwater.engine.analysis.solver import Solver
from headwater_ir.expr import TRUE, Compare, CompareOp, Expr, transform
from headwater_ir.problem import Fold, FoldProblem
from headwater_ir.types import may_hold_nan
from headwater_ir.verdict import Proved, Solution, Verdict

from .tool import solve

_STRICTER: dict[CompareOp, CompareOp] = {">=": ">", "<=": "<", ">": ">=", "<": "<="}


def bounds_moved(e: Expr) -> Expr:
    """Each bound includes what it excluded, and the other way round."""
    return transform(e, lambda n: replace(n, op=_STRICTER.get(n.op, n.op)) if isinstance(n, Compare) else None)


def _answering(change: Callable[[Solution], Solution]) -> Solver:
    """A solver whose solutions are changed after their proof."""

    def run(problem: FoldProblem, seconds: float) -> Verdict:
        verdict = solve(problem, seconds)
        if not isinstance(verdict, Proved):
            return verdict
        certificate = verdict.certificate
        return replace(verdict, certificate=replace(certificate, solution=change(certificate.solution)))

    return run


def _reading(change: Callable[[Fold], Fold]) -> Solver:
    """A solver that is asked about another fold than the program's."""
    return lambda problem, seconds: solve(replace(problem, fold=change(problem.fold)), seconds)


def _never_missing(problem: FoldProblem, seconds: float) -> Verdict:
    columns = [c for c in problem.fold.columns if not c.ghost]
    facts = [Fact(c.name, nan) for c in columns for nan in (False, True) if not nan or may_hold_nan(c.type)]
    return solve(with_facts(problem, tuple(facts)), seconds)


PLANTED: dict[str, Solver] = {
    "the bounds of the pre-filter are moved": _answering(lambda s: replace(s, pre_filter=bounds_moved(s.pre_filter))),
    "the filter after the boundary is dropped": _answering(lambda s: replace(s, kind="exact", residual=TRUE)),
    "the bounds in the loop are misread": _reading(lambda f: replace(f, step=tuple(map(bounds_moved, f.step)))),
    "no value is ever missing": _never_missing,
    "an absent group still has a row": _reading(lambda f: replace(f, grouped=f.rows == "one")),
}
