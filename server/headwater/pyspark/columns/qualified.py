"""Columns qualified by the name of their frame: ``F.col("a.x")`` where ``df.alias("a")`` stands below, or in a join.

Spark takes ``a.x`` for the column ``x`` of the frame that is called ``a`` before it takes it for a field of a column
``a`` (``AttributeSeq.resolve``). A column keeps that qualifier as long as it is the same attribute: through filters,
sorts and joins, and through projections that pass it on. A second alias takes the place of the first.

Where no join stands between, ``a.x`` is ``x``. Above a join two columns may be called ``x``, so it is the column
``a.x`` of the join, and ``Join.called`` says on which side it is ``x``. That the frame called ``a`` has an ``x`` is
certain wherever a filter on it comes to a boundary: among the outputs of that boundary.
"""

from __future__ import annotations

from headwater.pyspark.frames.tracked_values import EVERYTHING, TrackedFrame
from headwater_ir.plan import (
    Cache,
    Distinct,
    DropDuplicates,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    Sample,
    Shared,
    Sort,
)
from headwater_ir.plan import JoinSide as Side
from headwater_ir.types import Type

_KEEPS_QUALIFIERS = (Filter, Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Project)
_MOST_FRAMES = 64
"""That are looked at: a frame joined with itself again and again has very many ways down."""


def qualified(frame: TrackedFrame, alias: str, name: str) -> tuple[str, TrackedFrame] | None:
    """What ``frame`` calls the column ``name`` of the one frame called ``alias`` in it, and that frame; None if there
    is none, or which it is is not plain to see."""
    at: TrackedFrame | None = frame
    joins: list[TrackedFrame] = []
    for _ in range(_MOST_FRAMES):
        if at is None or _changes(at, name):
            return None
        plan = _plan(at)
        if isinstance(plan, Join) and plan.how not in ("semi", "anti"):
            joins.append(at)
            if name.lower() in {key.lower() for key in plan.using}:
                return None
            at = _side(at, plan, alias)
        elif at.alias is not None:
            found = at.alias.lower() == alias.lower()
            return (f"{at.alias}.{name}" if joins else name, at) if found else None
        elif isinstance(plan, (*_KEEPS_QUALIFIERS, Join)):
            at = at.parent
        else:
            return None
    return None


def called(left: TrackedFrame, right: TrackedFrame) -> tuple[tuple[str, Side, bool], ...]:
    """As ``Join.called``: each name by which a column of one side of a join, and of no other, can be qualified."""
    found: list[tuple[str, Side, bool]] = [(n, "left", plain) for n, plain in _names(left)]
    found += [(n, "right", plain) for n, plain in _names(right)]
    times = [n.lower() for n, _, _ in found]
    return tuple(f for f in found if times.count(f[0].lower()) == 1)


def type_of(frame: TrackedFrame, name: str) -> Type | None:
    """The type of the column ``name`` of the frame that is called so; None if it has no such column."""
    known = frame.schema.field(name)
    if known is None and frame.schema.complete:
        return None
    return known.type if known else frame.rest(name)


def _plan(frame: TrackedFrame) -> Plan:
    plan = frame.plan
    while isinstance(plan, Shared):
        plan = plan.child
    return plan


def _changes(frame: TrackedFrame, name: str) -> bool:
    """Whether the column ``name`` of the parent may not be one of ``frame``; a join only adds columns."""
    if isinstance(_plan(frame), Join) or frame.alias is not None:
        return False
    changed = frame.changed == EVERYTHING or name.lower() in {c.lower() for c in frame.changed}
    return changed or (frame.kept is not None and name not in frame.kept)


def _side(frame: TrackedFrame, plan: Join, alias: str) -> TrackedFrame | None:
    side = next((side for name, side, _ in plan.called if name.lower() == alias.lower()), None)
    given = frame.sources or (frame.parent, frame.other)
    return None if side is None or len(given) != 2 else given[side == "right"]


def _names(frame: TrackedFrame) -> list[tuple[str, bool]]:
    """The names of the frames that columns of ``frame`` can be qualified by, and whether each such column has its
    plain name there; of frames that are not known, none."""
    at: TrackedFrame | None = frame
    for _ in range(_MOST_FRAMES):
        if at is None:
            return []
        plan = _plan(at)
        if at.alias is not None:
            return [(at.alias, True)] if at.alias else []
        if isinstance(plan, Join) and plan.how not in ("semi", "anti"):
            return [(name, False) for name, _, _ in plan.called]
        if not isinstance(plan, (*_KEEPS_QUALIFIERS, Join)):
            return []
        at = at.parent
    return []
