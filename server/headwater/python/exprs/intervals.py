"""Which whole numbers an expression can yield: what decides whether a result fits the declared integer type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from headwater_ir.expr import Arith, Call, Col, Compare, Expr, If, Lit, Neg, Raise, Slot, slots_of, walk
from headwater_ir.types import Type

from .types import Types

INFINITY = math.inf


@dataclass(frozen=True)
class Range:
    """Whole numbers from ``low`` to ``high`` (empty if ``low > high``), beside None and NaN; ``infinite``: also
    ±inf. ``by_rows``: an end depends on how many rows a group may have."""

    low: float = INFINITY
    high: float = -INFINITY
    infinite: bool = False
    by_rows: bool = False

    def join(self, other: Range) -> Range:
        """The smallest range that holds both."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Range(low, high, self.infinite or other.infinite, self.by_rows or other.by_rows)

    @property
    def bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low > -INFINITY and self.high < INFINITY

    @property
    def empty(self) -> bool:
        """Whether it holds no number."""
        return self.low > self.high


EMPTY = Range()
MOST_ROWS = 2**31
"""No group is taken to have more rows (docs/limitations.md)."""
SlotRanges = Mapping[int, "Range | None"]


def of_type(t: Type) -> Range | None:
    """The values of a type; None for a type whose values may be fractional or are no numbers."""
    if t.name != "int":
        return EMPTY if t.name == "null" else None
    return Range(-(2 ** (t.bits - 1)), 2 ** (t.bits - 1) - 1) if t.bits else Range(-INFINITY, INFINITY)


def range_of(e: Expr, column_types: Types, slots: SlotRanges, loose: bool = False) -> Range | None:
    """The whole numbers that ``e`` can yield, or None if it may yield anything else than numbers, None and NaN.
    ``loose``: of a choice between two values each counts, whatever the condition says."""
    if isinstance(e, Lit):
        return _literal(e)
    if isinstance(e, Col):
        return of_type(column_types[e.name]) if e.name in column_types else None
    if isinstance(e, Slot):
        return slots.get(e.index)
    if isinstance(e, Call):
        return of_type(e.type)
    if isinstance(e, If):
        then, otherwise = (range_of(x, column_types, slots, loose) for x in (e.then, e.otherwise))
        joined = then.join(otherwise) if then and otherwise else None
        return joined if loose or joined is None else _capped(e, joined)
    if isinstance(e, Neg):
        inner = range_of(e.operand, column_types, slots, loose)
        return Range(-inner.high, -inner.low, inner.infinite, inner.by_rows) if inner else None
    if isinstance(e, Arith):
        left, right = (range_of(x, column_types, slots, loose) for x in (e.left, e.right))
        found = _arithmetic(e.op, left, right) if left and right else None
        return replace(found, by_rows=bool(left and right and (left.by_rows or right.by_rows))) if found else None
    return EMPTY if isinstance(e, Raise) else None


def _capped(e: If, joined: Range) -> Range:
    """``joined``, the range of ``e``, where ``e`` is the smaller or the greater of a value and a constant."""
    c = e.cond
    if not isinstance(c, Compare) or c.op not in ("<", "<=", ">", ">=") or {c.left, c.right} != {e.then, e.otherwise}:
        return joined
    limit = next((_literal(x) for x in (c.left, c.right) if isinstance(x, Lit)), None)
    if limit is None or limit.empty or limit.infinite:
        return joined
    if (c.op in ("<", "<=")) == (e.then == c.left):
        return replace(joined, high=min(joined.high, limit.high))
    return replace(joined, low=max(joined.low, limit.low))


def _literal(e: Lit) -> Range | None:
    value = e.value
    if value is None:
        return EMPTY
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return EMPTY if math.isnan(value) else Range(infinite=True)
    return Range(value, value) if value == int(value) else None


