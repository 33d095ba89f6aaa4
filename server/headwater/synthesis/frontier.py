"""Which atoms of ψ need to be asked about.

Atoms are clauses, and a clause whose literals are among another's implies it. So only the minimal clauses go to the
solver; when one falls, those that it implied come forward. Nothing is lost by it: the conjunction of the minimal
clauses is the conjunction of all.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from headwater_ir import expr as ir
from headwater_ir.expr import Expr

LONGEST = 6
"""Clauses beyond this many literals are always asked about, for their subsets are too many to look up."""


class Frontier:
    """The clauses of a universe, each with its literals."""

    def __init__(self) -> None:
        self._literals: dict[Expr, frozenset[Expr]] = {}

    def minimal(self, atoms: Iterable[Expr]) -> list[Expr]:
        """``atoms`` without those that others among them imply by their literals; the order is kept."""
        found = list(atoms)
        present = {self._of(a) for a in found}
        return [a for a in found if not self._implied(self._of(a), present)]

    def _implied(self, literals: frozenset[Expr], present: set[frozenset[Expr]]) -> bool:
        if not 1 < len(literals) <= LONGEST:
            return False
        return any(
            frozenset(subset) in present for size in range(1, len(literals)) for subset in combinations(literals, size)
        )

    def _of(self, atom: Expr) -> frozenset[Expr]:
        known = self._literals.get(atom)
        if known is None:
            clause = atom.operands if isinstance(atom, ir.Or) and atom.dialect == "sql" else (atom,)
            known = self._literals[atom] = frozenset(clause)
        return known
