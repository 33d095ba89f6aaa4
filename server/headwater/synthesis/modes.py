"""Parts of the search that can be switched off, for ``make bench NAME=synthesis`` to show what each is worth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mode:
    """``bounds``: refute candidates by bounds on ψ before searching for one. ``repair``: let a failed condition say
    which atoms of ``G`` to drop, not only drop them one by one. ``two_phase``: find the pre-filter and its ψ with
    ``R = P`` alone, and only then the residual. ``concrete``: run the fold on sampled groups before asking the solver.
    ``projection``: strengthen the answer (THEORY.md section 3, step 5)."""

    bounds: bool = True
    repair: bool = True
    two_phase: bool = False
    concrete: bool = True
    projection: bool = True


FULL = Mode()
