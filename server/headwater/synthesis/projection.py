"""Strengthening by projection (THEORY.md section 3, step 5).

For a proved ``(G, ψ)`` the strongest pre-filter that ψ admits is ``G*(r) = ∃ a1, a2. ψ(a1, a2) ∧ ¬ψ(step(a1, r),
a2)``: rows that never change what ψ promises may be dropped. So a *weak* ψ, an inductive core, admits the most. It is
computed on *cells*, the satisfiable sign vectors of the row atoms that occur in P and f, and the rows of a droppable
cell are described by as few atoms as will do.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..semantics.symbolic import Scope
from ..semantics.values import land, lnot
from .normal_form import atoms, drops_nan, negate, simplify
from .readable import tidy_prefilter
from .row_queries import total_ones
from .session import Session
from .solving import assume, fresh_solver
from .universe import explicit_nan, keeping_nan

MAX_ATOMS = 7
Cube = tuple[tuple[Expr, bool], ...]


def strengthen(session: Session, prefilter: tuple[Expr, ...], psi: list[Expr]) -> Iterator[tuple[Expr, ...]]:
    """``prefilter`` with the droppable cells removed, but for those of rows that merely hold a NaN; nothing if every
    other cell that it keeps is needed. Then the same with NaN spelled out or let through, for a scan may lose it."""
    cells = _Cells(session, prefilter, psi)
    found = [_complement(cube) for cube in cells.droppable()]
    telling = dict.fromkeys(f for f in found if f is not None and not drops_nan(f))
    usable = total_ones(session.problem, tuple(telling))
    fold = session.problem.fold
    spelled = tuple(explicit_nan(fold, f) or f for f in usable)
    widened = tuple(keeping_nan(fold, f) or f for f in usable)
    for conditions in dict.fromkeys((usable, spelled, widened)):
        if conditions:
            yield tidy_prefilter(session, (*prefilter, *conditions))


def row_atoms(session: Session) -> list[Expr]:
    """The conditions on the row that occur in the universe of pre-filters, hence in P and f."""
    found: dict[Expr, None] = dict.fromkeys(
        a for g in session.universe for a in atoms(g) if not isinstance(a, ir.IsNaN)
    )
    return [a for a in found if ir.columns_of(a)][:MAX_ATOMS]


class _Cells:
    def __init__(self, session: Session, prefilter: tuple[Expr, ...], psi: list[Expr]) -> None:
        self._session = session
        query = session.queries["Stutter"]
        scope = Scope(row=session.row, params=session.v.params)
        self._atoms = {a: session.v.encoder.holds(a, scope) for a in row_atoms(session)}
        kept = land(*(session.v.encoder.holds(g, scope) for g in prefilter))
        self._rows = fresh_solver()
        assume(self._rows, (*session.facts, kept))
        self._stutter = fresh_solver()
        broken = lnot(land(*(query.after[a] for a in psi)))
        assume(self._stutter, (*session.wf, *session.facts, kept, session.step1.ok, broken))
        assume(self._stutter, (session.before[a] for a in psi))

    def droppable(self) -> Iterator[Cube]:
        """Cubes of rows that may be dropped, each as large as leaving out literals one by one makes it."""
        while (model := self._session.ask(self._rows)) is not None:
            cell: Cube = tuple((a, z3.is_true(model.eval(t, model_completion=True))) for a, t in self._atoms.items())
            if self._may_drop(cell):
                for literal in cell:
                    smaller = tuple(x for x in cell if x != literal)
                    cell = smaller if smaller and self._may_drop(smaller) else cell
                yield cell
            if not cell:
                return
            assume(self._rows, (lnot(self._term(cell)),))

    def _may_drop(self, cube: Cube) -> bool:
        self._stutter.push()
        try:
            assume(self._stutter, (self._term(cube),))
            return self._session.ask(self._stutter) is None
        finally:
            self._stutter.pop()

    def _term(self, cube: Cube) -> z3.BoolRef:
        return land(*(self._atoms[a] if sign else lnot(self._atoms[a]) for a, sign in cube))


def _complement(cube: Cube) -> Expr | None:
    """TRUE on every row outside the cube, NULLs included."""
    if not cube:
        return None
    parts: list[Expr] = []
    for atom, sign in cube:
        if not sign:
            parts.append(atom)
        else:
            parts += [
                negate(atom),
                *(ir.IsNull(ir.Col(c)) for c in sorted(ir.columns_of(atom)) if not isinstance(atom, ir.IsNull)),
            ]
    return simplify(ir.Or(tuple(parts)))
