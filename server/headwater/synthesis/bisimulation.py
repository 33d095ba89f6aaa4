"""``find_strongest_bisimulation`` and the bounds on ψ: Houdini over the atoms of ``U_ψ`` (001 sections 5.2, 5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import z3

from headwater_ir.expr import Expr

from ..semantics.values import lnot, lor
from .session import Session, Transition


@dataclass(frozen=True)
class Diagnosis:
    """Why no ψ certifies ``G``: ``violated`` failed on a row; ``kept_by`` are the atoms of ``G`` that are true on
    it."""

    violated: Literal["Init", "Sync", "Stutter", "Merge", "Final"]
    kept_by: frozenset[Expr]


def houdini(
    session: Session,
    atoms: list[Expr],
    prefilter: tuple[Expr, ...],
    transitions: tuple[Transition, ...],
    lower: Expr | None,
) -> list[Expr] | Diagnosis:
    """The strongest subset of ``atoms`` that ``transitions`` preserve; a Diagnosis as soon as ``lower`` falls."""
    alive = list(atoms)
    stable = False
    while not stable:
        stable = True
        for name in transitions:
            shrunk = _weaken(session, alive, prefilter, name, lower)
            if isinstance(shrunk, Diagnosis):
                return shrunk
            stable = stable and len(shrunk) == len(alive)
            alive = shrunk
        if len(transitions) == 1:
            break
    return alive


def _weaken(
    session: Session, alive: list[Expr], prefilter: tuple[Expr, ...], name: Transition, lower: Expr | None
) -> list[Expr] | Diagnosis:
    """Drop what one transition falsifies, to a fixpoint."""
    query = session.queries[name]
    guard = [] if name == "Merge" else [session.kept(prefilter) if name == "Sync" else session.dropped(prefilter)]
    guards = [query.literal(g) for g in guard]
    while alive:
        asked = session.frontier.minimal(alive)
        violated = query.literal(lor(*(lnot(query.after[a]) for a in asked)))
        model = session.ask(query.solver, violated, *guards, *query.selectors(asked))
        if model is None:
            break
        fallen = {a for a in asked if not z3.is_true(model.eval(query.after[a], model_completion=True))}
        if not fallen:
            raise AssertionError("a model of a violation violates nothing")
        if lower in fallen:
            return Diagnosis(name, kept_by(session, prefilter, model))
        alive = [a for a in alive if a not in fallen]
    return alive


def kept_by(session: Session, prefilter: tuple[Expr, ...], model: z3.ModelRef) -> frozenset[Expr]:
    """The atoms of ``G`` that are true on the model's row."""
    return frozenset(g for g in prefilter if z3.is_true(model.eval(session.keeps(g), model_completion=True)))


def find_strongest_bisimulation(
    session: Session, upper: list[Expr], prefilter: tuple[Expr, ...], lower: Expr
) -> list[Expr] | Diagnosis:
    """The strongest ψ between the bounds, or the witness why there is none."""
    transitions: tuple[Transition, ...] = tuple(session.queries)
    found = houdini(session, upper, prefilter, transitions, lower)
    return found if isinstance(found, Diagnosis) else session.frontier.minimal(found)
