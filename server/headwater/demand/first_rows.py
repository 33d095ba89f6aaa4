"""HW402: everything is collected, and only the first rows are looked at.

Law: a program that looks at no row behind the first n gives the same values when it is handed the first n alone. Which
rows of a frame without an order come first, Spark does not define; the rewritten program sees rows that the original
may see.
"""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.rewrite.edit import Edit
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Claim, Wall
from headwater_ir.plan import Project, Scan
from headwater_ir.span import Span
from headwater_ir.types import ANY, BOOL

from .needs import all_columns, columns_needed, most_rows
from .protocol import Answer, NotWorth, Proposal
from .worth import ordered_by, unknown_below, why_few
from .writing import in_front, method_span

_MOST = 1_000
"""Of more rows than that the limit is not what the program is about."""


_SORTS = re.compile(r"\b(orderBy|sort|sortWithinPartitions)\s*\(|\border\s+by\b", re.IGNORECASE)


def first_rows(wall: Wall, source: str) -> Answer:
    """A limit in front of ``wall``; None if its readers look at more than first rows."""
    count = most_rows(wall.readers) if wall.operator in ("collect", "toPandas") else None
    if count is None or not 0 < count <= _MOST:
        return None
    if any(isinstance(s, ir.Limited) for s in wall.steps):
        return NotWorth("the frame has a limit already")
    why = why_few(wall.plan) or _has_one_row(wall, count) or unknown_below(wall.plan) or _changes_ties(wall)
    if why is not None:
        return NotWorth(why)
    written = _written(wall, source, count)
    if written is None:
        return NotWorth("the call is not written plainly")
    own = method_span(wall, source)
    assert own is not None
    said, replaced, edits = written
    claims = tuple(Claim((*wall.steps, *r.reading), (*wall.steps, ir.Limited(count), *r.reading)) for r in wall.readers)
    if replaced != wall.call:  # pandas' own `head` goes
        claims = (Claim((*wall.steps, *wall.readers[0].reading), (*wall.steps, ir.Limited(count))),)
    rows = "the first row" if count == 1 else f"the first {count} rows"
    instead = own.text(source) if not wall.rdd else f"rdd.{own.text(source)}"
    return Proposal(
        "HW402", wall, own, said, instead, f"only {rows} of the result {'is' if count == 1 else 'are'} looked at",
        replaced, edits, claims, (*_types_kept(wall, count), *_if_without_ties(wall, source)), rows=count,
    )  # fmt: skip


def _has_one_row(wall: Wall, count: int) -> str | None:
    """Why a frame that a function is given, and takes one row of, has no other: that row would be any of them."""
    plan = wall.plan
    while isinstance(plan, Project) and not plan.keeps_others:
        plan = plan.child
    given = isinstance(plan, Scan) and plan.format == "unknown" and plan.origin.startswith("parameter ")
    columns = all(isinstance(s, (ir.Selected, ir.SelectedBy)) for s in wall.steps)
    if count > 1 or wall.operator != "collect" or not given or not columns:
        return None
    return "a frame that a function is given, and of which it takes any one row, has one"


def _changes_ties(wall: Wall) -> str | None:
    """Why a limit may keep other rows of an ordered frame than stand first in it: it breaks ties in another way."""
    order = ordered_by(wall.plan)
    if order is None:
        return "the order of the rows is not known"
    if not order:
        return None
    columns = all_columns(wall.readers)
    if columns is not None and {*columns} <= {*order}:
        return None
    return "a limit may keep another of several rows that are equal in the order"


def _if_without_ties(wall: Wall, source: str) -> tuple[Assumption, ...]:
    """What is assumed of frames that are handed in, or that code of the file makes in a way that is not followed, where
    the file sorts any."""
    if ordered_by(wall.plan) or not wall.unseen or not _sorts(source):
        return ()
    return tuple(Assumption("other", f"the rows of {m} are in no order, or in one without ties") for m in wall.unseen)


@lru_cache(maxsize=4)
def _sorts(source: str) -> bool:
    """Whether code in ``source`` may put rows in order."""
    return _SORTS.search(source) is not None


def _written(wall: Wall, source: str, count: int) -> tuple[str, Span, tuple[Edit, ...]] | None:
    """What is written, the expression that this changes, and the edits."""
    own = method_span(wall, source)
    if own is None:
        return None
    if wall.operator == "collect":
        method = f"{'take' if wall.rdd else 'head'}({count})"
        return method, wall.call, (Edit(own, method),)
    limit = in_front(wall, source, f"limit({count})")
    if limit is None:
        return None
    if len(wall.readers) == 1 and wall.readers[0].direct and wall.readers[0].reading == (ir.Limited(count),):
        whole = wall.readers[0].span
        rest = Span(wall.call.end, whole.end)
        if whole.start == wall.call.start and re.fullmatch(r"\s*(\.\s*head\(.*\)|\[:.*\])", rest.text(source)):
            return f"limit({count})", whole, (limit, Edit(rest, ""))
    return f"limit({count})", wall.call, (limit,)


def _types_kept(wall: Wall, count: int) -> tuple[Assumption, ...]:
    """pandas stores integers and booleans in another type where a NULL is among them, which may be in a later row."""
    if wall.operator != "toPandas" or not _sees_types(wall):
        return ()
    schema = wall.schema
    seen = all_columns(wall.readers)
    fields = [schema.field(n) for n in seen] if seen is not None else list(schema.fields)
    unknown = None in fields or (seen is None and not schema.complete)
    doubtful = [
        f.name for f in fields if f is not None and f.nullable and (f.type in (ANY, BOOL) or f.type.name == "int")
    ]
    if not unknown and not doubtful:
        return ()
    rows = "the first row" if count == 1 else f"the first {count} rows"
    which = " or ".join(f"`{n}`" for n in doubtful) if doubtful and not unknown else "integer or boolean column"
    return (Assumption("nulls", f"no {which} has its first NULL behind {rows}"),)


def _sees_types(wall: Wall) -> bool:
    """Whether a reader gets a value of pandas, and not only the number of rows."""
    return any(columns_needed(r.reading) != () for r in wall.readers)
