"""Strengthening by projection (THEORY.md section 3, step 5).

For a proved ``(G, ψ)`` the strongest pre-filter that ψ admits is ``G*(r) = ∃ a1, a2. ψ(a1, a2) ∧ ¬ψ(step(a1, r),
a2)``: rows that never change what ψ promises may be dropped. So a *weak* ψ admits the most, and the ψ that proved ``G``
need not be weak enough. Cells, the satisfiable sign vectors of the row atoms that occur in P and f, are therefore
proposed twice: those that concrete runs can do without, whatever ψ, and those that the inductive core of ψ admits. The
rows of a droppable cell are described by as few atoms as will do. What is proposed is proved from scratch.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

from ..semantics.symbolic import Scope
from ..semantics.values import land, lnot
from .concrete import Laboratory
from .normal_form import atoms, drops_nan, negate, simplify
from .readable import tidy_prefilter
from .row_queries import total_ones
from .session import Session
from .solving import assume, fresh_solver
from .universe import explicit_nan, keeping_nan

MAX_ATOMS = 7
SINGLE_CELLS = 6
Cube = tuple[tuple[Expr, bool], ...]


def strengthen(session: Session, prefilter: tuple[Expr, ...], psi: list[Expr]) -> Iterator[tuple[Expr, ...]]:
    """``prefilter`` with the droppable cells removed, but for those of rows that merely hold a NaN; nothing if every
    other cell that it keeps is needed. Then the same with NaN made explicit or let through, for a scan may lose it."""
    yield from _strengthened(session, prefilter, list(_Cells(session, prefilter, psi).droppable()))


def _strengthened(session: Session, prefilter: tuple[Expr, ...], cubes: list[Cube]) -> Iterator[tuple[Expr, ...]]:
    found = [_complement(cube) for cube in cubes]
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


def proposals(lab: Laboratory, session: Session, prefilter: tuple[Expr, ...]) -> Iterator[tuple[Expr, ...]]:
    """Strengthenings of ``prefilter`` that no concrete run speaks against: all the cells that it can do without, then
    single ones."""
    literals = row_atoms(session)
    cells = list(_unneeded(lab, literals, lab.kept(prefilter)[0]))
    yield from _strengthened(session, prefilter, _enlarged(lab, lab.kept(prefilter)[0], cells))
    for cell in cells[:SINGLE_CELLS] if len(cells) > 1 else ():
        yield from _strengthened(session, prefilter, [cell])


def _unneeded(lab: Laboratory, literals: list[Expr], kept: int) -> Iterator[Cube]:
    """Cells of sampled rows that may be dropped one after the other."""
    seen = 0
    while left := kept & ~seen:
        row = (left & -left).bit_length() - 1
        cell: Cube = tuple((a, lab.keeps(a, row)) for a in literals)
        rows = _rows(lab, cell)
        seen |= rows
        if lab.harmless(kept & ~rows):
            kept &= ~rows
            yield cell


def _enlarged(lab: Laboratory, kept: int, cells: list[Cube]) -> list[Cube]:
    """Fewer cubes over the same rows and no others that matter, each with as few literals as will do."""
    found: list[Cube] = []
    for cell in cells:
        if found and not kept & _rows(lab, cell):
            continue
        for literal in cell:
            larger = tuple(x for x in cell if x != literal)
            if larger and lab.harmless(kept & ~_rows(lab, larger)):
                cell = larger
        kept &= ~_rows(lab, cell)
        found.append(cell)
    return found


def _rows(lab: Laboratory, cube: Cube) -> int:
    rows = -1
    for atom, sign in cube:
        rows &= lab.rows_with(atom, sign)
    return rows


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
