"""Whether a call of an edited text asks a frame for what was proved, and every other call for what it asked before.

Law: the expression that was changed begins with the same frame, spelled as before; how it is read, by the steps that
the front end sees in the new text, is one of the readings on the right side of the claims, and each of these is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from headwater.syntax.names.module_scope import Context
from headwater_ir.change import SmallerDemand
from headwater_ir.demand import BY_ROW, Reading, Wall
from headwater_ir.module import Module
from headwater_ir.plan import Boundary, Filter, Opaque
from headwater_ir.span import Span
from headwater_ir.walks import boundary_of

from .equality import Different
from .syntax import Found

_EMPTY = ".isEmpty()"


def check(
    asked: Sequence[SmallerDemand], gone: Sequence[Span], found: Found, before: Module, after: Module, old: Context,
    new: Context, holes: tuple[Span, ...] = (), named: Sequence[Span] = (),
) -> None:  # fmt: skip
    """``Different`` unless the walls of ``after`` are those of ``before`` with the changes ``asked``, and without what
    stands at ``holes``. ``gone``: what has become a part of another job, ``named``: what has been given a name in
    its place."""
    if found.inserted and not asked and not gone:
        return  # a filter changes nothing that is done with rows; it may show that more variables are frames
    became = {old.span(a): new.span(b) for a, b in found.replaced}
    mine = {c.call for c in asked}
    added = [*named, *(new.span(s) for s in found.added.values())]  # what they ask for is a matter of ``passes``
    left = [w for w in after.walls if not is_within(w.call, added)]
    for change in asked:
        wall = next((w for w in before.walls if (w.call, w.operator) == (change.call, change.operator)), None)
        place = became.get(change.replaced)
        if wall is None or place is None:
            raise Different(f"the call of `{change.operator}` is not there")
        left.remove(_changed(change, wall, place, after, old, new, holes))
    kept = iter([_shape(w) for w in before.walls if w.call not in mine and not is_within(w.call, gone)])
    # some may no longer be seen to be calls of a frame; a method of an RDD is one where a filter in front of it is gone
    if not all(_shape(w) in kept for w in left if w.operator not in BY_ROW):
        raise Different("another call hands other rows to the driver")


def shown_as_frames(
    asked: Sequence[SmallerDemand], found: Found, before: Module, old: Context, new: Context
) -> str | None:
    """The new text in which ``x.isEmpty()`` is ``x.rdd.isEmpty()`` where it was ``.rdd`` that showed that ``x`` is a
    frame, so that what else is done with ``x`` can be read; None if that is nowhere so. Both mean the same."""
    became = {old.span(a): new.span(b) for a, b in found.replaced}
    calls = {c.call: became[c.replaced] for c in asked if c.replaced in became}
    places = [calls[w.call] for w in before.walls if w.rdd and w.call in calls]
    ends = [p.end - len(_EMPTY) for p in places if p.text(new.source).endswith(_EMPTY)]
    text = new.source
    for end in sorted(ends, reverse=True):
        text = f"{text[:end]}.rdd{text[end:]}"
    return text if ends else None


def asks_rows_of(filter_: Filter, calls: Sequence[Span]) -> bool:
    """Whether ``filter_`` is a condition of the driver's on the rows that one of ``calls`` hands to it."""
    if filter_.style != "driver":
        return False
    boundary = boundary_of(filter_.child)
    asked = filter_.child if boundary is None else boundary
    end = asked.span.end if isinstance(asked, (Boundary, Opaque)) else filter_.call.end
    return any(c.start <= end <= c.end for c in calls)


def _changed(
    change: SmallerDemand, wall: Wall, place: Span, after: Module, old: Context, new: Context, holes: tuple[Span, ...]
) -> Wall:
    """The wall of the new text that stands for ``wall``."""
    if wall.operator in BY_ROW:
        inside = [w for w in after.walls if w.operator == wall.operator and _method(w, new) == place]
    else:
        inside = [w for w in after.walls if place.start <= w.call.start and w.call.end <= place.end]
        inside = [w for w in inside if w.operator not in BY_ROW]
    if len(inside) != 1:
        raise Different(f"`{place.text(new.readable)}` has {len(inside)} calls that hand rows to the driver")
    now = inside[0]
    if _text(now.base, new) != _text(wall.base, old, holes):
        raise Different("the frame is another one")
    readings = sorted((_full(now, r.reading) for r in now.readers), key=repr)
    if readings != sorted((c.after for c in change.claims), key=repr):
        raise Different(f"the frame is read by {readings}")
    before = sorted((_full(wall, r.reading) for r in wall.readers), key=repr)
    if before != sorted((c.before for c in change.claims), key=repr):
        raise Different("what is proved is not how the frame was read")
    if wall.operator not in BY_ROW and now.call != place and place not in [r.span for r in now.readers if r.direct]:
        raise Different("more has changed than the call")
    return now


def _method(wall: Wall, context: Context) -> Span | None:
    """The expression in front of the argument of ``wall``, such as ``frame.rdd.map``; None if there is none."""
    named = re.match(rf"\s*\.\s*rdd\s*\.\s*{wall.operator}", context.source[wall.receiver.end : wall.call.end])
    return named and Span(wall.call.start, wall.receiver.end + named.end())


def is_within(span: Span, others: Sequence[Span]) -> bool:
    """Whether ``span`` lies in one of ``others``."""
    return any(o.start <= span.start and span.end <= o.end for o in others)


def _full(wall: Wall, reading: Reading) -> Reading:
    return (*wall.steps, *reading)


def _shape(wall: Wall) -> object:
    """A pre-filter may have come in front of it; what the texts have in common is seen in their trees. How often its
    rows are read in one way is no difference: a condition that reads a number may stand twice in what is added."""
    return wall.operator, {r.reading for r in wall.readers}


def _text(span: Span, context: Context, holes: tuple[Span, ...] = ()) -> str:
    text = span.text(context.readable)
    for hole in sorted(holes, reverse=True):
        if span.start <= hole.start and hole.end <= span.end:
            text = text[: hole.start - span.start] + text[hole.end - span.start :]
    return " ".join(text.split())
