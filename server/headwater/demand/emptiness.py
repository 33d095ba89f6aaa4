"""HW403: rows are counted, or collected, only to ask whether there are any.

Law: ``count() > 0`` and its kin give the same flag for every number of rows above 0; ``isEmpty`` stops at the first.
"""

from __future__ import annotations

import re

from headwater.pyspark.rdd.effects_below import if_pure
from headwater.rewrite.edit import Edit
from headwater_ir import demand as ir
from headwater_ir.demand import Claim, Wall
from headwater_ir.plan import Cache, Opaque, Plan, Shared, View
from headwater_ir.span import Span

from .needs import asks_for_any, flag_of, looks_for_none
from .protocol import Answer, NotWorth, Proposal
from .worth import computes, unknown_below, why_few
from .writing import in_front, method_span


def emptiness(wall: Wall, source: str) -> Answer:
    """``isEmpty()`` for a count at ``wall``; None if more is looked at than whether there are rows."""
    readings = [(*wall.steps, *r.reading) for r in wall.readers]
    if not readings or not all(asks_for_any(reading) for reading in readings):
        return None
    if wall.operator == "isEmpty" and not wall.rdd:
        return None
    own = method_span(wall, source)
    if own is None:
        return NotWorth("the call is not written plainly")
    others: list[Opaque] = []
    why = _why_not(wall, others) or why_few(wall.plan)
    if why is not None:
        return NotWorth(why)
    assumed = if_pure(others, source)
    reader = wall.readers[0]
    above = wall.steps[:-1] if wall.operator in ("count", "isEmpty") else wall.steps
    if len(wall.readers) == 1 and reader.direct:
        plain = flag_of(readings[0], 0)
        edits = _edits(wall, reader, source, plain=plain)
        if edits is None:
            return NotWorth("the call is not written plainly")
        said = "isEmpty()" if plain else "not … .isEmpty()"
        after: ir.Reading = (*above, ir.Empty()) if plain else (*above, ir.Empty(), ir.Not())
        return Proposal(
            "HW403", wall, own, said, " ".join(reader.span.text(source).split()),
            "only whether there are rows is looked at", reader.span, edits,
            (Claim(readings[0], after),), assumed,
        )  # fmt: skip
    if wall.rdd or wall.operator == "isEmpty":
        return None
    limit = in_front(wall, source, "limit(1)")
    if limit is None:
        return NotWorth("the call is not written plainly")
    claims = tuple(Claim(before, (*above, ir.Limited(1), *before[len(above) :])) for before in readings)
    said = f"limit(1).{own.text(source)}"
    why = "only whether there are rows is looked at"
    return Proposal("HW403", wall, own, said, own.text(source), why, wall.call, (limit,), claims, assumed)


def _edits(wall: Wall, reader: ir.Reader, source: str, *, plain: bool) -> tuple[Edit, ...] | None:
    """``reader`` as a call of ``isEmpty``, or its negation; None if it is not written plainly."""
    own, call, whole = method_span(wall, source), wall.call, reader.span
    if own is None:
        return None
    head, tail = source[whole.start : call.start], source[call.end : whole.end]
    negation = "" if plain else "not "
    if "\n" not in whole.text(source):
        receiver = source[call.start : wall.receiver.end]
        return (Edit(whole, f"{negation}{receiver}.isEmpty()"),)
    if wall.rdd and wall.operator == "isEmpty":  # what is done with the flag stays
        between = Span(wall.receiver.end, own.start)
        plainly = re.fullmatch(r"(\s*)\.\s*rdd\s*\.\s*", between.text(source))
        return None if plainly is None else (Edit(between, f"{plainly[1]}."),)
    # the parentheses around a chain of several lines stay
    closing = re.match(r"(?:\s|#[^\n]*\n)*\)", tail)
    if not re.fullmatch(r"\(\s*", head) or closing is None or wall.rdd:
        return None
    rest = Span(call.end + closing.end(), whole.end)
    start = Span(whole.start, whole.start)
    return (*((Edit(start, negation),) if negation else ()), Edit(own, "isEmpty()"), Edit(rest, ""))


def _why_not(wall: Wall, others: list[Opaque]) -> str | None:
    """Why it is not worth it; ``others`` takes the calls of functions of other files below."""
    if wall.guessed:
        return "nothing shows that it is a frame of Spark's, and others have no `isEmpty`"
    if any(isinstance(s, ir.Limited) for s in wall.steps):
        return "the frame has a limit already"
    if wall.operator == "count" and wall.again:
        return "the same rows are counted once more"
    if wall.operator == "count" and (wall.kept or _is_cache(wall.plan)):
        return "the frame is cached: to count it fills the cache, or reads what is there"
    if any(reader.role == "while" for reader in wall.readers):
        return "it ends a loop, in which the frame is computed again"
    if looks_for_none(wall):
        return "it is a check that there are no rows, for which all of them are looked for"
    if wall.rdd and wall.operator == "isEmpty":
        return None
    if (unknown := unknown_below(wall.plan, others)) is not None:
        return unknown
    return "all rows are computed before the first one comes out" if computes(wall.plan) else None


def _is_cache(plan: Plan) -> bool:
    while isinstance(plan, (Shared, View)):
        plan = plan.child
    return isinstance(plan, Cache)
