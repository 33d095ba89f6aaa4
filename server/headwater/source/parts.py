"""A condition by parts of the values of its column: on each it is evaluated once, for all of them.

The values are cut where the condition may change (``cuts``); parts on which it is still not decided, where years, then
months begin. Those on which it is TRUE, or may be, are what a test of the bare column says.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from itertools import pairwise

from headwater.proof.ranges import checker
from headwater.proof.ranges.calendar import EPOCH, civil, first, number
from headwater.proof.ranges.meaning import Truths, column, ends_of, truths
from headwater.proof.ranges.midnights import is_plain
from headwater.proof.ranges.numbers import NAN_KEY, of_key
from headwater_ir.expr import Col, Compare, CompareOp, Expr, In, IsNull, Lit, conjoin, disjoin
from headwater_ir.ranges import RangeCertificate
from headwater_ir.types import DATE, TIMESTAMP, Type

from .cuts import comparisons, turns

_MOST_RANGES = 3
"""More of them hide what is asked, and as many rows are read for one that holds them all."""
_MOST_BOUNDS = 2
"""Of numbers: more bounds, of what a sum wraps to, read worse than a range beside the condition."""
_MOST_YEARS = 60
_MOST_MONTHS, _LONGEST_MONTH = 3, 31
_WIDE_GAP = 3653
_WORDS = (number(dt.date(1000, 1, 1)), number(dt.date.max))
"""The days that are written as constants."""
Ranges = list[tuple[int, int]]


class Parts:
    """The parts of the values of a column of type ``t``, each with what the condition ``e`` can be on it."""

    def __init__(self, e: Expr, t: Type) -> None:
        self.e, self.t = e, t
        self.low, self.high = ends_of(t)
        self.days = t in (DATE, TIMESTAMP)
        found, self.over = turns(e, t, self.low, self.high)
        bounds = sorted({self.low, *found, self.high + 1})
        inner = (c for c in comparisons(e, t, bounds) if self.low < c <= self.high)
        self.starts = sorted({*bounds[:-1], *inner})
        if self.days:
            self._cut_where_undecided()
        self.parts = list(self._parts())
        self.null = truths(e, None)

    def _parts(self) -> Iterator[tuple[int, int, Truths]]:
        for start, end in zip(self.starts, [*(s - 1 for s in self.starts[1:]), self.high], strict=True):
            yield start, end, truths(self.e, column(self.t, start, end))

    def _cut_where_undecided(self) -> None:
        for cut in (_years, _months, _days):
            undecided = [p[:2] for p in self._parts() if len(p[2]) > 1]
            for start, end in undecided if cut is not _days or len(undecided) <= _MOST_MONTHS else []:
                if civil(end)[0] - civil(start)[0] <= _MOST_YEARS:
                    self.starts = sorted({*self.starts, *cut(start, end)})

    def certificate(self, name: str) -> RangeCertificate | None:
        """The ranges on which the condition is TRUE, or may be."""
        undecided = any(len(found) > 1 and True in found for _, _, found in self.parts) or len(self.null) > 1
        ranges = _joined((start, end) for start, end, found in self.parts if True in found)
        if not self.days:
            return self._of_numbers(name, ranges, undecided=undecided)
        if not ranges or len(ranges) > _MOST_RANGES:
            ranges = [(ranges[0][0], ranges[-1][1])] if ranges else []
            undecided = True
        gaps = sum(after[0] - before[1] for before, after in pairwise(ranges))
        if undecided and ranges and (ranges[0][0], ranges[-1][1]) == (self.low, self.high) and gaps < _WIDE_GAP:
            return None  # a gap of a few days in all time, beside the condition, says nothing
        exact = None if undecided else self._certificate(name, ranges, beside=False)
        if exact is not None and (self.t == DATE or not checker.check(exact)):
            return exact
        return self._beside(name, ranges)

    def _of_numbers(self, name: str, ranges: Ranges, *, undecided: bool) -> RangeCertificate | None:
        points = sum(a == b for a, b in ranges)
        bounds = sum((a > self.low) + (b < self.high) for a, b in ranges if a < b) + min(points, 1)
        if self.t.name == "float" and ranges and ranges[-1][1] == NAN_KEY - 1:  # NaN is greater than what bounds it
            ranges, undecided = [*ranges[:-1], (ranges[-1][0], self.high)], True
        if points == len(ranges) and any(s <= a <= e for a, _ in ranges for s, e in self._overflows()):
            return None  # a constant that only an overflow makes, which nobody means
        if undecided or bounds > _MOST_BOUNDS:
            ranges = _joined(sorted([*ranges, *self._overflows()]))
            ranges = ranges if len(ranges) <= _MOST_RANGES else [(ranges[0][0], ranges[-1][1])]
            undecided = True
        if not ranges or _joined(sorted([*ranges, *self._overflows()])) == [(self.low, self.high)]:
            return None  # what overflows alone is left out, or nothing
        return self._certificate(name, ranges, beside=undecided)

    def _overflows(self) -> Iterator[tuple[int, int]]:
        """The parts of values of which something overflows: above the least of them on, or below."""
        if self.over:
            below, above = [c for c in self.over if c <= 0], [c for c in self.over if c > 0]
            yield from [(self.low, max(below) - 1)] if below else []
            yield from [(min(above), self.high)] if above else []

    def _beside(self, name: str, ranges: Ranges) -> RangeCertificate | None:
        """Ranges that hold all rows that may pass, with ends that have words: of moments a day wider where clocks are
        changed."""
        if not ranges:
            return None
        said = self._widened(ranges)
        if self.t == TIMESTAMP and not all(map(is_plain, self._inner(said))):
            said = self._widened([(a - 1, b + 1) for a, b in ranges])
        if not said or (said[0] == (self.low, self.high)):
            return None
        return self._certificate(name, said, beside=True)

    def _widened(self, ranges: Ranges) -> Ranges:
        def start(n: int) -> int:
            return self.low if n < _WORDS[0] else min(n, _WORDS[1])

        def end(n: int) -> int:
            return max(n, _WORDS[0] - 1) if n + 1 <= _WORDS[1] else self.high

        return _joined((start(a), end(b)) for a, b in ranges)

    def _inner(self, ranges: Ranges) -> Iterator[int]:
        for start, end in ranges:
            yield from (n for n, inner in ((start, start > self.low), (end + 1, end < self.high)) if inner)

    def _certificate(self, name: str, ranges: Ranges, *, beside: bool) -> RangeCertificate | None:
        points = [self._constant(a) for a, b in ranges if a == b and self.t != TIMESTAMP]
        alone = [p for p in points if p is not None]
        listed = len(alone) > 1
        tests: list[Expr] = [In(Col(name), tuple(alone), "sql")] if listed else []
        for a, b in ranges:
            if not listed or a < b:
                test = self._test(name, a, b)
                if test is None:
                    return None
                tests.append(test)
        if True in self.null:
            tests.append(IsNull(Col(name)))
        cuts = tuple(self.starts[1:])
        return RangeCertificate(checker.VERSION, name, self.t, self.e, disjoin(tests), cuts, beside)

    def _test(self, name: str, start: int, end: int) -> Expr | None:
        """``start <= x <= end``; None if it cannot be said, or says nothing."""
        x, tests = Col(name), list[Expr]()
        one = self._constant(start)
        if start == end and self.t != TIMESTAMP and one is not None:
            return Compare("==", x, one, "sql")
        behind = self.days or self.t.name == "float"
        asked: list[tuple[bool, tuple[CompareOp, int], tuple[CompareOp, int]]] = [
            (start > self.low, (">=", start), (">", start - 1)),
            (end < self.high, ("<" if behind else "<=", end + behind), ("<=", end)),
        ]
        for inside, said, of_last in asked:
            op, n = of_last if self._reads_better(said[1], of_last[1]) else said
            constant = self._constant(n)
            if inside and constant is None:
                return None
            if inside and constant is not None:
                tests.append(Compare(op, x, constant, "sql"))
        return conjoin(tests) if tests else None

    def _reads_better(self, said: int, of_last: int) -> bool:
        if self.t.name == "float":
            return len(repr(of_key(of_last))) < len(repr(of_key(said)))
        return self.t == DATE and of_last == _WORDS[1]

    def _constant(self, n: int) -> Lit | None:
        if self.t.name == "float":
            return Lit(of_key(n), self.t) if n < self.high else None
        if not self.days:
            return Lit(n, self.t)
        if not _WORDS[0] <= n <= _WORDS[1]:
            return None
        day = dt.date.fromordinal(n + EPOCH)
        return Lit(day, DATE) if self.t == DATE else Lit(dt.datetime.combine(day, dt.time()), TIMESTAMP)


def _years(start: int, end: int) -> Iterator[int]:
    for year in range(civil(start)[0], civil(end)[0] + 2):
        if start < first(year, 1) <= end:
            yield first(year, 1)


def _months(start: int, end: int) -> Iterator[int]:
    year, month, _ = civil(start)
    while first(year, month) <= end:
        if first(year, month) > start:
            yield first(year, month)
        year, month = year + month // 12, month % 12 + 1


def _days(start: int, end: int) -> Iterator[int]:
    return iter(range(start + 1, end + 1)) if end - start <= _LONGEST_MONTH else iter(())


def _joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges that meet as one."""
    found = Ranges()
    for start, end in ranges:
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
