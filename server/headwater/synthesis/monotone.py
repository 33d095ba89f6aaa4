"""Whether a slot only grows or only shrinks, asked of the solver rather than of the syntax."""

from __future__ import annotations

from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.problem import Fold, FoldProblem

from ..proof.vocabulary import Vocabulary
from ..semantics.values import Value, land, lnot, lor

Direction = Literal["grows", "shrinks", "none"]
TIMEOUT_MS = 200


def directions(fold: Fold) -> tuple[Direction, ...]:
    """For every slot: once it holds a number or text, every defined step keeps it and moves it one way only."""
    if not fold.slots:
        return ()
    v = Vocabulary(FoldProblem(fold, ir.TRUE))
    state, _ = v.state("a")
    row = v.row()
    after = v.step(state, row)
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*v.encoder.axioms, *v.facts(row), after.ok)
    return tuple(_direction(solver, before, now) for before, now in zip(state.slots, after.state.slots, strict=True))


def _direction(solver: z3.Solver, before: Value, after: Value) -> Direction:
    if before.kind in ("bool", "null"):
        return "none"
    known = land(lnot(before.null), lnot(before.nan))
    kept = land(lnot(after.null), lnot(after.nan))
    grown = land(lnot(after.null), lor(after.nan, after.term >= before.term))  # Spark orders NaN last
    for direction, ordered in (("grows", grown), ("shrinks", land(kept, after.term <= before.term))):
        if solver.check(z3.And(known, lnot(ordered))) == z3.unsat:
            return direction  # type: ignore[return-value]
    return "none"
