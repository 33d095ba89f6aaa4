"""``weaken_via_bounds`` (001 section 5.2): refute and repair a candidate ``G`` without searching for ψ.

Stutter never refines the upper bound: ``G`` may still be too strong, and then ``¬G`` admits rows that a weaker ``G``
keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater_ir.expr import Expr

from ..semantics.values import land, lnot
from .bisimulation import Diagnosis, houdini, kept_by
from .session import Session


@dataclass(frozen=True)
class Feasible:
    """A candidate that the bounds do not refute, with the upper bound on ψ."""

    prefilter: tuple[Expr, ...]
    upper: list[Expr]


def weaken_via_bounds(session: Session, prefilter: tuple[Expr, ...], upper: list[Expr], lower: Expr) -> Feasible | None:
    """``prefilter`` or the strongest weakening of it that the bounds do not refute; None if that is no filter at
    all."""
    while prefilter:
        refined = refine_bounds(session, upper, prefilter, lower)
        diagnosis = (
            refined if isinstance(refined, Diagnosis) else check_unrealizable(session, refined, prefilter, lower)
        )
        if diagnosis is None:
            assert not isinstance(refined, Diagnosis)
            return Feasible(prefilter, refined)
        prefilter = repair(prefilter, diagnosis)
    return None


def refine_bounds(
    session: Session, upper: list[Expr], prefilter: tuple[Expr, ...], lower: Expr
) -> list[Expr] | Diagnosis:
    """The atoms that any ψ certifying ``prefilter`` or a weaker filter may hold: those that survive Init and Sync."""
    return houdini(session, upper, prefilter, ("Sync",), lower)


def check_unrealizable(
    session: Session, upper: list[Expr], prefilter: tuple[Expr, ...], lower: Expr
) -> Diagnosis | None:
    """A row on which Stutter fails for every ψ within the bounds, or None."""
    query = session.queries["Stutter"]
    goal = query.literal(land(session.dropped(prefilter), lnot(query.after[lower])))
    model = session.ask(query.solver, goal, *query.selectors(upper))
    return Diagnosis("Stutter", kept_by(session, prefilter, model)) if model is not None else None


def repair(prefilter: tuple[Expr, ...], diagnosis: Diagnosis) -> tuple[Expr, ...]:
    """A failing Stutter means that the row must be kept: drop the atoms false on it. A failing Sync means that it must
    not be: drop the atoms true on it."""
    if diagnosis.violated == "Stutter":
        return tuple(g for g in prefilter if g in diagnosis.kept_by)
    return tuple(g for g in prefilter if g not in diagnosis.kept_by)
