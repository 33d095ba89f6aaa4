"""One in-process solver session per problem: the step is encoded once, every atom has a selector (THEORY.md section 3).

A query asks for *some* violated atom and the model drops *all* that it falsifies.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import Vocabulary
from ..semantics.symbolic import State
from ..semantics.values import land, lnot, lor
from .normal_form import simplify

BUSY = 4


class OutOfTime(Exception):
    """The problem's time is used up, or the solver gave up on a query."""


@dataclass
class Clock:
    """A deadline in ``time.process_time`` seconds."""

    deadline: float

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


@dataclass
class Query:
    """A solver with one transition's hypotheses, and every atom after it."""

    solver: z3.Solver
    after: dict[Expr, z3.BoolRef]
    selectors: dict[Expr, tuple[z3.BoolRef, ...]] = field(default_factory=dict)


class Session:
    """Encodes a problem with the atoms of its universes."""

    def __init__(
        self, problem: FoldProblem, prefilter: tuple[Expr, ...], residual: tuple[Expr, ...], psi: tuple[Expr, ...],
        clock: Clock,
    ) -> None:  # fmt: skip
        self.problem, self.clock, self.psi = problem, clock, psi
        self.lower = minimum(problem)
        self.v = v = Vocabulary(problem, [*prefilter, *residual, *psi])
        self.a1, wf1 = v.state("a1")
        self.a2, wf2 = v.state("a2")
        self.row = v.row()
        self.wf = [*wf1, *wf2]
        self.facts = v.facts(self.row)
        self.step1, self.step2 = v.step(self.a1, self.row), v.step(self.a2, self.row)
        self.keeps = {g: v.keeps((g,), self.row) for g in prefilter}
        self.before = self.encode(psi, self.a1, self.a2)
        self.queries: dict[Transition, Query] = {
            "Sync": self._query(self.step1.state, self.step2.state, [*self.facts, self.step1.ok, self.step2.ok]),
            "Stutter": self._query(self.step1.state, self.a2, [*self.facts, self.step1.ok]),
        }
        if problem.fold.merge is not None:
            self.queries["Merge"] = self._merge_query()

    def encode(self, atoms: tuple[Expr, ...], a1: State, a2: State) -> dict[Expr, z3.BoolRef]:
        """Each atom at a pair of states."""
        scope = self.v.scope(s1=a1, s2=a2)
        return {a: self.v.encoder.holds(a, scope) for a in atoms}

    def _query(self, a1: State, a2: State, hypotheses: list[z3.BoolRef]) -> Query:
        query = Query(self.solver(), self.encode(self.psi, a1, a2))
        query.solver.add(*self.wf, *hypotheses)
        for i, atom in enumerate(self.psi):
            selector = z3.Bool(f"on.{i}")
            query.solver.add(lor(lnot(selector), self.before[atom]))
            query.selectors[atom] = (selector,)
        return query

    def _merge_query(self) -> Query:
        v = self.v
        b1, wf1 = v.state("b1")
        b2, wf2 = v.state("b2")
        merged1, merged2 = v.merge(self.a1, b1), v.merge(self.a2, b2)
        query = self._query(merged1.state, merged2.state, [*wf1, *wf2, merged1.ok, merged2.ok])
        for i, (atom, at_b) in enumerate(self.encode(self.psi, b1, b2).items()):
            selector = z3.Bool(f"on.b.{i}")
            query.solver.add(lor(lnot(selector), at_b))
            query.selectors[atom] = (*query.selectors[atom], selector)
        return query

    def solver(self) -> z3.Solver:
        """A fresh solver with the axioms, seeded for reproducible answers."""
        solver = z3.Solver()
        solver.set("random_seed", 0)
        solver.add(*self.v.encoder.axioms)
        return solver

    def ask(self, solver: z3.Solver, *assumptions: z3.BoolRef) -> z3.ModelRef | None:
        """A model, or None if there is none. OutOfTime if the solver cannot tell."""
        solver.set("timeout", self.clock.wall_ms())
        answer = solver.check(*assumptions)
        if answer == z3.unknown:
            raise OutOfTime(f"solver: {solver.reason_unknown()}")
        return solver.model() if answer == z3.sat else None

    def initial_atoms(self, atoms: tuple[Expr, ...]) -> list[Expr]:
        """The atoms that satisfy Init."""
        a0 = self.v.initial()
        solver = self.solver()
        return [a for a, t in self.encode(atoms, a0, a0).items() if self.ask(solver, lnot(t)) is None]

    def dropped(self, prefilter: tuple[Expr, ...]) -> z3.BoolRef:
        """``¬G(r)``."""
        return lor(*(lnot(self.keeps[g]) for g in prefilter))

    def kept(self, prefilter: tuple[Expr, ...]) -> z3.BoolRef:
        """``G(r)``."""
        return land(*(self.keeps[g] for g in prefilter))


def minimum(problem: FoldProblem) -> Expr:
    """``ψ_min``: both runs pass P with equal outputs, or neither passes."""
    fold = problem.fold

    def at(side: ir.Side) -> tuple[Expr, dict[str, Expr]]:
        outs = {o.name: ir.on_side(o.value, side) for o in fold.outputs}
        passed = ir.transform(problem.predicate, lambda n: outs[n.name] if isinstance(n, ir.Out) else None)
        present = (ir.Present(side),) if fold.grouped else ()
        return ir.And((*present, ir.IsTrue(ir.on_side(fold.emit, side)), ir.IsTrue(passed))), outs

    (p1, outs1), (p2, outs2) = at(1), at(2)
    equal = tuple(ir.Same(outs1[n], outs2[n]) for n in outs1)
    return simplify(ir.Or((ir.And((p1, p2, *equal)), ir.And((ir.Not(p1), ir.Not(p2))))))
