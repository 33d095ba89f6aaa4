"""What must be proved of a path, and what must be so for it to be one. A crossing without a rule here is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import z3

from headwater_ir import expr as ir
from headwater_ir.crossing import (
    Asked,
    Crossing,
    MeetsArms,
    PassesCache,
    PassesClause,
    PassesExplode,
    PassesFilter,
    PassesGroups,
    PassesJoin,
    PassesLimit,
    PassesProject,
    PassesSetOperation,
    PassesShared,
    PassesSort,
    PassesUnion,
    PassesView,
    PassesWatermark,
    PassesWindow,
    Path,
    name_of,
)
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.types import ANY
from headwater_ir.verdict import Solution

from ...semantics.values import T
from ..conditions import Goal
from . import groups, joins, row_by_row
from .boundaries import meeting
from .encoding import OutOfReach
from .meaning import Claim, Claims, Meaning

LAWS: dict[type, Callable[[Meaning, Any], Claims]] = {
    Asked: row_by_row.asked,
    PassesFilter: row_by_row.filtered,
    PassesProject: row_by_row.project,
    PassesSort: row_by_row.same_rows,
    PassesView: row_by_row.same_rows,
    PassesCache: row_by_row.cache,
    PassesWatermark: row_by_row.watermark,
    PassesShared: row_by_row.shared,
    PassesExplode: row_by_row.explode,
    PassesUnion: joins.union,
    PassesSetOperation: joins.set_operation,
    PassesJoin: joins.join,
    PassesClause: joins.clause,
    PassesGroups: groups.groups,
    PassesWindow: groups.window,
    PassesLimit: groups.limit,
}
_MUST_STAY = (PassesShared, PassesUnion, PassesSetOperation, PassesJoin, PassesClause, MeetsArms)
"""Where rows come from another input as well, or others need them: what is dropped on one way stays to be dropped."""


def path_goals(path: Path, problem: FoldProblem, solution: Solution) -> list[Goal]:
    """Everything that must be proved of ``path``; OutOfReach if it is none that ends at ``problem``."""
    for complaint in complaints(path, problem):
        raise OutOfReach(complaint)
    found = []
    for number, crossing in enumerate(path.crossings, 1):
        last = number == len(path.crossings)
        for claim, axioms in _claims(crossing, path, problem, solution if last else None):
            if claim.shown is not T and not any(claim.shown.eq(g) for g in claim.given):
                part = f"{number} {name_of(crossing)}: {claim.part}"
                found.append(Goal("Crossing", part, (*axioms, *claim.given), claim.shown))
    return found


def _claims(
    crossing: Crossing, path: Path, problem: FoldProblem, solution: Solution | None
) -> list[tuple[Claim, tuple[z3.BoolRef, ...]]]:
    if solution is not None:
        m, claims = meeting(crossing, path.stays, problem, solution)
    else:
        m = Meaning(crossing, path.stays, problem.fold.params)
        claims = LAWS[type(crossing.passed)](m, crossing.passed)
    made = list(claims)  # which makes the axioms
    return [(c, tuple(m.rows.axioms)) for c in made]


def complaints(path: Path, problem: FoldProblem) -> Iterator[str]:
    """Why ``path`` is none from a filter to ``problem``."""
    if len(path.crossings) < 2:
        yield "a path has a filter and a boundary"
        return
    first, *between, last = path.crossings
    if not isinstance(first.passed, Asked):
        yield "a path begins with a filter"
    for crossing in between:
        if isinstance(crossing.passed, Asked) or type(crossing.passed) not in LAWS:
            yield "something between the filter and the boundary is no operator that has a law"
    for upper, lower in pairwise(path.crossings):
        if upper.after != lower.before:
            yield "a predicate arrives that was not sent"
        types = {c.name: c.type for c in lower.above}
        if any(types.get(c.name, c.type) != c.type for c in upper.below):
            yield "a column has two types in one frame"
    for crossing in path.crossings:
        if isinstance(crossing.passed, _MUST_STAY) and not path.stays:
            yield f"the filter must stay above a {name_of(crossing)}"
        if isinstance(crossing.passed, PassesView) and crossing.passed.alone not in problem.fold.assumptions:
            yield "that nobody else uses a view is not assumed"
        if _unsaid(crossing.after):
            yield "a predicate reads a state"
    outputs = {o.name: o.type for o in problem.fold.outputs}
    if any(c.type not in (ANY, outputs.get(c.name, c.type)) for c in (*last.above, *last.below)):
        yield "a column has another type in the fold"


def _unsaid(e: Expr) -> bool:
    return any(isinstance(n, (ir.Slot, ir.Present)) for n in ir.walk(e))
