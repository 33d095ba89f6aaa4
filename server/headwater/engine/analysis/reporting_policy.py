"""What is true but not worth a message: the rules of "quiet by default"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import filterfalse
from typing import TYPE_CHECKING

from headwater.rewrite.spell_sql import spell_sql
from headwater.synthesis.row_queries import drops_only_missing
from headwater_ir.array_sizes import asks_presence, in_sizes
from headwater_ir.expr import And, Col, Expr, IsNull, Not, Or, Out, columns_of, conjuncts, outputs_of, transform
from headwater_ir.plan import Explode, Filter, GroupMap, Limit, Plan, RowUdf, Window
from headwater_ir.problem import CACHE, Fold, FoldProblem
from headwater_ir.verdict import Solution
from headwater_ir.walks import BoundaryNode

if TYPE_CHECKING:
    from headwater.operators.move import Moved


DRIVER = frozenset({"collect", "toLocalIterator", "toPandas"})
"""Boundaries behind which the driver's own code asks for rows."""


@dataclass(frozen=True)
class Quiet:
    """``reason``: why nothing is reported; ``lacks_facts``: whether more facts on missing values could change that."""

    reason: str
    lacks_facts: bool = False


def why_quiet(boundary: BoundaryNode, problem: FoldProblem, solution: Solution) -> Quiet | None:
    """Why ``solution`` is not reported, in words, or None if it is.

    The pre-filter is judged as a whole: one conjunct that is worth it makes all of it worth reporting, for that is what
    was proved.
    """
    if isinstance(boundary, RowUdf) and boundary.boundary.in_filter and solution.kind != "partial":
        return None  # the function need not be called at all
    parts = conjuncts(solution.pre_filter)
    fresh = [p for p in parts if not is_known(problem.fold, p) and not _stands_there(boundary.child, p)]
    if not fresh:
        return Quiet("the only sound pre-filter is already there")
    place = boundary.boundary
    if place is not None and place.operator in DRIVER:  # the driver looks at missing values too
        values = replace(
            problem, fold=replace(problem.fold, facts=tuple(filterfalse(_may_be_null, problem.fold.facts)))
        )
        fresh = [p for p in fresh if asks_for_values(p) or not drops_only_missing(values, p)]
        if not fresh:
            return Quiet("what the driver asks for is every row with a value")
    else:
        fresh = [p for p in fresh if not drops_only_missing(problem, p) and not asks_presence(p)]
    if not fresh:
        return Quiet("the only sound pre-filter drops missing values, which the boundary ignores anyway", True)
    if not isinstance(boundary, GroupMap) and all(_spark_moves(boundary, problem, p) for p in fresh):
        return Quiet("Spark moves this filter itself")
    return None


def asks_for_values(part: Expr) -> bool:
    """Whether the program says itself that it leaves out NULL: ``part`` asks for it and compares nothing."""
    match part:
        case And(operands=operands) | Or(operands=operands):
            return all(map(asks_for_values, operands))
        case Not(operand=IsNull()):
            return True
    return False


def _may_be_null(fact: Expr) -> bool:
    """Whether ``fact`` is TRUE of NULL, and so tells what values a column has that may have none of them in most rows:
    ``when(c, 1)``."""
    return isinstance(fact, Or) and any(isinstance(o, IsNull) for o in fact.operands)


def moves_anyway(moved: Moved) -> bool:
    """Whether Catalyst moves the whole filter below the boundary, whatever a search would find."""
    parts = conjuncts(moved.problem.predicate)
    stays = isinstance(moved.boundary, GroupMap) or _is_random(moved.boundary) or moved.problem.fold.api == CACHE
    return not stays and len(moved.key_only) == len(parts)


def _is_random(boundary: BoundaryNode) -> bool:
    """Whether Spark takes what the boundary makes for random, and moves no filter past it."""
    return boundary.boundary is not None and boundary.boundary.operator == "input_file_name"


def is_known(fold: Fold, part: Expr) -> bool:
    """Whether ``part`` is one of the conjuncts of what is TRUE on every input row, or is written like one."""
    known = [c for fact in fold.facts for c in conjuncts(fact)]
    text = spell_sql(part)
    return part in known or (text is not None and any(spell_sql(k) == text for k in known))


def _stands_there(below: Plan, part: Expr) -> bool:
    """Whether a filter right below the boundary has the conjunct ``part``; of a driver variable it is no known fact."""
    while isinstance(below, Filter):
        if any(in_sizes(c.condition) == part for c in below.conjuncts):
            return True
        below = below.child
    return False


def _spark_moves(boundary: BoundaryNode, problem: FoldProblem, part: Expr) -> bool:
    """Whether Catalyst moves this conjunct below the boundary without our help."""
    if _is_random(boundary) or problem.fold.api == CACHE:
        return False
    if isinstance(boundary, RowUdf):
        return part in _passed_through(problem)
    if isinstance(boundary, (Window, Limit)) or (isinstance(boundary, Explode) and boundary.arms):
        return False
    if isinstance(boundary, Explode) and not boundary.arms:
        return not any(map(boundary.makes, columns_of(part)))
    return columns_of(part) <= set(problem.fold.keys)


def _passed_through(problem: FoldProblem) -> frozenset[Expr]:
    """The conjuncts of the filter that read only columns which the function leaves alone, in terms of the input row."""
    same = {o.name: o.value for o in problem.fold.outputs if o.value == Col(o.name)}
    return frozenset(
        transform(c, lambda n: same[n.name] if isinstance(n, Out) else None)
        for c in conjuncts(problem.predicate)
        if outputs_of(c) <= same.keys()
    )