def _arithmetic(op: str, a: Range, b: Range) -> Range | None:
    if a.infinite or b.infinite or op not in ("+", "-", "*", "//", "%"):
        return None
    if a.empty or b.empty:
        return EMPTY
    if op == "//" and b.low >= 1:
        return Range(min(a.low, 0), max(a.high, 0))
    if op in ("//", "%"):  # neither exceeds the dividend, or the divisor, for divisors are whole
        of = a if op == "//" else b
        most = max(abs(of.low), abs(of.high))
        return Range(-most, most)
    if op == "+":
        return Range(a.low + b.low, a.high + b.high)
    if op == "-":
        return Range(a.low - b.high, a.high - b.low)
    corners = [0 if 0 in (x, y) else x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Range(min(corners), max(corners))


def slot_ranges(init: list[Expr], step: list[Expr], column_types: Types) -> dict[int, Range | None]:
    """The range of each slot over any number of steps: a few exact rounds, then what still moves grows by as much with
    each row, or is opened."""
    found: dict[int, Range | None] = {i: range_of(e, column_types, {}) for i, e in enumerate(init)}
    moving = set(found)
    for _ in range(len(step) + 3):
        new = {i: _widen(found[i], range_of(e, column_types, found), False) for i, e in enumerate(step)}
        moving = {i for i in found if new[i] != found[i]}
        found = new
    if not moving:
        return found
    grown = _grown(found, moving, step, column_types)
    if grown is not None:
        return grown
    for attempt in range(len(step) + 5):
        new = {i: _widen(found[i], range_of(e, column_types, found), attempt > 2) for i, e in enumerate(step)}
        if new == found:
            break
        found = new
    else:
        return dict.fromkeys(found)
    return found


def _grown(
    found: dict[int, Range | None], moving: set[int], step: list[Expr], column_types: Types
) -> dict[int, Range | None] | None:
    """The ranges after as many rows as a group may have, if each row moves every end by no more than the next one does.

    The ends of a step over sums and choices are convex functions of how often the ends have moved, so that what holds
    of the first row and of the last one holds of each between. None if it does not hold.
    """

    def after_a_row(at: Mapping[int, Range | None]) -> dict[int, Range | None]:
        loose = {i: bool(slots_of(e) & moving) for i, e in enumerate(step)}
        return {i: _widen(at[i], range_of(e, column_types, at, loose[i]), False) for i, e in enumerate(step)}

    def after(rows: int) -> dict[int, Range | None]:
        return {i: _moved(r, first[i], rows) for i, r in found.items()}

    while True:
        first = after_a_row(found)
        more = {i for i in found if first[i] != found[i]}
        if more <= moving:
            break
        moving = moving | more
    if any(slots_of(e) & moving and not _linear(e, moving) for e in step):
        return None
    last = after(MOST_ROWS)
    return last if after_a_row(last) == after(MOST_ROWS + 1) else None


def _moved(old: Range | None, new: Range | None, rows: int) -> Range | None:
    """``old`` when what makes it ``new`` has happened ``rows`` times."""
    if old is None or new is None or old == new:
        return old
    low = old.low if old.low == new.low else old.low - (old.low - new.low) * rows
    high = old.high if old.high == new.high else old.high + (new.high - old.high) * rows
    return Range(low, high, new.infinite, by_rows=True)


def _linear(e: Expr, moving: set[int]) -> bool:
    return all(not slots_of(n) & moving or n.op in "+-" for n in walk(e) if isinstance(n, Arith))


def counts(slot: int, step: Expr) -> bool:
    """Whether ``step`` only ever adds small constants to the slot."""
    if isinstance(step, If):
        return counts(slot, step.then) and counts(slot, step.otherwise)
    if isinstance(step, Arith) and step.op in "+-" and isinstance(step.right, Lit):
        small = isinstance(step.right.value, int) and abs(step.right.value) < 2**20
        return small and counts(slot, step.left)
    return step == Slot(slot)


def _widen(old: Range | None, new: Range | None, jump: bool) -> Range | None:
    if old is None or new is None:
        return None
    both = old.join(new)
    if jump and both != old:
        low = -INFINITY if both.low < old.low else both.low
        return Range(low, INFINITY if both.high > old.high else both.high, both.infinite)
    return both
