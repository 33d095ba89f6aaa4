"""Moving a filter down to a boundary, one operator at a time.

The whole filter moves or none of it: a conjunct that cannot be expressed at the boundary stops the filter.
"""

from __future__ import annotations

from dataclasses import replace

from typing_extensions import assert_never

from headwater_ir.expr import Col, Expr, Out, transform
from headwater_ir.plan import (
    Aggregate,
    BoundaryNode,
    Cache,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupingSets,
    GroupMap,
    Join,
    JoinInput,
    Limit,
    Opaque,
    Pivot,
    Plan,
    Project,
    RowUdf,
    Sample,
    Scan,
    Shared,
    Sort,
    UnionAll,
    Way,
    Window,
    below,
)
from headwater_ir.problem import Fold, FoldProblem

from . import (
    aggregate,
    cache,
    distinct,
    drop_duplicates,
    explode,
    filter,
    group_map,
    grouping_sets,
    join,
    join_input,
    limit,
    opaque,
    pivot,
    project,
    row_udf,
    sample,
    scan,
    shared,
    sort,
    union_all,
    window,
)
from .boundary import with_parameters
from .outcome import Moved, Stop, Stopped
from .refine import refine
from .visible import visible

__all__ = ["Moved", "Stopped", "beyond", "move"]


NotBoundary = (
    Scan | Filter | Project | Sort | Limit | Sample | Distinct | DropDuplicates | GroupingSets | Pivot | Window
    | Explode | UnionAll | Join | JoinInput | Cache | Shared | Opaque
)  # fmt: skip


def move(top: Filter) -> Moved | Stopped:
    """The fold problem of ``top`` and the boundary below it, or why there is none."""
    filters, ways = [top], top.ways
    above: list[Plan] = []
    renamed = together = False
    at: Plan = top.child
    try:
        predicate = filter.condition(top)
        while not isinstance(at, (RowUdf, Aggregate, GroupMap)):
            if isinstance(at, Filter) and at.conjuncts:
                filters.append(at)
            elif isinstance(at, Project):
                renamed |= project.renames(at)
            elif isinstance(at, Shared):
                predicate, filters = shared.through(at, above)
                ways, together = shared.ways(filters), True
            above.append(at)
            predicate, at = (predicate, at.child) if isinstance(at, Shared) else _through(predicate, at)
        moved = _at_boundary(predicate, at, tuple(filters), renamed, above, ways)
        return replace(moved, shared=together)
    except Stop as stop:
        quiet = stop.spark_moves or isinstance(at, (Filter, Project, Sort, Shared))
        return Stopped(stop.obstruction, stop.reason, top.call, no_boundary=quiet and _sees_through(top.child))


def _through(predicate: Expr, node: NotBoundary) -> tuple[Expr, Plan]:
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
        case Limit():
            limit.through(predicate, node)
        case Sample():
            sample.through(predicate, node)
        case Distinct():
            distinct.through(predicate, node)
        case DropDuplicates():
            drop_duplicates.through(predicate, node)
        case GroupingSets():
            grouping_sets.through(predicate, node)
        case Pivot():
            pivot.through(predicate, node)
        case Window():
            window.through(predicate, node)
        case Explode():
            explode.through(predicate, node)
        case UnionAll():
            union_all.through(predicate, node)
        case Join():
            join.through(predicate, node)
        case JoinInput():
            join_input.through(predicate, node)
        case Cache():
            cache.through(predicate, node)
        case Shared():
            shared.stop(node)
        case Opaque():
            opaque.through(predicate, node)
        case _:
            assert_never(node)


def _at_boundary(
    predicate: Expr,
    node: BoundaryNode,
    filters: tuple[Filter, ...],
    renamed: bool,
    above: list[Plan],
    ways: tuple[Way, ...] | None,
) -> Moved:
    fold, outputs, key_only = _meet(predicate, node)
    fold = visible(refine(with_parameters(fold, outputs), outputs), outputs, above, ways)
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


def beyond(moved: Moved) -> Stopped | None:
    """What stops a filter over key columns below the boundary that Spark itself moves it past; None if nothing does."""
    values = {o.name: o.value for o in moved.problem.fold.outputs if isinstance(o.value, Col)}
    predicate = transform(moved.problem.predicate, lambda e: values.get(e.name) if isinstance(e, Out) else None)
    at = moved.boundary.child
    try:
        while not isinstance(at, (RowUdf, Aggregate, GroupMap)):
            predicate, at = _through(predicate, at)
    except Stop as stop:
        if not stop.spark_moves:
            return Stopped(stop.obstruction, stop.reason, moved.filters[0].call)
    return None


def _sees_through(plan: Plan) -> bool:
    """Whether nothing stands in ``plan`` that hides from Spark what a filter above it means."""
    return not any(isinstance(p, (RowUdf, Aggregate, GroupMap, Opaque)) for p in below(plan))
