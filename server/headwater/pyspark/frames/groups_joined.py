"""Joins whose sides are aggregates of one frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from headwater_ir.plan import Aggregate, Join, Plan, Project, Shared
from headwater_ir.span import Span

from .tracked_values import Binding, TrackedFrame

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*$")
_LONGEST = 200


def sides_of(join: Join) -> list[tuple[Plan, ...]] | None:
    """The sides of ``join``, and of inner joins on the same columns on its left, in order: each frame down to the
    aggregate that it has all rows of. None if one of them is something else."""
    if join.how != "inner" or not join.using or join.equal or join.ordered or join.called:
        return None
    left, right = join.left, _of_groups(join.right)
    if isinstance(left, Join):
        others = sides_of(left) if {*left.using} == {*join.using} else None
    else:
        of_left = _of_groups(left)
        others = None if of_left is None else [of_left]
    return None if others is None or right is None else [*others, right]


def _of_groups(plan: Plan) -> tuple[Plan, ...] | None:
    found = [plan]
    while isinstance(plan, Project):
        plan = plan.child
        found.append(plan)
    return tuple(found) if isinstance(plan, Aggregate) else None


def frame_of_both(join: Plan, text_at: Callable[[Span], str], lookup: Callable[[str], Binding | None]) -> str | None:
    """The variable that holds, where ``lookup`` looks, the frame of which all sides of ``join`` are aggregates.
    ``text_at``: the text of the file there."""
    sides = sides_of(join) if isinstance(join, Join) else None
    if sides is None:
        return None
    aggregates = [side[-1] for side in sides]
    assert isinstance(aggregates[0], Aggregate)
    end = aggregates[0].boundary.insert_at
    named = _NAME.search(text_at(Span(max(end - _LONGEST, 0), end)))
    held = None if named is None else lookup(named[0])
    frame = None if held is None else held.frame or held.value
    if named is None or not isinstance(frame, TrackedFrame):
        return None
    one = without_notes(frame.plan)
    same = all(isinstance(a, Aggregate) and without_notes(a.child) is one for a in aggregates)
    return named[0] if same else None


def without_notes(plan: Plan) -> Plan:
    """``plan`` without the note that others read it."""
    while isinstance(plan, Shared):
        plan = plan.child
    return plan


def is_read_alone(join: Join, only: Callable[[Plan], Plan | None]) -> bool:
    """Whether ``join`` alone reads its sides. ``only``: the operator that alone reads a frame."""
    return all(only(lower) is upper for upper, lower in _pairs(join))


def _pairs(join: Join) -> Iterator[tuple[Plan, Plan]]:
    """The frames that ``join`` is made of, down to the aggregates, each behind what reads it there."""
    for side in (join.left, join.right):
        yield join, side
        if isinstance(side, Join):
            yield from _pairs(side)
        while isinstance(side, Project):
            yield side, side.child
            side = side.child
