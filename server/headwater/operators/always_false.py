"""A filter by itself, whoever else reads the frames below it: for the question whether any row can ever pass it.

Nothing is moved by asking, so that others who read a shared frame need not agree: ``σ_P(d)`` is empty or not, whatever
else ``d`` is used for. Only filters that ask for a NULL of what is never NULL are worth the question.
"""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.expr import Expr, If, IsNull, Lit, Out, conjuncts
from headwater_ir.plan import Cache, Distinct, Filter, Plan, Project, Shared, Sort

from .move import Moved, moves


def asks_in_vain(top: Filter) -> Moved | None:
    """The fold problem of ``top`` as if it alone read the frame, if it seems that no row can pass; else None."""
    for moved in moves(replace(top, child=_alone(top.child), ways=None)):
        if isinstance(moved, Moved) and _is_null_of_what_is_not(moved):
            return moved
    return None


def _alone(plan: Plan) -> Plan:
    if isinstance(plan, Shared):
        return _alone(plan.child)
    if isinstance(plan, (Filter, Project, Sort, Distinct, Cache)):
        return replace(plan, child=_alone(plan.child))
    return plan


def _is_null_of_what_is_not(moved: Moved) -> bool:
    values = {o.name: o.value for o in moved.problem.fold.outputs}
    asked = (c.operand for c in conjuncts(moved.problem.predicate) if isinstance(c, IsNull))
    return any(_never_null(values[e.name]) for e in asked if isinstance(e, Out))


def _never_null(e: Expr) -> bool:
    match e:
        case Lit(value=value):
            return value is not None
        case If(cond=IsNull(operand=tested), then=then, otherwise=otherwise) if tested == otherwise:
            return _never_null(then)
        case If(then=then, otherwise=otherwise):
            return _never_null(then) and _never_null(otherwise)
    return False
