"""Points in time: a text gives the reading of a clock, and the model their order.

Law: a text such as ``2024-03-10 12:00:00`` is the instant at which the clocks of the session's time zone show it first,
or would have. Midnights of two days, and times two days apart, have the order of their texts in every zone; times that
are closer need not, where clocks are put forward between them (02:30 is then 03:30, behind 03:00). Python sees what the
clock shows, of an hour that comes twice the same for two instants; an aggregate of Spark compares instants.
Reference: ``java.time.LocalDateTime.atZone``, which ``DateTimeUtils.stringToTimestamp`` follows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Col, Expr, IsNaN, Lit, Not, walk
from headwater_ir.problem import Fold
from headwater_ir.types import TIMESTAMP

from .outcome import Stop

_OF_SPARK = frozenset("filter agg max min count sum avg mean window".split())
"""Boundaries that compare instants, of rows that hold no objects of Python."""
APART = dt.timedelta(days=2)
"""How far two times of day stand apart whose order is that of their texts in every zone."""
SKIPPED = frozenset(map(dt.date.fromisoformat, ("1844-12-31", "1993-08-21", "1994-12-31", "2011-12-30")))
"""Days that some zone has skipped on its way over the date line: their midnight is that of the next day."""
_ONCE = Assumption("clock", "no timestamp falls into an hour that clocks of its time zone show twice")


def with_clock_facts(fold: Fold, predicate: Expr) -> Fold:
    """``fold`` with what is known of timestamps; Stop where the order of two of them is not."""
    times = _times((*fold.init, *fold.step, *(o.value for o in fold.outputs), fold.emit, *fold.facts, predicate))
    midnights = all(t.time() == dt.time() for t in times)
    if not midnights and any(b - a < APART for a, b in pairwise(times)):
        raise Stop("opaque", "two times of day may be in another order where clocks are put forward between them")
    if len(times) > 1 and any(t.date() in SKIPPED for t in times):
        raise Stop("opaque", "there are places that have skipped that day")
    if fold.api in _OF_SPARK:
        return replace(fold, facts=tuple(dict.fromkeys((*fold.facts, *_no_nat(fold)))))
    if not midnights or any(p.type == TIMESTAMP for p in fold.params):
        return replace(fold, assumptions=tuple(dict.fromkeys((*fold.assumptions, _ONCE))))
    return fold


def _times(parts: Iterable[Expr]) -> list[dt.datetime]:
    """In the order of their texts, each once."""
    found = (n.value for e in parts for n in walk(e) if isinstance(n, Lit))
    return sorted({v for v in found if isinstance(v, dt.datetime)})


def _no_nat(fold: Fold) -> Iterator[Expr]:
    """That timestamps in columns are none of pandas' NaT, which is NULL there."""
    yield from (Not(IsNaN(Col(c.name))) for c in fold.columns if c.type == TIMESTAMP and not c.ghost)
