"""Questions about a condition on one row, whatever the fold."""

from __future__ import annotations

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import Vocabulary
from ..semantics.symbolic import Scope
from ..semantics.values import T, UnsupportedTerm, Value, lnot

TIMEOUT_MS = 500


def total_ones(problem: FoldProblem, conditions: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Those of ``conditions`` that raise nothing on any row."""
    v = Vocabulary(problem, conditions)
    row = v.row()
    facts = v.facts(row)
    return tuple(g for g in conditions if _is_total(v, g, row, facts))


def _is_total(v: Vocabulary, g: Expr, row: dict[str, Value], facts: list[z3.BoolRef]) -> bool:
    try:
        total = v.total((g,), row)
    except (UnsupportedTerm, KeyError):
        return False
    if total is T:
        return True
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*v.encoder.axioms, *facts, z3.Not(total))
    return bool(solver.check() == z3.unsat)


def says_nothing(problem: FoldProblem, g: Expr) -> bool:
    """Whether the fold's facts imply ``g``."""
    v = Vocabulary(problem, [g])
    row = v.row()
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    kept = v.encoder.holds(g, Scope(row=row, params=v.params))
    solver.add(*v.encoder.axioms, *v.facts(row), lnot(kept))
    return bool(solver.check() == z3.unsat)


def drops_only_missing(problem: FoldProblem, g: Expr) -> bool:
    """Whether ``g`` keeps every row on which no column that it reads is NULL or NaN."""
    v = Vocabulary(problem, [g])
    row = v.row()
    read = [row[c] for c in ir.columns_of(g)]
    there = [lnot(flag) for value in read for flag in (value.null, value.nan)]
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    kept = v.encoder.holds(g, Scope(row=row, params=v.params))
    solver.add(*v.encoder.axioms, *v.facts(row), *there, lnot(kept))
    return bool(solver.check() == z3.unsat)


def is_empty(problem: FoldProblem, g: Expr) -> bool:
    """Whether no row satisfies ``g``: then the filter after the boundary can never pass, which is another finding."""
    v = Vocabulary(problem, [g])
    row = v.row()
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*v.encoder.axioms, *v.facts(row), v.encoder.holds(g, Scope(row=row, params=v.params)))
    return bool(solver.check() == z3.unsat)
