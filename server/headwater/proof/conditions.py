"""The verification conditions of THEORY.md section 2, as goals: hypotheses and one conclusion each.

An error of the original excuses everything after it (removing an error is allowed), so every goal about a step
assumes that the original's step is defined. That the optimized run then raises nothing is *Safe*, part by part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import ConditionName, Solution

from ..semantics.symbolic import Scope, State
from ..semantics.values import is_true, land, lnot, lor, same
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Goal:
    """``hypotheses ⟹ conclusion`` for every value of the free symbols. ``part`` tells goals of one condition apart."""

    name: ConditionName
    part: str
    hypotheses: tuple[z3.BoolRef, ...]
    conclusion: z3.BoolRef


def goals(problem: FoldProblem, solution: Solution) -> list[Goal]:
    """Everything that must be proved for ``solution``. UnsupportedTerm if a part has no encoding."""
    extra = [solution.pre_filter, solution.residual, *solution.invariant]
    vocabulary = Vocabulary(problem, extra)
    found = list(_row_goals(vocabulary, solution) if problem.fold.rows == "one" else _fold_goals(vocabulary, solution))
    axioms = tuple(vocabulary.encoder.axioms)
    return [Goal(g.name, g.part, axioms + g.hypotheses, g.conclusion) for g in found]


def invariant(vocabulary: Vocabulary, atoms: tuple[Expr, ...], a1: State, a2: State) -> z3.BoolRef:
    """``ψ(a1, a2)``."""
    scope = vocabulary.scope(s1=a1, s2=a2)
    return land(*(vocabulary.encoder.holds(a, scope) for a in atoms))


def agreement(
    vocabulary: Vocabulary, a1: State, a2: State, residual: Expr
) -> tuple[z3.BoolRef, z3.BoolRef, z3.BoolRef]:
    """Final's conclusion, when the original is defined, and when the optimized run is."""
    passes1, ok1 = vocabulary.passes(a1, vocabulary.problem.predicate)
    passes2, ok2 = vocabulary.passes(a2, residual)
    out1, out2 = vocabulary.output(a1), vocabulary.output(a2)
    equal = land(*(same(out1[o.name][0], out2[o.name][0]) for o in vocabulary.fold.outputs))
    return lor(land(passes1, passes2, equal), land(lnot(passes1), lnot(passes2))), ok1, ok2


def _fold_goals(v: Vocabulary, s: Solution) -> Iterator[Goal]:
    a1, wf1 = v.state("a1")
    a2, wf2 = v.state("a2")
    row = v.row()
    facts = v.facts(row)
    gs = ir.conjuncts(s.pre_filter)
    keeps = v.keeps(gs, row)
    psi = invariant(v, s.invariant, a1, a2)
    related = (*wf1, *wf2, psi)
    step1, step2 = v.step(a1, row), v.step(a2, row)

    initial = v.initial()
    yield Goal("Init", "", (), invariant(v, s.invariant, initial, initial))
    stepped = (*related, *facts, step1.ok)
    yield Goal("Sync", "", (*stepped, keeps, step2.ok), invariant(v, s.invariant, step1.state, step2.state))
    yield Goal("Stutter", "", (*stepped, lnot(keeps)), invariant(v, s.invariant, step1.state, a2))
    yield Goal("Safe", "step", (*stepped, keeps), step2.ok)
    yield Goal("Safe", "pre-filter", tuple(facts), v.total(gs, row))
    if v.fold.merge is not None:
        yield from _merge_goals(v, s, (a1, a2), related)
    for part, residual in _residuals(v.problem, s):
        agree, ok1, ok2 = agreement(v, a1, a2, residual)
        yield Goal("Final", part, (*related, ok1, ok2), agree)
        yield Goal("Safe", f"output {part}".strip(), (*related, ok1), ok2)


def _residuals(problem: FoldProblem, s: Solution) -> list[tuple[str, Expr]]:
    """The residual, and the whole filter: a user may add the pre-filter and leave the filter as it is."""
    kept = [] if s.residual == problem.predicate else [("with the filter kept", problem.predicate)]
    return [("", s.residual), *kept]


def _merge_goals(v: Vocabulary, s: Solution, a: tuple[State, State], related: tuple[z3.BoolRef, ...]) -> Iterator[Goal]:
    b1, wf1 = v.state("b1")
    b2, wf2 = v.state("b2")
    both = (*related, *wf1, *wf2, invariant(v, s.invariant, b1, b2))
    merged1, merged2 = v.merge(a[0], b1), v.merge(a[1], b2)
    conclusion = invariant(v, s.invariant, merged1.state, merged2.state)
    yield Goal("Merge", "", (*both, merged1.ok, merged2.ok), conclusion)
    yield Goal("Safe", "merge", (*both, merged1.ok), merged2.ok)


def _row_goals(v: Vocabulary, s: Solution) -> Iterator[Goal]:
    """A row function: each row is a group of its own, so no invariant is needed.

    Spark evaluates conjuncts that read no computed column before the function, so an error of the function excuses only
    rows that pass those.
    """
    row = v.row()
    facts = v.facts(row)
    outs = {o.name: v.encoder.eval(o.value, v.scope(row, tag=1)) for o in v.fold.outputs}
    scope = Scope(row=row, outs=outs, params=v.params)
    value, ok = v.encoder.eval(v.problem.predicate, scope)
    computed = frozenset(o.name for o in v.fold.outputs if not isinstance(o.value, ir.Col))
    early = ir.conjoin([c for c in ir.conjuncts(v.problem.predicate) if not ir.outputs_of(c) & computed])
    reached, early_ok = v.encoder.holds(early, scope), v.encoder.eval(early, scope)[1]
    defined = land(*(o for _, o in outs.values()), ok)
    assumed = (*facts, lor(lnot(reached), defined))
    gs = ir.conjuncts(s.pre_filter)
    keeps = v.keeps(gs, row)
    for part, condition in _residuals(v.problem, s):
        residual, residual_ok = v.encoder.eval(condition, scope)
        yield Goal("Final", part, assumed, is_true(value) == land(keeps, is_true(residual)))
        left = ir.conjoin([c for c in ir.conjuncts(condition) if not ir.outputs_of(c) & computed])
        then = lor(lnot(v.encoder.holds(left, scope)), land(defined, residual_ok))
        safe = land(v.encoder.eval(left, scope)[1], then)
        yield Goal("Safe", f"output {part}".strip(), (*assumed, early_ok, keeps), safe)
    yield Goal("Safe", "pre-filter", tuple(facts), v.total(gs, row))
