"""One in-process solver session per problem: the step is encoded once, every atom has a selector (THEORY.md section 3).

A query asks for *some* violated atom and the model drops *all* that it falsifies.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import Vocabulary, pushable_columns
from ..semantics.symbolic import Scope, State
from ..semantics.values import F, T, land, lnot, lor
from .frontier import Frontier
from .normal_form import simplify
from .solving import assume, check, fresh_solver

BUSY = 4
SLACK = 0.75
SETTLE = 0.7
"""The part of the time after which the search goes on with the weakest candidates: a weaker G is an answer."""


class OutOfTime(Exception):
    """The problem's time is used up, or the solver gave up on a query."""


@dataclass
class Clock:
    """A deadline in ``time.process_time`` seconds, and when to settle for a weaker answer."""

    deadline: float
    late: float = math.inf

    @staticmethod
    def of(seconds: float) -> Clock:
        """From now on."""
        now = time.process_time()
        return Clock(now + seconds, now + SETTLE * seconds)

    def is_late(self) -> bool:
        """Whether any proof is better now than the strongest."""
        return time.process_time() > self.late

    def left_ms(self) -> int:
        """Milliseconds left; OutOfTime if none are."""
        left = int((self.deadline - time.process_time()) * 1000)
        if left <= 0:
            raise OutOfTime("time limit")
        return left

    def wall_ms(self) -> int:
        """What is left for one query, as Z3 counts: wall time, with allowance for a busy machine."""
        return self.left_ms() * BUSY


Transition = Literal["Sync", "Stutter", "Merge"]


class Atoms(dict[Expr, z3.BoolRef]):
    """Atoms of ψ at one pair of states, encoded when first asked for: concrete runs drop most of them before."""

    def __init__(self, v: Vocabulary, a1: State, a2: State) -> None:
        super().__init__()
        self._encoder, self._scope = v.encoder, v.scope(s1=a1, s2=a2)

    def __missing__(self, atom: Expr) -> z3.BoolRef:
        self[atom] = term = self._encoder.holds(atom, self._scope)
        return term


class Query:
    """A solver with one transition's hypotheses. ``after``: the atoms after it; ``before``: the atoms at each pair of
    states that it starts from. Everything else is assumed by literals, so that what the solver learns stays."""

    def __init__(self, solver: z3.Solver, before: tuple[Atoms, ...], after: Atoms) -> None:
        self.solver, self.after = solver, after
        self._before = before
        self._selectors: dict[Expr, tuple[z3.BoolRef, ...]] = {}
        self._literals: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}

    def selectors(self, atoms: Iterable[Expr]) -> list[z3.BoolRef]:
        """The literals that assume ``atoms`` before the transition."""
        return [s for a in atoms for s in self.of(a)]

    def of(self, atom: Expr) -> tuple[z3.BoolRef, ...]:
        """The literals that assume ``atom`` before the transition, one for each pair of states."""
        found = self._selectors.get(atom)
        if found is None:
            found = self._selectors[atom] = tuple(self.literal(before[atom]) for before in self._before)
        return found

    def literal(self, term: z3.BoolRef) -> z3.BoolRef:
        """A literal that implies ``term``."""
        known = self._literals.get(term.get_id())
        if known is None:
            literal = z3.Bool(f"on.{len(self._literals)}")
            assume(self.solver, (lor(lnot(literal), term),))
            known = self._literals[term.get_id()] = (literal, term)  # the term keeps its id alive
        return known[0]


