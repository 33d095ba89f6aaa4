"""Moving a filter down to a boundary, one operator at a time.

The whole filter moves or none of it: a conjunct that cannot be expressed at the boundary stops the filter.
"""

from __future__ import annotations

from typing_extensions import assert_never

from headwater_ir.expr import Expr
from headwater_ir.plan import (
    Aggregate,
    BoundaryNode,
    Filter,
    GroupMap,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Scan,
    Shared,
    Sort,
)
from headwater_ir.problem import Fold, FoldProblem

from . import aggregate, filter, group_map, opaque, project, row_udf, scan, shared, sort
from .boundary import with_parameters
from .outcome import Moved, Stop, Stopped
from .refine import refine
from .visible import visible

__all__ = ["Moved", "Stopped", "move"]


def move(top: Filter) -> Moved | Stopped:
    """The fold problem of ``top`` and the boundary below it, or why there is none."""
    filters = [top]
    above: list[Plan] = []
    predicate = filter.condition(top)
    renamed = False
    at: Plan = top.child
    try:
        while not isinstance(at, (RowUdf, Aggregate, GroupMap)):
            if isinstance(at, Filter):
                filters.append(at)
            elif isinstance(at, Project):
                renamed |= project.renames(at)
            above.append(at)
            predicate, at = _through(predicate, at)
        return _at_boundary(predicate, at, tuple(filters), renamed, above)
    except Stop as stop:
        return Stopped(stop.obstruction, stop.reason, top.call, no_boundary=_sees_through(top.child))


def _through(predicate: Expr, node: Scan | Filter | Project | Sort | Shared | Opaque) -> tuple[Expr, Plan]:
    """``predicate`` below ``node``, and what is there; Stop if it does not pass."""
    match node:
        case Filter():
            return filter.through(predicate, node), node.child
        case Project():
            return project.through(predicate, node), node.child
        case Sort():
            return sort.through(predicate, node), node.child
        case Scan():
            scan.through(predicate, node)
        case Shared():
            shared.through(predicate, node)
        case Opaque():
            opaque.through(predicate, node)
        case _:
            assert_never(node)


def _at_boundary(
    predicate: Expr, node: BoundaryNode, filters: tuple[Filter, ...], renamed: bool, above: list[Plan]
) -> Moved:
    fold, outputs, key_only = _meet(predicate, node)
    fold = visible(refine(with_parameters(fold, outputs), outputs), outputs, above)
    return Moved(node, filters, FoldProblem(fold, outputs), renamed, key_only)


def _meet(predicate: Expr, node: BoundaryNode) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    match node:
        case RowUdf():
            return row_udf.meet(predicate, node)
        case Aggregate():
            return aggregate.meet(predicate, node)
        case GroupMap():
            return group_map.meet(predicate, node)
        case _:
            assert_never(node)


def _sees_through(plan: Plan) -> bool:
    """Whether nothing stands below but sources and operators that Spark moves filters through itself."""
    at: Plan | None = plan
    while at is not None and not isinstance(at, Scan):
        if isinstance(at, (RowUdf, Aggregate, GroupMap, Opaque)):
            return False
        at = at.child
    return True
