"""Moving a filter down to a boundary, one operator at a time.

The whole filter moves or none of it: a conjunct that cannot be expressed at the boundary stops the filter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from headwater_ir.crossing import Crossing, PassesCache, Path
from headwater_ir.expr import Call, Col, Expr, Out, conjoin, conjuncts, transform
from headwater_ir.plan import (
    Aggregate,
    Explode,
    Filter,
    GroupMap,
    Limit,
    Plan,
    Project,
    RowUdf,
    Scan,
    Shared,
    Sort,
    Way,
    Window,
)
from headwater_ir.problem import CACHE, FoldProblem
from headwater_ir.types import BOOL
from headwater_ir.verdict import Obstruction
from headwater_ir.walks import BoundaryNode, inputs, spark_sees_through

from . import aggregate, columns, explode, filter, limit, row_udf, shared, window
from .boundary import with_parameters
from .crossings import passing
from .implied import implied
from .liveness import visible
from .outcome import Down, Moved, Stop, Stopped, may_raise
from .registry import operator_of
from .type_inference import refine

__all__ = ["Moved", "Stopped", "beyond", "move", "moves"]


_MOST_WAYS = 16
"""That one filter takes down."""


@dataclass(frozen=True)
class _Going:
    """A filter on its way down: P in terms of ``at``, the operators above, and what ``Moved`` says of it."""

    predicate: Expr
    at: Plan
    filters: tuple[Filter, ...]
    ways: tuple[Way, ...] | None
    above: tuple[Plan, ...] = ()
    renamed: bool = False
    stays: bool = False
    alone: bool = False
    """Whether P goes without what else its filter says, and without the filters below, which are moved on their own."""
    whole: bool = True
    path: tuple[Crossing, ...] = ()

    def below(self, predicate: Expr, child: Plan, *, merged: bool = True, prefix: bool = False) -> _Going:
        """Below the operator ``at``, with ``predicate`` on ``child``, an input of it."""
        passed = passing.passing(self.predicate, self.at, predicate, child, merged=merged, prefix=prefix)
        return replace(self, predicate=predicate, at=child, path=(*self.path, passed))


def move(top: Filter) -> Moved | Stopped:
    """The fold problem of ``top`` and the first boundary below it that it reaches, or why there is none."""
    return next(iter(moves(top)))


def moves(top: Filter) -> tuple[Moved | Stopped, ...]:
    """Every boundary that ``top`` reaches, or what stops it if it reaches none: never empty."""
    try:
        asked = filter.condition(top)
        going = [_Going(asked, top.child, (top,), top.ways, path=(passing.asked(top, asked),))]
    except Stop as stop:
        return (_without_meaning(stop, top),)
    return _all_ways(top, going)


def _all_ways(top: Filter, going: list[_Going]) -> tuple[Moved | Stopped, ...]:
    found: list[Moved] = []
    stops: list[Stopped] = []
    for _ in range(_MOST_WAYS):
        if not going:
            break
        branches, ends = _follow(top, going.pop(0))
        going = [*branches, *going]
        found += [e for e in ends if isinstance(e, Moved)]
        stops += [e for e in ends if isinstance(e, Stopped)]
    stops.sort(key=lambda s: s.no_boundary)
    many = Stopped("opaque", "the frame is put together of too many others", top.call)
    return tuple(found) or (*stops, many)[:1]


_WHATEVER_IT_ASKS: tuple[Obstruction, ...] = ("row-context", "shared-subplan", "cardinality-barrier")
"""What stops any filter that reads certain columns, whatever else it reads and means."""


def _without_meaning(stop: Stop, top: Filter) -> Stopped:
    """Why a filter stays of which nothing is known but columns that it reads: what would stop it if it had a meaning,
    or else that it has none."""
    told = _stopped(stop, top, top.child)
    if told.no_boundary or not top.reads:
        return told
    whatever = Call("a condition", tuple(map(Col, top.reads)), BOOL)
    ends = _all_ways(top, [_Going(whatever, top.child, (top,), None)])
    plain = (e for e in ends if isinstance(e, Stopped) and e.obstruction in _WHATEVER_IT_ASKS)
    return told if any(isinstance(e, Moved) for e in ends) else next(plain, told)


def _follow(top: Filter, going: _Going) -> tuple[list[_Going], list[Moved | Stopped]]:
    """Where a filter comes down to: branches to follow, and boundaries or an end."""
    met: list[Moved | Stopped] = []
    others: list[_Going] = []
    try:
        while not isinstance(at := going.at, (RowUdf, Aggregate, GroupMap)):
            if isinstance(at, Explode) and explode.is_met(going.predicate, at):
                return [*others, *_beside(going, at)], [*met, _at_boundary(top, going, at)]
            if isinstance(at, (Window, Limit)) and (kept := _prefix(going.predicate, at)) is not None:
                others += _beside(going, at)
                part = replace(going, stays=True, alone=True)
                whole = isinstance(at, Limit) and limit.is_all(going.predicate, kept)
                if _is_met(at):  # of several windows, and of several limits, the last one down
                    others_met = [m for m in met if isinstance(m, Moved) and type(m.boundary) is not type(at)]
                    met, going = [*others_met, _at_boundary(top, going if whole else part, at, kept)], part
                going = going if whole else part
                going = going.below(kept, at.child, prefix=True)
                going = replace(going, above=(*going.above, at), renamed=going.renamed or operator_of(at).renames(at))
                continue
            branches = _step(going, at)
            if len(branches) > 1:
                return [*others, *branches], met
            (going,) = branches
        return [*others, *_below_keys(going, at)], [*met, _at_boundary(top, going, at)]
    except Stop as stop:
        return others, met or [_stopped(stop, top, going.at)]


def _prefix(predicate: Expr, at: Window | Limit) -> Expr | None:
    """What ``predicate`` implies that keeps a prefix of the order of ``at``; None if that is nothing."""
    return limit.prefix(predicate, at) if isinstance(at, Limit) else window.prefix(predicate, at, columns)


def _is_met(at: Window | Limit) -> bool:
    """Whether a filter may be written before ``at``, and not before a limit right below it as well."""
    lower = at.child.boundary if isinstance(at, Limit) and isinstance(at.child, Limit) else None
    return at.boundary is not None and lower is None


def _beside(going: _Going, met: Explode | Window | Limit) -> list[_Going]:
    """What else of a filter goes on below a boundary that meets it: conjuncts that do not speak of its outputs."""
    try:
        return _step(going, met)
    except Stop:
        return []


def _below_keys(going: _Going, met: RowUdf | Aggregate | GroupMap) -> list[_Going]:
    """What a filter says of keys goes on below a native aggregate, where Spark moves it, to the next boundary; and what
    it says of other columns than a function of rows makes, below that."""
    below: Expr | None = None
    if isinstance(met, RowUdf):
        below = row_udf.beyond(going.predicate, met)
    elif isinstance(met, Aggregate):
        below = aggregate.beyond(going.predicate, met, columns)
    if below is None:
        return []
    above = (*going.above, met)
    going = replace(going, above=above, renamed=True, stays=True, alone=True)
    return [going.below(below, met.child)]


def _stopped(stop: Stop, top: Filter, at: Plan) -> Stopped:
    unclear = stop.obstruction == "opaque"  # what is not known of it matters only where it could come to a boundary
    quiet = unclear or stop.spark_moves or isinstance(at, (Filter, Project, Sort, Shared))
    nothing = isinstance(at, Scan) or (quiet and spark_sees_through(top.child))
    return Stopped(stop.obstruction, "no boundary" if unclear and nothing else stop.reason, top.call, nothing)


def _step(going: _Going, at: Plan) -> list[_Going]:
    """``going`` below the operator ``at``."""
    if isinstance(at, Shared):
        together, filters = shared.together(at, going.above)
        ways = shared.ways(filters)
        going = replace(going, filters=tuple(filters), ways=ways, above=(*going.above, at), stays=True)
        return [going.below(together, at.child)]
    if isinstance(at, Filter) and at.conjuncts and not going.alone:
        going = replace(going, filters=(*going.filters, at))
    renamed = going.renamed or operator_of(at).renames(at)
    going = replace(going, above=(*going.above, at), renamed=renamed)
    if isinstance(at, Filter) and going.alone:
        return [going.below(filter.past(going.predicate), at.child, merged=False)]
    try:
        downs, alone = list(_through(going.predicate, at)), operator_of(at).stays
    except Stop as stop:
        downs, alone = _in_part(going.predicate, at, stop), True
    if alone:
        going = replace(going, stays=True, alone=True)
    return [replace(going.below(d.predicate, d.child), whole=going.whole and d.whole) for d in downs]


def _in_part(predicate: Expr, node: Plan, stop: Stop) -> list[Down]:
    """The conjuncts that pass where not all do; ``stop`` if there are none.

    A row that satisfies the whole filter satisfies each conjunct, so ``σ_{P ∧ Q}(op(d)) = σ_{P ∧ Q}(σ_P(op(d)))``: the
    filter stays, and P alone moves on. It is asked of rows that Q would have dropped first, so it must not raise.
    """
    parts = conjuncts(predicate)
    found: dict[int, list[Down]] = {}
    for part in parts:
        for down in (_passing(part, node) if len(parts) > 1 else ()) or implied(part, lambda p: _passing(p, node)):
            found.setdefault(id(down.child), []).append(down)
    if not found:
        raise stop
    return [
        Down(conjoin([d.predicate for d in downs]), downs[0].child, any(d.whole for d in downs))
        for downs in found.values()
    ]


def _passing(predicate: Expr, node: Plan) -> tuple[Down, ...]:
    try:
        return () if may_raise(predicate) else _through(predicate, node)
    except Stop:
        return ()


def _through(predicate: Expr, node: Plan) -> tuple[Down, ...]:
    """``predicate`` below ``node``, and what is there; Stop if it does not pass."""
    found = operator_of(node).through(predicate, node, columns)
    return found if isinstance(found, tuple) else (Down(found, inputs(node)[0]),)


def _at_boundary(top: Filter, going: _Going, node: BoundaryNode, kept: Expr | None = None) -> Moved:
    """The fold problem at ``node``, of the predicate or of what of it is ``kept``."""
    meet = operator_of(node).meet
    assert meet is not None
    fold, outputs, key_only = meet(going.predicate if kept is None else kept, node, columns)
    if any(isinstance(c.passed, PassesCache) for c in going.path):
        fold = replace(fold, api=CACHE)
    # What the filter reads beside P is seen by it.
    above = (top, *going.above) if going.alone or top.unread is not None else going.above
    fold = visible(refine(with_parameters(fold, outputs), outputs), outputs, above, going.ways)
    stays = going.stays or (isinstance(node, Explode) and (node.outer or node.placed or bool(node.arms)))
    path = Path((*going.path, passing.meeting(going.predicate, node, outputs)), stays)
    return Moved(node, going.filters, FoldProblem(fold, outputs), going.renamed, key_only, stays, going.whole, path)


def beyond(moved: Moved) -> Stopped | None:
    """What stops a filter over key columns below the boundary that Spark itself moves it past; None if nothing does."""
    values = {o.name: o.value for o in moved.problem.fold.outputs if isinstance(o.value, Col)}
    predicate = transform(moved.problem.predicate, lambda e: values.get(e.name) if isinstance(e, Out) else None)
    going = [Down(predicate, moved.boundary.child)]
    for _ in range(_MOST_WAYS):
        if not going:
            break
        down = going.pop(0)
        try:
            while not isinstance(down.child, (RowUdf, Aggregate, GroupMap)):
                down, *others = _through(down.predicate, down.child)
                going += others
        except Stop as stop:
            if not stop.spark_moves:
                return Stopped(stop.obstruction, stop.reason, moved.filters[0].call)
    return None
