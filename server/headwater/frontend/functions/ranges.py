"""Which whole numbers an expression can yield: what decides whether a result fits the declared integer type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from headwater_ir.expr import Arith, Call, Col, Expr, If, Lit, Neg, Raise, Slot
from headwater_ir.types import Type

from .types import Types

INFINITY = math.inf


@dataclass(frozen=True)
class Range:
    """Whole numbers from ``low`` to ``high`` (empty if ``low > high``), beside None and NaN; ``infinite``: also
    ±inf."""

    low: float = INFINITY
    high: float = -INFINITY
    infinite: bool = False

    def join(self, other: Range) -> Range:
        """The smallest range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high), self.infinite or other.infinite)

    @property
    def bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low > -INFINITY and self.high < INFINITY

    @property
    def empty(self) -> bool:
        """Whether it holds no number."""
        return self.low > self.high


EMPTY = Range()
SlotRanges = Mapping[int, "Range | None"]


def of_type(t: Type) -> Range | None:
    """The values of a type; None for a type whose values may be fractional or are no numbers."""
    if t.name != "int":
        return EMPTY if t.name == "null" else None
    return Range(-(2 ** (t.bits - 1)), 2 ** (t.bits - 1) - 1) if t.bits else Range(-INFINITY, INFINITY)


def range_of(e: Expr, column_types: Types, slots: SlotRanges) -> Range | None:
    """The whole numbers that ``e`` can yield, or None if it may yield anything else than numbers, None and NaN."""
    if isinstance(e, Lit):
        return _literal(e)
    if isinstance(e, Col):
        return of_type(column_types[e.name]) if e.name in column_types else None
    if isinstance(e, Slot):
        return slots.get(e.index)
    if isinstance(e, Call):
        return of_type(e.type)
    if isinstance(e, If):
        then, otherwise = range_of(e.then, column_types, slots), range_of(e.otherwise, column_types, slots)
        return then.join(otherwise) if then and otherwise else None
    if isinstance(e, Neg):
        inner = range_of(e.operand, column_types, slots)
        return Range(-inner.high, -inner.low, inner.infinite) if inner else None
    if isinstance(e, Arith):
        left, right = range_of(e.left, column_types, slots), range_of(e.right, column_types, slots)
        return _arithmetic(e.op, left, right) if left and right else None
    return EMPTY if isinstance(e, Raise) else None


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
    """The range of each slot over any number of steps: a few exact rounds, then every end that still moves is
    opened."""
    found: dict[int, Range | None] = {i: range_of(e, column_types, {}) for i, e in enumerate(init)}
    for attempt in range(len(step) + 5):
        new = {i: _widen(found[i], range_of(e, column_types, found), attempt > 2) for i, e in enumerate(step)}
        if new == found:
            break
        found = new
    else:
        return dict.fromkeys(found)
    return found


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
