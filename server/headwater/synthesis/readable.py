"""Short answers: pre-filters without redundant parts, and an inductive core of ψ in place of all that Houdini kept."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..proof.conditions import agreement
from ..semantics.values import T, land, lnot, lor
from .session import Query, Session, Transition


def tidy_prefilter(session: Session, prefilter: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The same rows with fewer words: implied conjuncts and absorbed disjuncts removed."""
    trimmed = sorted(dict.fromkeys(_without_absorbed(session, g) for g in prefilter), key=_size)
    for g in trimmed:
        if all(session.row_implies([g], other) for other in trimmed if other is not g):
            return (g,)
    for g in sorted(trimmed, key=_size, reverse=True):
        rest = [t for t in trimmed if t is not g]
        if rest and session.row_implies(rest, g):
            trimmed = rest
    return tuple(trimmed)


def _size(e: Expr) -> tuple[bool, int]:
    """Null tests go first, then what is longer."""
    return isinstance(e, ir.Not) and isinstance(e.operand, ir.IsNull), sum(1 for _ in ir.walk(e))


def _without_absorbed(session: Session, e: Expr) -> Expr:
    if not isinstance(e, ir.Or):
        return e
    kept = list(e.operands)
    keeping_nan = [d for d in e.operands if isinstance(d, ir.IsNaN)]
    for d in sorted((o for o in e.operands if o not in keeping_nan), key=_size, reverse=True):
        rest = [k for k in kept if k is not d]
        if rest and session.row_implies([d], ir.Or(tuple(rest))):
            kept = rest
    for i, d in enumerate(kept):
        for literal in ir.conjuncts(d) if isinstance(d, ir.And) else ():
            shorter = ir.conjoin([c for c in ir.conjuncts(kept[i]) if c != literal])
            if shorter != ir.TRUE and session.row_implies([shorter], e):
                kept[i] = shorter
    return ir.disjoin(kept)


def tidy_invariant(session: Session, prefilter: tuple[Expr, ...], psi: Sequence[Expr], residual: Expr) -> list[Expr]:
    """A small subset of ψ that Final needs and that is preserved by itself: the closure of unsat cores. ``ψ_min`` says
    nothing that a reader could use, so it is left out where the rest suffices."""
    for subset in ([a for a in psi if a != session.lower], list(psi)):
        core = _Cores(session, prefilter, subset, residual).closure()
        if core is not None:
            return _without_implied(session, core)
    return list(psi)


def _without_implied(session: Session, atoms: list[Expr]) -> list[Expr]:
    """The same ψ without the atoms that the others imply, longer ones first."""
    solver = session.solver()
    solver.add(*session.wf)
    selectors = {a: z3.Bool(f"keep.{i}") for i, a in enumerate(atoms)}
    solver.add(*(lor(lnot(selectors[a]), session.before[a]) for a in atoms))
    kept = list(atoms)
    for atom in sorted(atoms, key=lambda a: sum(1 for _ in ir.walk(a)), reverse=True):
        refute = z3.FreshBool("refute")
        solver.add(lor(lnot(refute), lnot(session.before[atom])))
        if session.ask(solver, refute, *(selectors[a] for a in kept if a is not atom)) is None:
            kept.remove(atom)
    return kept


class _Cores:
    def __init__(self, session: Session, prefilter: tuple[Expr, ...], psi: Sequence[Expr], residual: Expr) -> None:
        self._session, self._psi, self._residual = session, list(psi), residual
        keeps = session.v.keeps(prefilter, session.row)
        self._guards: dict[Transition, z3.BoolRef] = {"Sync": keeps, "Stutter": lnot(keeps)}

    def closure(self) -> list[Expr] | None:
        """A small set that contains what Final and Safe need and what its own preservation needs; None if this ψ does
        not prove them."""
        first = [self._of_output(), self._of_safe_steps()]
        if None in first:
            return None
        needed: dict[Expr, None] = dict.fromkeys(a for core in first for a in core or ())
        fresh = list(needed)
        while fresh:
            found: dict[Expr, None] = {}
            for name, query in self._session.queries.items():
                core = self._of_preservation(name, query, fresh)
                if core is None:
                    return None
                found |= dict.fromkeys(core)
            fresh = [a for a in found if a not in needed]
            needed |= found
        return [a for a in self._psi if a in needed]

    def _of_preservation(self, name: Transition, query: Query, atoms: list[Expr]) -> list[Expr] | None:
        """The atoms that preserving ``atoms`` by one transition rests on."""
        goal = query.literal(lor(*(lnot(query.after[a]) for a in atoms)))
        guard = query.literal(self._guards.get(name, T))
        selectors = {s.get_id(): a for a in self._psi for s in query.of(a)}
        return self._core(query.solver, [goal, guard], query.selectors(self._psi), selectors)

    def _of_output(self) -> list[Expr] | None:
        """The atoms that Final and the output part of Safe rest on."""
        s = self._session
        agree, ok1, ok2 = agreement(s.v, s.a1, s.a2, self._residual)
        return self._from_scratch([ok1], land(agree, ok2))

    def _of_safe_steps(self) -> list[Expr] | None:
        """The atoms that the step part of Safe rests on."""
        s = self._session
        if s.step2.ok is T:
            return []
        return self._from_scratch([*s.facts, s.step1.ok, self._guards["Sync"]], s.step2.ok)

    def _from_scratch(self, hypotheses: list[z3.BoolRef], goal: z3.BoolRef) -> list[Expr] | None:
        s = self._session
        solver = s.solver()
        solver.add(*s.wf, *hypotheses, lnot(goal))
        selectors = [z3.Bool(f"use.{i}") for i in range(len(self._psi))]
        solver.add(*(lor(lnot(use), s.before[a]) for use, a in zip(selectors, self._psi, strict=True)))
        return self._core(solver, [], selectors, {u.get_id(): a for u, a in zip(selectors, self._psi, strict=True)})

    def _core(
        self, solver: z3.Solver, assumed: list[z3.BoolRef], selectors: list[z3.BoolRef], atoms: dict[int, Expr]
    ) -> list[Expr] | None:
        if self._session.satisfiable(solver, *assumed, *selectors):
            return None
        return [atoms[c.get_id()] for c in solver.unsat_core() if c.get_id() in atoms]
