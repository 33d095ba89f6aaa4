"""Whether a slot only grows or only shrinks, asked of the solver rather than of the syntax.

Asked of every state, a fold that tests several slots together has no direction: in ``if lowest is None: … else …`` the
highest may shrink if only one of them is missing, which no run comes to. So where a slot has no direction, the solver
is asked again of the states that satisfy an inductive invariant: which slots are missing together, and which is never
above which. These are proposals like all else in here; the checker decides.
"""

from __future__ import annotations

from itertools import permutations
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.problem import Fold, FoldProblem

from ..proof.vocabulary import Vocabulary
from ..semantics.symbolic import State
from ..semantics.values import Value, land, lnot, lor

Direction = Literal["grows", "shrinks", "none"]
TIMEOUT_MS = 200
MOST_SLOTS = 6
"""Of a fold with more slots no invariant is looked for: there is a candidate for every pair."""


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
    pairs = list(zip(state.slots, after.state.slots, strict=True))
    found = [_direction(solver, *pair) for pair in pairs]
    ordered = [i for i, slot in enumerate(state.slots) if _is_ordered(slot)]
    if 2 <= len(ordered) <= MOST_SLOTS and any(found[i] == "none" for i in ordered):
        solver.add(*_invariant(solver, v, state, after.state, ordered))
        found = [_direction(solver, *pair) if d == "none" else d for pair, d in zip(pairs, found, strict=True)]
    return tuple(found)


def _direction(solver: z3.Solver, before: Value, after: Value) -> Direction:
    if not _is_ordered(before):
        return "none"
    known = lnot(_missing(before))
    kept = lnot(_missing(after))
    grown = land(lnot(after.null), lor(after.nan, after.term >= before.term))  # Spark orders NaN last
    for direction, ordered in (("grows", grown), ("shrinks", land(kept, after.term <= before.term))):
        if solver.check(z3.And(known, lnot(ordered))) == z3.unsat:
            return direction  # type: ignore[return-value]
    return "none"


def _is_ordered(slot: Value) -> bool:
    return slot.kind not in ("bool", "null")


def _missing(slot: Value) -> z3.BoolRef:
    return lor(slot.null, slot.nan)


def _invariant(
    solver: z3.Solver, v: Vocabulary, before: State, after: State, ordered: list[int]
) -> list[z3.BoolRef]:  # fmt: skip
    """Facts about states, over ``before``, that hold at first and that every step keeps: the largest set of candidates
    of which each follows from all."""
    initial = v.initial()
    first, now, then = (_candidates(s.slots, ordered) for s in (initial, before, after))
    start = z3.Solver()
    start.set("timeout", TIMEOUT_MS)
    start.add(*v.encoder.axioms)
    kept = [i for i, fact in enumerate(first) if start.check(lnot(fact)) == z3.unsat]
    while True:
        hypothesis = [now[i] for i in kept]
        lasting = [i for i in kept if solver.check(*hypothesis, lnot(then[i])) == z3.unsat]
        if lasting == kept:
            return hypothesis
        kept = lasting


def _candidates(slots: tuple[Value, ...], ordered: list[int]) -> list[z3.BoolRef]:
    found = []
    for i, j in permutations(ordered, 2):
        a, b = slots[i], slots[j]
        if i < j:
            found.append(_missing(a) == _missing(b))
        if a.kind == b.kind:
            found.append(lor(_missing(a), _missing(b), a.term <= b.term))
    return found
