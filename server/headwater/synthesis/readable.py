"""Short answers: pre-filters without redundant parts, and an inductive core of ψ in place of all that Houdini kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.types import Type

from ..proof.conditions import agreement
from ..semantics.values import T, land, lnot, lor
from .normal_form import drops_missing
from .session import Query, Session, Transition


def tidy_prefilter(session: Session, prefilter: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The same rows with fewer words: implied conjuncts, absorbed disjuncts and what other conjuncts say removed."""
    trimmed = sorted(dict.fromkeys(_plain(session, _shortened(session, g, [])) for g in prefilter), key=_size)
    for g in trimmed:
        if all(session.row_implies([g], other) for other in trimmed if other is not g):
            return (g,)
    for g in sorted(trimmed, key=_size, reverse=True):
        rest = [t for t in trimmed if t is not g]
        if rest and session.row_implies(rest, g):
            trimmed = rest
    for i, g in enumerate(trimmed):
        trimmed[i] = _shortened(session, g, [t for t in trimmed if t is not g])
    return tuple(trimmed)


def _plain(session: Session, g: Expr) -> Expr:
    """``x IS NOT NULL`` for a condition that says the same in other words, such as ``x OR NOT x``."""
    there: list[Expr] = [ir.Not(ir.IsNull(ir.Col(c))) for c in sorted(ir.columns_of(g))]
    for said in dict.fromkeys((ir.conjoin(there), ir.disjoin(there))):
        if session.row_implies([said], g) and session.row_implies([g], said):
            return said
    return g


_LISTED = 3
"""So many constants are read more easily as a list."""


def with_lists(e: Expr, types: Mapping[str, Type]) -> Expr:
    """``c IN (…)`` for ``c = … OR c = …`` of constants of the type of the column: of another one the two differ."""
    if not isinstance(e, ir.Or) or e.dialect != "sql":
        return e
    listed = dict[ir.Col, list[Expr]]()
    of = dict[Expr, ir.Col]()
    for o in e.operands:
        match o:
            case ir.Compare("==", ir.Col(name) as column, ir.Lit(str() | int(), t) as constant, "sql"):
                if t.name in ("string", "int") and name in types and types[name].name == t.name:
                    listed.setdefault(column, []).append(constant)
                    of[o] = column
    long = {c: ir.In(c, tuple(options), "sql") for c, options in listed.items() if len(options) >= _LISTED}
    said = (long.get(of[o], o) if o in of else o for o in e.operands)
    return ir.disjoin(tuple(dict.fromkeys(said)))


def _size(e: Expr) -> tuple[bool, int]:
    """What goes first is last: null tests, then what is longer."""
    return drops_missing(e), sum(1 for _ in ir.walk(e))


def _shortened(session: Session, e: Expr, others: list[Expr]) -> Expr:
    """``e`` without disjuncts, and without parts of them, that make no difference where ``others`` hold."""
    if not isinstance(e, ir.Or):
        return e
    kept = list(e.operands)
    keeping_nan = [d for d in e.operands if isinstance(d, ir.IsNaN)]
    for d in sorted((o for o in e.operands if o not in keeping_nan), key=_size, reverse=True):
        rest = [k for k in kept if k is not d]
        fewer = ir.Or(tuple(rest))
        if rest and session.row_implies([*others, d], fewer) and session.loses_no_more(e, fewer):
            kept = rest
    for i, d in enumerate(kept):
        for literal in ir.conjuncts(d) if isinstance(d, ir.And) else ():
            shorter = ir.conjoin([c for c in ir.conjuncts(kept[i]) if c != literal])
            changed = ir.Or((*kept[:i], shorter, *kept[i + 1 :]))
            if shorter != ir.TRUE and session.row_implies([*others, shorter], e) and session.loses_no_more(e, changed):
                kept[i] = shorter
    return ir.disjoin(kept)


def tidy_invariant(
    session: Session, prefilter: tuple[Expr, ...], psi: Sequence[Expr], residual: Expr
) -> list[Expr] | None:
    """A small subset of ψ that Final needs and that is preserved by itself: the closure of unsat cores; None if ψ
    proves nothing. ``ψ_min`` says nothing that a reader could use, so it is left out where the rest suffices."""
    for subset in ([a for a in psi if a != session.lower], list(psi)):
        core = _Cores(session, prefilter, subset, residual).closure()
        if core is not None:
            return _without_implied(session, core)
    return None


def _without_implied(session: Session, atoms: list[Expr]) -> list[Expr]:
    """The same ψ without the atoms that the others imply, longer ones first."""
    states = session.states
    kept = list(atoms)
    for atom in sorted(atoms, key=lambda a: sum(1 for _ in ir.walk(a)), reverse=True):
        rest = states.selectors(a for a in kept if a is not atom)
        if not session.satisfiable(states.solver, states.literal(lnot(session.before[atom])), *rest):
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
        first = [self._of_output(self._residual), self._of_safe_steps()]
        if self._residual != self._session.problem.predicate:
            first.append(self._of_output(self._session.problem.predicate))
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
        violated = lor(*(lnot(query.after[a]) for a in atoms))
        return self._core(query, [violated, self._guards.get(name, T)])

    def _of_output(self, residual: Expr) -> list[Expr] | None:
        """The atoms that Final and the output part of Safe rest on."""
        s = self._session
        agree, ok1, ok2 = agreement(s.v, s.a1, s.a2, residual)
        return self._core(s.states, [ok1, lnot(land(agree, ok2))])

    def _of_safe_steps(self) -> list[Expr] | None:
        """The atoms that the step part of Safe rests on."""
        s = self._session
        if s.step2.ok is T:
            return []
        return self._core(s.states, [*s.facts, s.step1.ok, self._guards["Sync"], lnot(s.step2.ok)])

    def _core(self, query: Query, terms: list[z3.BoolRef]) -> list[Expr] | None:
        """The atoms that refuting ``terms`` together rests on; None if they can hold."""
        atoms = {s.get_id(): a for a in self._psi for s in query.of(a)}
        assumed = [query.literal(t) for t in terms]
        if self._session.satisfiable(query.solver, *assumed, *query.selectors(self._psi)):
            return None
        return [atoms[c.get_id()] for c in query.solver.unsat_core() if c.get_id() in atoms]
