"""HW201: conditions that compute something from a column, as ranges of the bare column that a source can skip by.

The values of the column are cut where the condition may change: for each comparison of what keeps the order of the
column (``proof.ranges.meaning``) with a constant, the least value from which on it is another one is found by
bisection. Parts on which the condition is still not decided are cut where years, then months begin. What comes of
this is checked by ``proof.ranges.checker``, which knows nothing of how it was found.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from headwater.proof.ranges import checker
from headwater.proof.ranges.calendar import EPOCH, civil, first
from headwater.proof.ranges.meaning import NoRange, Truths, column, ends_of, truths, whole_number
from headwater.proof.ranges.substitution import of_bare_column
from headwater_ir.expr import (
    Call,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    columns_of,
    conjoin,
    disjoin,
    walk,
)
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter
from headwater_ir.ranges import RangeCertificate, at_scan
from headwater_ir.types import DATE, TIMESTAMP, Type

from .classify import Source, classify

_MOST_RANGES = 3
"""More of them hide what is asked, and as many rows are read for one that holds them all."""
_MOST_YEARS = 60


@dataclass(frozen=True)
class Shown:
    """A conjunct of a filter, and the same as a source can use it. ``why``: what the source makes of it then."""

    conjunct: Conjunct
    column: str
    certificate: RangeCertificate
    why: str
    format: str


def shown(filter_: Filter, conjunct: Conjunct) -> Shown | None:
    """``conjunct`` of ``filter_`` in a form that the source can skip by; None if there is none, or Spark finds it."""
    found = at_scan(filter_.child, conjunct.condition)
    if found is None or len(columns_of(found.condition)) != 1:
        return None
    (name,) = columns_of(found.condition)
    visible = at_scan(filter_.child, Col(name))
    if visible is None or visible.condition != Col(name):
        return None
    before, source = found.condition, Source.of(found.scan)
    t = source.type_of(name)
    if source.format == "table":  # nearly all are of files with statistics; of those that are not nothing gets slower
        source = Source("parquet", source.types, source.rest, source.partitions, source.pushes)
    if unwrapped_by_spark(before, t) or classify(before, source).kind != "unsupported":
        return None
    made = _made(before, name, t)
    if made is None or checker.check(made):
        return None
    answer = classify(made.after, source)
    if answer.kind == "unsupported":
        return None
    return Shown(conjunct, name, made, answer.why, found.scan.format)


def unwrapped_by_spark(e: Expr, t: Type) -> bool:
    """Whether Spark itself makes tests of the bare column of all that ``e`` computes: a day of a timestamp, compared
    with a date, but not in a list of several (``tests/source/test_hidden.py``)."""
    computed = [n for n in walk(e) if isinstance(n, (Call, If))]
    by_spark = ("spark.to_date", "cast:date")
    if t == DATE:  # of a date they are the date itself
        return all(isinstance(n, Call) and n.name in by_spark for n in computed)
    compared = {id(n.left) for n in walk(e) if isinstance(n, Compare) and isinstance(n.right, Lit)}
    compared |= {id(n.operand) for n in walk(e) if isinstance(n, In) and len(n.options) == 1}
    return t == TIMESTAMP and all(
        isinstance(n, Call) and n.name in by_spark and n.args and isinstance(n.args[0], Col) and id(n) in compared
        for n in computed
    )


def _made(before: Expr, name: str, t: Type) -> RangeCertificate | None:
    plain = of_bare_column(before, t)
    if plain is not None:
        return RangeCertificate(checker.VERSION, name, t, before, plain, (), False)
    try:
        parts = _Parts(before, t)
    except NoRange:
        return None
    return parts.certificate(name)


class _Parts:
    """The parts of the values of a column of type ``t``, each with what the condition ``e`` can be on it."""

    def __init__(self, e: Expr, t: Type) -> None:
        self.e, self.t = e, t
        self.low, self.high = ends_of(t)
        self.starts = sorted({self.low, *self._changes()})
        if t in (DATE, TIMESTAMP):
            self._cut_where_undecided()
        self.parts = list(self._parts())
        self.null = truths(e, None)

    def _parts(self) -> Iterator[tuple[int, int, Truths]]:
        for start, end in zip(self.starts, [*(s - 1 for s in self.starts[1:]), self.high], strict=True):
            yield start, end, truths(self.e, column(self.t, start, end))

    def _changes(self) -> Iterator[int]:
        """Where comparisons with constants may change."""
        for node in walk(self.e):
            match node:
                case Compare(_, left, Lit() as right) | Compare(_, Lit() as right, left):
                    pairs = [(left, right)]
                case In(left, options):
                    pairs = [(left, o) for o in options if isinstance(o, Lit)]
                case _:
                    continue
            for of, constant in pairs:
                yield from self._changes_of(of, constant)

    def _changes_of(self, of: Expr, constant: Lit) -> Iterator[int]:
        if isinstance(constant.value, str):
            number = whole_number(constant.value)
            yield from () if number is None else (number, number + 1)
        asked: tuple[CompareOp, ...] = ("<", "<=")
        for op in asked:
            test = Compare(op, of, constant, "sql")
            at = self._bisected(partial(self._on, test))
            if at is not None:
                yield at
                if self.t in (DATE, TIMESTAMP):  # functions that keep the order inside of a year are then decided
                    yield from (first(civil(at)[0], 1), first(civil(at)[0] + 1, 1))

    def _on(self, test: Expr, x: int) -> Truths:
        return truths(test, column(self.t, x, x))

    def _bisected(self, asked: Callable[[int], Truths]) -> int | None:
        """The least value from which on ``asked`` is another one, if it is one thing below and another above."""
        low, high = self._decided(asked)
        if low is None or high is None or asked(low) == asked(high):
            return None
        below = asked(low)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if asked(middle) == below else (low, middle)
        return high

    def _decided(self, asked: Callable[[int], Truths]) -> tuple[int | None, int | None]:
        """The outermost values, of a few near the ends, on which ``asked`` is decided: at the ends days overflow."""
        inside = [0, 2**8, 2**12, 2**24]
        lows = (self.low + i for i in inside if self.low + i < self.high)
        highs = (self.high - i for i in inside if self.low < self.high - i)
        return next((x for x in lows if len(asked(x)) == 1), None), next((x for x in highs if len(asked(x)) == 1), None)

    def _cut_where_undecided(self) -> None:
        for cut in (_years, _months):
            for start, end, found in list(self._parts()):
                if len(found) > 1 and civil(end)[0] - civil(start)[0] <= _MOST_YEARS:
                    self.starts = sorted({*self.starts, *cut(start, end)})

    def certificate(self, name: str) -> RangeCertificate | None:
        """The ranges on which the condition is TRUE, or may be."""
        undecided = any(len(found) > 1 and True in found for _, _, found in self.parts) or len(self.null) > 1
        ranges = _joined((start, end) for start, end, found in self.parts if True in found)
        if not ranges or len(ranges) > _MOST_RANGES:
            ranges = [(ranges[0][0], ranges[-1][1])] if ranges else []
            undecided = True
        if undecided and ranges and ranges[0][0] == self.low and ranges[-1][1] == self.high:
            return None  # a gap of a few days in all time, beside the condition, says nothing
        if self.t == TIMESTAMP and not undecided:
            exact = self._certificate(name, ranges, beside=False)
            if exact is not None and not checker.check(exact):
                return exact
            undecided = True
        if undecided and self.t == TIMESTAMP:
            ranges = _joined((max(self.low, a - 1), min(self.high, b + 1)) for a, b in ranges)
        if undecided and self.t not in (DATE, TIMESTAMP):
            return None  # sums may overflow, and a range beside one reads worse than it
        return self._certificate(name, ranges, beside=undecided) if ranges else None

    def _certificate(self, name: str, ranges: list[tuple[int, int]], *, beside: bool) -> RangeCertificate | None:
        tests = [t for t in (self._test(name, a, b) for a, b in ranges) if t is not None]
        if len(tests) < len(ranges):
            return None
        if True in self.null:
            tests.append(IsNull(Col(name)))
        cuts = tuple(self.starts[1:])
        return RangeCertificate(checker.VERSION, name, self.t, self.e, disjoin(tests), cuts, beside)

    def _test(self, name: str, start: int, end: int) -> Expr | None:
        """``start <= x <= end``; None if it cannot be said, or says nothing."""
        days = self.t in (DATE, TIMESTAMP)
        at_start, at_end = start > self.low, end < self.high
        first_, last = self._constant(start), self._constant(end + 1 if days else end)
        if (at_start and first_ is None) or (at_end and last is None) or not (at_start or at_end):
            return None
        x, tests = Col(name), list[Expr]()
        if start == end and self.t != TIMESTAMP and first_ is not None:
            return Compare("==", x, first_, "sql")
        if at_start and first_ is not None:
            tests.append(Compare(">=", x, first_, "sql"))
        if at_end and last is not None:
            tests.append(Compare("<" if days else "<=", x, last, "sql"))
        return conjoin(tests)

    def _constant(self, n: int) -> Lit | None:
        if self.t not in (DATE, TIMESTAMP):
            return Lit(n, self.t)
        if not 1 <= n + EPOCH <= dt.date.max.toordinal():
            return None
        day = dt.date.fromordinal(n + EPOCH)
        if day.year < 1000:
            return None
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


def _joined(ranges: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that meet as one."""
    found = list[tuple[int, int]]()
    for start, end in ranges:
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