class Session:
    """Encodes a problem with the atoms of its universes."""

    def __init__(
        self, problem: FoldProblem, prefilter: tuple[Expr, ...], residual: tuple[Expr, ...], clock: Clock
    ) -> None:
        self.problem, self.clock = problem, clock
        self._axioms: dict[z3.Solver, int] = {}
        self._timeouts: dict[z3.Solver, int] = {}
        self.lower = minimum(problem)
        self.v = v = Vocabulary(problem, [*prefilter, *residual])
        self.a1, wf1 = v.state("a1")
        self.a2, wf2 = v.state("a2")
        self.row = v.row()
        self.wf = [*wf1, *wf2]
        self.facts = v.facts(self.row)
        self.step1, self.step2 = v.step(self.a1, self.row), v.step(self.a2, self.row)
        self.universe = prefilter
        self._keeps: dict[Expr, z3.BoolRef] = {}
        self.frontier = Frontier()
        self._start: Query | None = None
        self._rows: Query | None = None
        self._row_scope = Scope(row=self.row, params=v.params)
        self._row_terms: dict[Expr, z3.BoolRef] = {}
        self.before = Atoms(v, self.a1, self.a2)
        both = [*self.facts, self.step1.ok, self.step2.ok]
        self.queries: dict[Transition, Query] = {
            "Sync": self._query((self.before,), self.step1.state, self.step2.state, both),
            "Stutter": self._query((self.before,), self.step1.state, self.a2, [*self.facts, self.step1.ok]),
        }
        self.states = self._query((self.before,), self.a1, self.a2, [])
        """Any pair of states, for questions that no transition is part of."""
        if problem.fold.merge is not None:
            self.queries["Merge"] = self._merge_query()

    def _query(self, before: tuple[Atoms, ...], a1: State, a2: State, hypotheses: list[z3.BoolRef]) -> Query:
        query = Query(fresh_solver(), before, Atoms(self.v, a1, a2))
        assume(query.solver, (*self.wf, *hypotheses))
        return query

    def _merge_query(self) -> Query:
        v = self.v
        b1, wf1 = v.state("b1")
        b2, wf2 = v.state("b2")
        merged1, merged2 = v.merge(self.a1, b1), v.merge(self.a2, b2)
        defined = [*wf1, *wf2, merged1.ok, merged2.ok]
        return self._query((self.before, Atoms(v, b1, b2)), merged1.state, merged2.state, defined)

    def ask(self, solver: z3.Solver, *assumptions: z3.BoolRef) -> z3.ModelRef | None:
        """A model, or None if there is none. OutOfTime if the solver cannot tell."""
        return solver.model() if self.satisfiable(solver, *assumptions) else None

    def satisfiable(self, solver: z3.Solver, *assumptions: z3.BoolRef) -> bool:
        """Whether there is a model, under all axioms known by now. OutOfTime if the solver cannot tell."""
        known, axioms = self._axioms.get(solver, 0), self.v.encoder.axioms
        if known < len(axioms):
            assume(solver, axioms[known:])
            if not solver.num_scopes():
                self._axioms[solver] = len(axioms)
        left = self.clock.wall_ms()
        if left < SLACK * self._timeouts.get(solver, math.inf):
            solver.set("timeout", left)  # costs as much as an easy query
            self._timeouts[solver] = left
        answer = check(solver, assumptions)
        if answer is None:
            raise OutOfTime(f"solver: {solver.reason_unknown()}")
        return answer

    def holds_initially(self, atom: Expr) -> bool:
        """Whether ``atom`` satisfies Init."""
        if self._start is None:
            a0 = self.v.initial()
            self._start = Query(fresh_solver(), (), Atoms(self.v, a0, a0))
        term = self._start.after[atom]
        return term is T or not self.satisfiable(self._start.solver, self._start.literal(lnot(term)))

    def keeps(self, g: Expr) -> z3.BoolRef:
        """Whether one conjunct of a pre-filter keeps the row."""
        if g not in self._keeps:
            self._keeps[g] = self.v.keeps_one(len(self._keeps), g, self.row)
        return self._keeps[g]

    def row_implies(self, hypotheses: Iterable[Expr], conclusion: Expr) -> bool:
        """Whether every row on which all of ``hypotheses`` are TRUE has ``conclusion`` TRUE."""
        rows = self._row_query()
        assumed = [rows.literal(self._on_row(h)) for h in hypotheses]
        return not self.satisfiable(rows.solver, *assumed, rows.literal(lnot(self._on_row(conclusion))))

    def _row_query(self) -> Query:
        if self._rows is None:
            self._rows = Query(fresh_solver(), (), self.before)
            assume(self._rows.solver, self.facts)
        return self._rows

    def loses_no_more(self, before: Expr, after: Expr) -> bool:
        """Whether a scan that loses NaN rows (vocabulary.py) keeps by ``after`` whatever it keeps by ``before``."""
        exposed = set(pushable_columns(after)) - set(pushable_columns(before))
        nan = lor(*(land(lnot(self.row[c].null), self.row[c].nan) for c in sorted(exposed)))
        if nan is F:
            return True
        rows = self._row_query()
        return not self.satisfiable(rows.solver, rows.literal(self._on_row(before)), rows.literal(nan))

    def _on_row(self, condition: Expr) -> z3.BoolRef:
        if condition not in self._row_terms:
            self._row_terms[condition] = self.v.encoder.holds(condition, self._row_scope)
        return self._row_terms[condition]

    def dropped(self, prefilter: tuple[Expr, ...]) -> z3.BoolRef:
        """``¬G(r)``."""
        return lor(*(lnot(self.keeps(g)) for g in prefilter))

    def kept(self, prefilter: tuple[Expr, ...]) -> z3.BoolRef:
        """``G(r)``."""
        return land(*(self.keeps(g) for g in prefilter))


