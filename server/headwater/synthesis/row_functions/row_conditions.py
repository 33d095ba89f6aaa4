"""Conditions on one row, compared and shortened: on sampled rows first, then by the solver."""

from __future__ import annotations

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ...proof.vocabulary import Vocabulary, pushable_columns
from ...semantics.interpreter import Env
from ...semantics.symbolic import Scope
from ...semantics.values import UnsupportedTerm, land, lnot, lor
from ..masks import Masks
from ..normal_form import simplify
from ..samples import Sampler
from ..session import Clock, OutOfTime
from ..solving import assume, check, fresh_solver

Path = tuple[Expr, ...]
"""A conjunction of conditions on the row, sql dialect."""
SAMPLED = 200


def said(paths: list[Path]) -> Expr:
    """The disjunction of ``paths``."""
    return simplify(ir.Or(tuple(ir.And(p) for p in paths)))


class RowConditions:
    """One symbolic row of a row function's input, and a few hundred concrete ones."""

    def __init__(self, problem: FoldProblem, clock: Clock) -> None:
        self._clock = clock
        self._v = Vocabulary(problem)
        self._row = self._v.row()
        self._scope = Scope(row=self._row, params=self._v.params)
        self._solver = fresh_solver()
        assume(self._solver, self._v.facts(self._row))
        self._axioms = 0
        group = Sampler(problem, 0).group(SAMPLED)
        self._masks = Masks([Env(row=r, params=group.params) for r in group.rows] if group else [])

    def total(self, e: Expr) -> bool:
        """Whether ``e`` raises nothing on any row."""
        try:
            return self._unsatisfiable(lnot(self._v.total((e,), self._row)))
        except (UnsupportedTerm, KeyError):
            return False

    def impossible(self, path: Path) -> bool:
        """Whether no row satisfies all of ``path``."""
        try:
            return self._unsatisfiable(land(*(self._v.encoder.holds(c, self._scope) for c in path)))
        except (UnsupportedTerm, KeyError):
            return False

    def never(self, predicate: Expr) -> bool:
        """Whether the output of no row passes ``predicate``."""
        outs = {o.name: self._v.encoder.eval(o.value, self._v.scope(self._row, tag=1)) for o in self._v.fold.outputs}
        return self._unsatisfiable(
            self._v.encoder.holds(predicate, Scope(row=self._row, outs=outs, params=self._v.params))
        )

    def shortened(self, paths: list[Path]) -> list[Path]:
        """The same rows in fewer words: conditions and whole paths left out one by one."""
        current = list(paths)
        for i in range(len(current)):
            for part in list(current[i]):
                shorter = tuple(c for c in current[i] if c != part)
                trial = [*current[:i], shorter, *current[i + 1 :]]
                current = trial if shorter and self._same(current, trial) else current
        for path in list(current):
            trial = [p for p in current if p is not path]
            current = trial if trial and self._same(current, trial) else current
        return current

    def _same(self, before: list[Path], after: list[Path]) -> bool:
        """Whether both keep the same rows, and ``after`` loses no more of them to a scan that loses NaN rows."""
        old, new = said(before), said(after)
        if self._masks.true(old) != self._masks.true(new):
            return False
        exposed = sorted(set(pushable_columns(new)) - set(pushable_columns(old)))
        nan = lor(*(land(lnot(self._row[c].null), self._row[c].nan) for c in exposed))
        held, holds = (self._v.encoder.holds(e, self._scope) for e in (old, new))
        differs = lor(land(held, lnot(holds)), land(holds, lnot(held)), land(held, nan))
        return self._unsatisfiable(differs)

    def _unsatisfiable(self, term: z3.BoolRef) -> bool:
        axioms = self._v.encoder.axioms
        assume(self._solver, axioms[self._axioms :])
        self._axioms = len(axioms)
        self._solver.set("timeout", self._clock.wall_ms())
        flag = z3.FreshBool("claim")
        assume(self._solver, (lor(lnot(flag), term),))
        answer = check(self._solver, (flag,))
        if answer is None:
            raise OutOfTime("solver: " + self._solver.reason_unknown())
        return not answer
