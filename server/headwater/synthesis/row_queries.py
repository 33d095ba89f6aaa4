"""Questions about a condition on one row, whatever the fold."""

from __future__ import annotations

import z3

from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import Vocabulary
from ..semantics.symbolic import Scope
from ..semantics.values import UnsupportedTerm

TIMEOUT_MS = 500


def is_total(problem: FoldProblem, g: Expr) -> bool:
    """Whether ``g`` raises nothing on any row."""
    v = Vocabulary(problem, [g])
    row = v.row()
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    try:
        solver.add(*v.encoder.axioms, *v.facts(row), z3.Not(v.total((g,), row)))
    except (UnsupportedTerm, KeyError):
        return False
    return bool(solver.check() == z3.unsat)


def is_empty(problem: FoldProblem, g: Expr) -> bool:
    """Whether no row satisfies ``g``: then the filter after the boundary can never pass, which is another finding."""
    v = Vocabulary(problem, [g])
    row = v.row()
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*v.encoder.axioms, *v.facts(row), v.encoder.holds(g, Scope(row=row, params=v.params)))
    return bool(solver.check() == z3.unsat)