def minimum(problem: FoldProblem) -> Expr:
    """``ψ_min``: both runs pass P with equal outputs, or neither passes. Where computing an output raises (a value that
    does not fit its type), the values that it is computed from are compared, for an error of the original excuses; and
    where P itself may raise, equal outputs are enough, for then it raises in both runs or in neither; and so are equal
    states where a function in the output may. For the same reason conjuncts that cannot raise decide first."""
    fold = problem.fold
    predicate = ir.And(tuple(ir.IsTrue(c) for c in sorted(ir.conjuncts(problem.predicate), key=_may_raise)))

    def at(side: ir.Side) -> tuple[Expr, Expr, dict[str, Expr]]:
        outs = {o.name: ir.on_side(_unguarded(o.value), side) for o in fold.outputs}
        passed = ir.transform(predicate, lambda n: outs[n.name] if isinstance(n, ir.Out) else None)
        present = (ir.Present(side),) if fold.grouped else ()
        emitted = ir.And((*present, ir.IsTrue(ir.on_side(fold.emit, side))))
        return emitted, ir.And((emitted, passed)), outs

    (emitted1, p1, outs1), (emitted2, p2, outs2) = at(1), at(2)
    equal = tuple(ir.Same(outs1[n], outs2[n]) for n in outs1)
    cases: list[Expr] = [ir.And((p1, p2, *equal)), ir.And((ir.Not(p1), ir.Not(p2)))]
    if _may_raise(predicate):
        cases.insert(0, ir.And((emitted1, emitted2, *equal)))
    shown = (fold.emit, *(o.value for o in fold.outputs))
    if any(isinstance(n, ir.Call) and not n.total for e in shown for n in ir.walk(e)):
        read = sorted({i for e in shown for i in ir.slots_of(e)})
        there = (ir.Present(1), ir.Present(2)) if fold.grouped else ()
        cases.insert(0, ir.And((*there, *(ir.Same(ir.Slot(i, 1), ir.Slot(i, 2)) for i in read))))
    return simplify(ir.Or(tuple(cases)))


def _may_raise(e: Expr) -> bool:
    return any(isinstance(n, (ir.Arith, ir.Neg, ir.Call, ir.Raise)) for n in ir.walk(e))


def _unguarded(value: Expr) -> Expr:
    """``value`` without the branches that raise."""

    def visit(e: Expr) -> Expr | None:
        match e:
            case ir.If(_, ir.Raise(), kept) | ir.If(_, kept, ir.Raise()):
                return _unguarded(kept)
            case _:
                return None

    return ir.transform(value, visit)
