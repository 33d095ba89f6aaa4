"""What plans read, and what is below a node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union, get_args

from .parts import Boundary
from .plan import (
    Aggregate,
    Cause,
    Explode,
    Filter,
    GroupMap,
    Join,
    Limit,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Scan,
    SetOperation,
    Shared,
    UnionAll,
    Window,
)
from .span import Span


def inputs(plan: Plan) -> tuple[Plan, ...]:
    """What ``plan`` reads: two plans below a join or a union, none below a source."""
    if isinstance(plan, Scan):
        return ()
    if isinstance(plan, (Join, UnionAll, SetOperation)):
        return plan.left, plan.right
    if isinstance(plan, GroupMap) and plan.right is not None:
        return plan.child, plan.right
    return () if plan.child is None else (plan.child,)


def below(plan: Plan) -> Iterator[Plan]:
    """``plan`` and everything under it, each node once, top first; of two inputs the left one first."""
    todo, seen = [plan], set[int]()
    while todo:
        at = todo.pop()
        if id(at) not in seen:
            seen.add(id(at))
            yield at
            todo += reversed(inputs(at))


def aggregated_below(plan: Plan) -> Plan | None:
    """What ``plan``, a frame of one row, is an aggregate of without keys; None if it is none."""
    while isinstance(plan, (Project, Shared)):
        plan = plan.child
    return plan.child if isinstance(plan, Aggregate) and not plan.fold.keys else None


_OF_ALL_ABOVE = frozenset[Cause](("stream", "loop", "columns"))


def causes_below(plan: Plan) -> frozenset[Cause]:
    """Those causes of all ``Opaque`` nodes of ``plan`` that are true of whatever is made of it; that one of them makes
    each row of one row is not."""
    return frozenset().union(*(p.causes & _OF_ALL_ABOVE for p in below(plan) if isinstance(p, Opaque)))


def untranslated(filter_: Filter) -> Opaque | None:
    """What stands below ``filter_`` for its condition, as far as that has no model; None if all of it has one."""
    child, inside = filter_.child, filter_.condition
    if isinstance(child, Opaque) and inside.start <= child.span.start and child.span.end <= inside.end:
        return child
    return None


BoundaryNode = Union[RowUdf, Aggregate, GroupMap, Explode, Window, Limit]


def boundary_of(plan: Plan) -> Boundary | None:
    """The place of ``plan`` in the text, if it is a boundary."""
    return plan.boundary if isinstance(plan, get_args(BoundaryNode)) else None


def call_of(plan: Plan) -> Span:
    """Where the operator on top of ``plan`` is written."""
    if isinstance(plan, Filter):
        return plan.call
    return plan.boundary.span if isinstance(plan, (RowUdf, Aggregate, GroupMap)) else plan.span


def spark_sees_through(plan: Plan) -> bool:
    """Whether nothing stands in ``plan`` that hides from Spark what a filter above it means."""
    return not any(isinstance(p, Opaque) or boundary_of(p) is not None for p in below(plan))
