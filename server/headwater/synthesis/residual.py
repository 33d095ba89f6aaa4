"""``find_residual`` (001 section 5.3): the weakest ``R`` for a given ``G`` and ψ, from TRUE upward."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..semantics.symbolic import Scope
from ..semantics.values import is_true, land, lnot, lor, same
from .dataflow import is_sql
from .session import Session

MAX_CANDIDATES = 400


def find_residual(session: Session, psi: Sequence[Expr], universe: tuple[Expr, ...]) -> Expr | None:
    """The weakest conjunction of ``universe`` that Final accepts; None if even ``R = P`` fails, that is, ``G`` is too
    strong."""
    search = Final(session, psi)
    predicate = session.problem.predicate
    if search.model(predicate) is not None:
        return None
    rejecting: list[frozenset[Expr]] = []
    """For every spurious output met so far the atoms that reject it; a residual has one of each."""
    queue: list[tuple[Expr, ...]] = [()]
    seen: set[frozenset[Expr]] = {frozenset()}
    for _ in range(MAX_CANDIDATES):
        if not queue:
            break
        candidate = queue.pop(0)
        missed = next((r for r in rejecting if not r & set(candidate)), None)
        if missed is None:
            model = search.model(ir.conjoin(candidate))
            if model is None:
                return _readable(search, candidate, predicate)
            if search.hopeless(model):
                continue
            missed = frozenset(a for a in universe if search.rejects(model, a))
            rejecting.append(missed)
        for atom in universe:
            larger = frozenset((*candidate, atom))
            if atom in missed and larger not in seen:
                seen.add(larger)
                queue.append((*candidate, atom))
    return predicate


def _readable(search: Final, candidate: tuple[Expr, ...], predicate: Expr) -> Expr:
    """Prefer the user's own conjunct to a derived one that says the same of every reachable output, unless nothing but
    the whole filter would be left."""
    own = ir.conjuncts(predicate)
    sayable = [p for p in own if is_sql(p)]
    chosen: list[Expr] = []
    for atom in candidate:
        derived = atom not in own and not isinstance(atom, ir.Not)
        chosen.append(next((p for p in sayable if derived and search.equivalent(atom, p)), atom))
    if set(chosen) == set(own) and not any(isinstance(c, ir.Or) for c in candidate):
        chosen = list(candidate)
    ordered = [p for p in own if p in chosen] + [c for c in chosen if c not in own]
    return predicate if set(ordered) == set(own) else ir.conjoin(ordered) if ordered else ir.TRUE


class Final:
    """Final under ψ, with ``R`` varying."""

    def __init__(self, session: Session, psi: Sequence[Expr]) -> None:
        self._session = session
        v = session.v
        self._passes1, self._ok1 = v.passes(session.a1, session.problem.predicate)
        out1 = v.output(session.a1)
        self._equal = land(*(same(out1[o.name][0], v.output(session.a2)[o.name][0]) for o in v.fold.outputs))
        self._scope = Scope(row=v.keys, outs=v.output(session.a2), params=v.params)
        self._known: dict[Expr, z3.BoolRef] = {}
        states = session.states
        self._assumed = [states.literal(self._ok1), *states.selectors(psi)]

    def model(self, residual: Expr) -> z3.ModelRef | None:
        """States on which Final, or Safe for the output, fails with this residual."""
        s, passes1 = self._session, self._passes1
        passes2, ok2 = s.v.passes(s.a2, residual)
        agree = lor(land(passes1, passes2, self._equal), land(lnot(passes1), lnot(passes2)))
        return self._under(lnot(land(agree, ok2)))

    def _under(self, condition: z3.BoolRef) -> z3.ModelRef | None:
        states = self._session.states
        return self._session.ask(states.solver, states.literal(condition), *self._assumed)

    def hopeless(self, model: z3.ModelRef) -> bool:
        """The original passes in this model: the runs disagree on an accepted output, or the candidate rejects it. No
        stronger residual helps."""
        return bool(z3.is_true(model.eval(self._passes1, model_completion=True)))

    def rejects(self, model: z3.ModelRef, atom: Expr) -> bool:
        """Whether ``atom`` is not TRUE of the optimized output in the model."""
        return not bool(z3.is_true(model.eval(self._holds(atom), model_completion=True)))

    def equivalent(self, a: Expr, b: Expr) -> bool:
        """Whether two conditions agree on every output that ψ admits."""
        return self.implies(a, b) and self.implies(b, a)

    def implies(self, stronger: Expr, weaker: Expr) -> bool:
        """Whether ``weaker`` is TRUE of every output that ψ admits and ``stronger`` is TRUE of."""
        return self._under(land(self._session.a2.present, self._holds(stronger), lnot(self._holds(weaker)))) is None

    def _holds(self, condition: Expr) -> z3.BoolRef:
        if condition not in self._known:
            value, ok = self._session.v.encoder.eval(condition, self._scope)
            self._known[condition] = land(ok, is_true(value))
        return self._known[condition]
