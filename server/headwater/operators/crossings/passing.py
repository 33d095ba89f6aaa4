"""What a filter passes on its way down, as the certificate describes it (``headwater_ir.crossing``).

Nothing is decided here. A description says what an operator is; whether a predicate may pass it is proved of the
description alone, by code that knows nothing of the rules here.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater.operators import columns
from headwater.operators.view import alone
from headwater_ir.crossing import (
    Asked,
    Crossing,
    MeetsArms,
    MeetsElements,
    MeetsFold,
    MeetsLimit,
    MeetsWindow,
    Passed,
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
)
from headwater_ir.expr import TRUE, Col, Expr, columns_of, conjoin
from headwater_ir.parts import JoinSide, Order
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Explode,
    Filter,
    GroupingSets,
    Join,
    JoinInput,
    Limit,
    Pivot,
    Plan,
    Project,
    RowUdf,
    SetOperation,
    Shared,
    Sort,
    UnionAll,
    View,
    Watermark,
    Window,
)
from headwater_ir.walks import BoundaryNode, inputs

from .evidence import sources, types


def asked(top: Filter, predicate: Expr) -> Crossing:
    """The filter itself."""
    said = tuple(c.condition for c in top.conjuncts)
    return Crossing(Asked(said, top.unread is not None), TRUE, predicate, (), types(top.child, columns_of(predicate)))


def passing(before: Expr, at: Plan, after: Expr, child: Plan, *, merged: bool = True, prefix: bool = False) -> Crossing:
    """``before`` above ``at`` as ``after`` on ``child``, one of its inputs."""
    own, other = _sides(at, child)
    passed = _passed(at, before, own, merged, prefix)
    here, there = _read(at, passed, own)
    others = [p for p in inputs(at) if p is not child] or [child]
    beside = types(others[0] if len(inputs(at)) > 1 else child, there) if other else ()
    return Crossing(
        passed, before, after, types(at, columns_of(before)), types(child, columns_of(after) | here), beside
    )


def meeting(before: Expr, at: BoundaryNode, predicate: Expr) -> Crossing:
    """``before`` where it meets a boundary, as ``predicate`` over the outputs of its fold."""
    read = columns_of(before)
    match at:
        case Explode() if at.arms:
            values = frozenset[str]().union(*(columns_of(e) for arm in at.arms for _, e in arm))
            below = types(at.child, values | (read - set(at.made)))
            return Crossing(MeetsArms(at.made, at.arms), before, predicate, types(at, read - set(at.made)), below)
        case Explode():
            node = MeetsElements(at.made, at.outer, at.placed, at.varies)
            return Crossing(node, before, predicate, types(at, read))
        case Window():
            window = _window(at, prefix=True)
            return Crossing(
                MeetsWindow(window), before, predicate, types(at, read), types(at.child, _window_reads(at) | read)
            )
        case Limit(order=Order() as order):
            here = types(at.child, read | {order.column})
            return Crossing(MeetsLimit(PassesLimit(order)), before, predicate, types(at, read), here)
    return Crossing(MeetsFold(), before, predicate, types(at, read))


def _sides(at: Plan, child: Plan) -> tuple[JoinSide, bool]:
    """Which input ``child`` is, and whether there is another."""
    if isinstance(at, (Join, UnionAll, SetOperation)):
        return ("left" if child is at.left else "right"), True
    return "left", False


def _passed(at: Plan, before: Expr, side: JoinSide, merged: bool, prefix: bool) -> Passed:
    read = columns_of(before)
    match at:
        case Filter():
            return PassesFilter(tuple(c.condition for c in at.conjuncts), at.unread is not None, merged)
        case Project():
            return PassesProject(at.columns, at.keeps_others, at.dropped)
        case RowUdf():
            return PassesProject(tuple((o.name, o.value) for o in at.fold.outputs), True, ())
        case Sort():
            return PassesSort()
        case Cache():
            return PassesCache(at.operator)
        case View():
            return PassesView(alone(at))
        case Watermark():
            return PassesWatermark(sources(at.child))
        case Shared():
            filters = at.filters or ()
            return PassesShared(at.consumers, tuple(conjoin(tuple(c.condition for c in f.conjuncts)) for f in filters))
        case UnionAll():
            pairs = [(n, n) for n in sorted(read)] if at.by_name else at.right_names or ()
            return PassesUnion(side, _named(pairs, read, side), at.may_miss)
        case SetOperation():
            return PassesSetOperation(at.operator, side, _named(at.right_names or (), read, side))
        case Join():
            has = [tuple(sorted(columns.surely_has(p) & _bare(read))) for p in (at.left, at.right)]
            return PassesJoin(
                at.how, side, at.using, at.left_columns, at.right_columns, at.equal, at.ordered, at.called, *has
            )
        case JoinInput():
            return PassesClause(at.how, at.side)
        case Distinct():
            return PassesGroups("distinct", None)
        case DropDuplicates():
            return PassesGroups("dropDuplicates", tuple((k, k) for k in at.keys or ()))
        case Pivot():
            return PassesGroups("pivot", tuple((k, k) for k in at.keys), at.listed)
        case Aggregate():
            keys = ((o.name, o.value) for o in at.fold.outputs)
            pairs = [(n, v.name) for n, v in keys if isinstance(v, Col) and v.name in at.fold.keys]
            return PassesGroups("aggregate", tuple(pairs), at.fold.grouped)
        case GroupingSets():
            made = at.child.made if isinstance(at.child, Explode) else ()
            return PassesGroups("grouping sets", tuple((k, k) for k in made))
        case Window():
            return _window(at, prefix=prefix)
        case Limit(order=Order() as order):
            return PassesLimit(order)
        case Explode():
            return PassesExplode(at.made, at.varies)
    raise AssertionError(f"no filter passes {type(at).__name__}")


def _bare(read: frozenset[str]) -> frozenset[str]:
    return frozenset(n for n in read if "." not in n)


def _window(at: Window, *, prefix: bool) -> PassesWindow:
    return PassesWindow(at.windows, at.columns, at.keeps_others, prefix)


def _window_reads(at: Window) -> frozenset[str]:
    parts = [*(e for _, e in at.columns), *(e for w in at.windows for e in w.computed)]
    keys = [*(w.partition or () for w in at.windows), *((w.running.column,) for w in at.windows if w.running)]
    return frozenset[str]().union(*(columns_of(e) for e in parts), *keys)


def _named(pairs: Iterable[tuple[str, str]], read: frozenset[str], side: JoinSide) -> tuple[tuple[str, str, str], ...]:
    """By the name in the result, those on the side that is entered and on the other one."""
    named = [(left, right) for left, right in pairs if left in read]
    return tuple((left, left, right) if side == "left" else (left, right, left) for left, right in named)


def _read(at: Plan, passed: Passed, side: JoinSide) -> tuple[frozenset[str], frozenset[str]]:
    """The columns that the operator itself looks at: of the input that is entered, and of the other one."""
    none = frozenset[str]()
    match passed:
        case PassesUnion(names=names) | PassesSetOperation(names=names):
            return frozenset(own for _, own, _ in names), frozenset(other for _, _, other in names)
        case PassesJoin():
            pairs = [*((k, k) for k in passed.using), *passed.equal, *((a, b) for a, _, b in passed.ordered)]
            left, right = frozenset(a for a, _ in pairs), frozenset(b for _, b in pairs)
            return (left, right) if side == "left" else (right, left)
        case PassesProject():
            return none.union(*(columns_of(e) for _, e in passed.columns)), none
        case PassesWindow() if isinstance(at, Window):
            return _window_reads(at), none
        case PassesLimit(order=order):
            return frozenset({order.column}), none
        case PassesGroups(keys=keys):
            return frozenset(own for _, own in keys or ()), none
    return none, none
