"""The same problems as constrained Horn clauses for Z3's Spacer, with the pre-filter given.

One relation ``inv(shared, a1, a2)`` over the flattened pair of states, with the keys, driver variables and the constant
for infinity as shared arguments; Init, Sync, Stutter and Merge are its rules, and the query is a pair of states that
violates Final or Safe. Unsatisfiable means proved. Spacer has no uninterpreted functions, so problems with opaque
functions or float arithmetic are not for it. It has no notion of a weakest residual: candidates are tried one by one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import z3

from headwater.proof.conditions import agreement, goals
from headwater.proof.vocabulary import Vocabulary
from headwater.rewrite.spell_sql import spell_sql
from headwater.semantics.symbolic import State
from headwater.semantics.values import F, T, UnsupportedTerm, Value, fresh_context, land, lnot
from headwater.synthesis.universe import Analysis, residual_universe
from headwater_ir import expr as ir
from headwater_ir.codec import to_json
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Solution

RESIDUAL_SECONDS = 5.0
"""For one candidate residual."""


class Uninterpreted(Exception):
    """The clauses hold an uninterpreted function."""


def run_spacer(problem: FoldProblem, solution: Solution, seconds: float) -> dict[str, Any]:
    """Prove the pre-filter of ``solution``, then look for the weakest residual.

    The answer's ``spacer`` is ``proved``, ``refuted``, ``unknown`` or ``unsupported``; ``prove_wall`` the time until
    the pre-filter was proved with the whole filter kept.
    """
    start = time.perf_counter()
    try:
        status = prove(problem, solution.pre_filter, problem.predicate, seconds)
    except (UnsupportedTerm, Uninterpreted) as reason:
        return {"spacer": "unsupported", "reason": str(reason)}
    proved_at = time.perf_counter() - start
    if status != "proved":
        return {"spacer": status, "prove_wall": proved_at}
    search = _Residuals(problem, solution.pre_filter, start + seconds)
    residual = search.weakest()
    return {
        "spacer": "proved", "prove_wall": proved_at, "residuals_tried": search.tried,
        "residual": to_json(residual), "residual_sql": spell_sql(residual),
    }  # fmt: skip


class _Residuals:
    """Looks for a weak residual until the deadline: TRUE, then single atoms of the universe, then the whole filter with
    conjuncts left out or replaced one by one."""

    def __init__(self, problem: FoldProblem, prefilter: Expr, deadline: float) -> None:
        self.problem, self.prefilter, self.deadline = problem, prefilter, deadline
        self.universe = residual_universe(Analysis.of(problem))
        self.tried = 0

    def weakest(self) -> Expr:
        """The best that is found in time; at worst the whole filter, which is known to do."""
        own = ir.conjuncts(self.problem.predicate)
        for few in ((), *((a,) for a in self.universe)):
            if self._does(few):
                return ir.conjoin(few)
        chosen = list(own)
        for conjunct in own:
            fewer = [c for c in chosen if c != conjunct]
            if fewer and self._does(tuple(fewer)):
                chosen = fewer
        for i in range(len(chosen)):
            for atom in self.universe:
                if atom not in own and self._does((*chosen[:i], atom, *chosen[i + 1 :])):
                    chosen[i] = atom
                    break
        return self.problem.predicate if tuple(chosen) == own else ir.conjoin(chosen)

    def _does(self, candidate: tuple[Expr, ...]) -> bool:
        left = self.deadline - time.perf_counter()
        if left <= 0:
            return False
        self.tried += 1
        limit = min(left, RESIDUAL_SECONDS)
        return prove(self.problem, self.prefilter, ir.conjoin(candidate), limit) == "proved"


def prove(problem: FoldProblem, prefilter: Expr, residual: Expr, seconds: float) -> str:
    """``proved``, ``refuted`` or ``unknown``."""
    fresh_context()
    clauses = _Clauses(problem, prefilter, residual)
    engine = z3.Fixedpoint()
    engine.set(engine="spacer", timeout=int(seconds * 1000))
    engine.set("spacer.random_seed", 0)
    query = clauses.into(engine)
    try:
        answer = engine.query(query)
    except z3.Z3Exception as error:
        if "uninterpreted" in str(error):
            raise Uninterpreted(str(error)) from None
        return "unknown"
    return "proved" if answer == z3.unsat else "refuted" if answer == z3.sat else "unknown"


class _Clauses:
    def __init__(self, problem: FoldProblem, prefilter: Expr, residual: Expr) -> None:
        self.problem = problem
        self.v = v = Vocabulary(problem, [prefilter, residual])
        self.residual = residual
        self.claim = Solution("partial", prefilter, residual, ())
        self.a1, self.wf1 = v.state("a1")
        self.a2, self.wf2 = v.state("a2")
        self.row = v.row()
        self.gs = ir.conjuncts(prefilter)
        shared = [t for value in (*v.keys.values(), *v.params.values()) for t in _terms(value)]
        self.shared = [*shared, v.encoder.infinity]
        sorts = [t.sort() for t in (*self.shared, *_flat(self.a1), *_flat(self.a2))]
        self.inv = z3.Function("inv", *sorts, z3.BoolSort())
        self.bad = z3.Function("bad", z3.BoolSort())

    def at(self, a1: State, a2: State) -> z3.BoolRef:
        """``inv`` of a pair of states."""
        return self.inv(*self.shared, *_flat(a1), *_flat(a2))

    def into(self, engine: z3.Fixedpoint) -> z3.BoolRef:
        """Add every clause; the answer is the query."""
        rules = list(self._rules())
        axioms = list(self.v.encoder.axioms)
        engine.register_relation(self.inv, self.bad)
        declared: dict[int, z3.ExprRef] = {}
        for head, body in rules:
            for part in (head, *body, *axioms):
                _constants(part, declared)
        engine.declare_var(*declared.values())
        for head, body in rules:
            engine.rule(head, [*axioms, *(b for b in body if b is not T)])
        return self.bad()

    def _rules(self) -> Iterator[tuple[z3.BoolRef, list[z3.BoolRef]]]:
        return self._row_rules() if self.problem.fold.rows == "one" else self._fold_rules()

    def _row_rules(self) -> Iterator[tuple[z3.BoolRef, list[z3.BoolRef]]]:
        """A row function has no state to relate: what violates a condition is bad at once."""
        for goal in goals(self.problem, self.claim):
            yield self.bad(), [*goal.hypotheses, lnot(goal.conclusion)]

    def _fold_rules(self) -> Iterator[tuple[z3.BoolRef, list[z3.BoolRef]]]:
        v, a1, a2 = self.v, self.a1, self.a2
        initial = v.initial()
        yield self.at(initial, initial), []
        related = [self.at(a1, a2), *self.wf1, *self.wf2]
        step1, step2 = v.step(a1, self.row), v.step(a2, self.row)
        keeps = v.keeps(self.gs, self.row)
        stepped = [*related, *v.facts(self.row), step1.ok]
        yield self.at(step1.state, step2.state), [*stepped, keeps, step2.ok]
        yield self.at(step1.state, a2), [*stepped, lnot(keeps)]
        if step2.ok is not T:
            yield self.bad(), [*stepped, keeps, lnot(step2.ok)]
        if v.fold.merge is not None:
            yield from self._merge(related)
        agree, ok1, ok2 = agreement(v, a1, a2, self.residual)
        yield self.bad(), [*related, ok1, lnot(land(ok2, agree))]

    def _merge(self, related: list[z3.BoolRef]) -> Iterator[tuple[z3.BoolRef, list[z3.BoolRef]]]:
        v = self.v
        b1, wf1 = v.state("b1")
        b2, wf2 = v.state("b2")
        merged1, merged2 = v.merge(self.a1, b1), v.merge(self.a2, b2)
        both = [*related, self.at(b1, b2), *wf1, *wf2, merged1.ok]
        yield self.at(merged1.state, merged2.state), [*both, merged2.ok]
        if merged2.ok is not T:
            yield self.bad(), [*both, lnot(merged2.ok)]


def _terms(value: Value) -> list[z3.ExprRef]:
    return [value.null, value.nan, value.term]


def _flat(state: State) -> list[z3.ExprRef]:
    flat = [state.present, *(t for slot in state.slots for t in _terms(slot))]
    return [z3.BoolVal(True) if t is T else z3.BoolVal(False) if t is F else t for t in flat]


def _constants(term: z3.ExprRef, found: dict[int, z3.ExprRef], seen: set[int] | None = None) -> None:
    """The free constants of ``term``. Uninterpreted for an uninterpreted function that is not one of the relations."""
    seen = set() if seen is None else seen
    stack = [term]
    while stack:
        t = stack.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        if z3.is_app(t) and t.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            if t.num_args() == 0 and t.decl().name() != "bad":
                found[t.get_id()] = t
            elif t.num_args() and t.decl().name() != "inv":
                raise Uninterpreted(f"`{t.decl().name()}` is an uninterpreted function")
        stack.extend(t.children())
