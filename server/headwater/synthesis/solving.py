"""Z3's solver without the coercions of its Python binding, which cost more than an easy query does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

MEGABYTES = 1024
"""What one solver may take; beyond that it does not know."""


def fresh_solver() -> z3.Solver:
    """A plain incremental solver, seeded for reproducible answers."""
    solver = z3.SimpleSolver()
    solver.set("random_seed", 0)
    solver.set("max_memory", MEGABYTES)
    return solver


def assume(solver: z3.Solver, terms: Iterable[z3.BoolRef]) -> None:
    """Add ``terms``."""
    context, handle = solver.ctx.ref(), solver.solver
    for term in terms:
        z3.Z3_solver_assert(context, handle, term.as_ast())


def check(solver: z3.Solver, assumptions: Sequence[z3.BoolRef]) -> bool | None:
    """Whether there is a model under ``assumptions``; None if the solver cannot tell."""
    array = (z3.Ast * len(assumptions))(*[a.as_ast() for a in assumptions])
    answer = z3.Z3_solver_check_assumptions(solver.ctx.ref(), solver.solver, len(assumptions), array)
    return None if answer == z3.Z3_L_UNDEF else bool(answer == z3.Z3_L_TRUE)
