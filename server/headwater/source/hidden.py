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
from itertools import pairwise

from headwater.proof.ranges import checker
from headwater.proof.ranges.calendar import EPOCH, civil, first, number
from headwater.proof.ranges.meaning import Truths, column, ends_of, truths, whole_number
from headwater.proof.ranges.midnights import is_plain
from headwater.proof.ranges.range import NoRange
from headwater.proof.ranges.shown import YEARS, in_segments
from headwater.proof.ranges.substitution import of_bare_column
from headwater_ir.expr import (
    Arith,
    Call,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    StringTest,
    columns_of,
    conjoin,
    disjoin,
    walk,
)
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter
from headwater_ir.ranges import RangeCertificate, at_scan
from headwater_ir.types import DATE, STRING, TIMESTAMP, Type

from .classify import Source, classify

_MOST_RANGES = 3
"""More of them hide what is asked, and as many rows are read for one that holds them all."""
_MOST_YEARS = 60
WORDS = (number(dt.date(1000, 1, 1)), number(dt.date.max))
"""The days that are written as constants."""


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
        self.bounds = sorted({self.low, *self._breaks(), self.high + 1})
        self.starts = sorted({*self.bounds[:-1], *self._changes()})
        if t in (DATE, TIMESTAMP):
            self._cut_where_undecided()
        self.parts = list(self._parts())
        self.null = truths(e, None)

    def _parts(self) -> Iterator[tuple[int, int, Truths]]:
        for start, end in zip(self.starts, [*(s - 1 for s in self.starts[1:]), self.high], strict=True):
            yield start, end, truths(self.e, column(self.t, start, end))

    def _breaks(self) -> Iterator[int]:
        """Between which the order is kept: where years are of four digits, and where sums overflow."""
        if self.t in (DATE, TIMESTAMP):
            yield from (YEARS[0], YEARS[1] + 1) if in_segments(self.e) else ()
            return
        for node in walk(self.e):
            match node:
                case Arith("+" | "-" as op, Col(), Lit(value=int() as n)) | Arith(
                    "+" as op, Lit(value=int() as n), Col()
                ):
                    added = n if op == "+" else -n
                    bits = max(self.t.bits or 0, 32 if -(2**31) <= n < 2**31 else 64)
                    yield from (x for x in (-(2 ** (bits - 1)) - added, 2 ** (bits - 1) - added) if self._inside(x))
                case Arith("-", Lit(value=int() as n), Col()):
                    bits = max(self.t.bits or 0, 32 if -(2**31) <= n < 2**31 else 64)
                    yield from (x for x in (n - 2 ** (bits - 1) + 1, n + 2 ** (bits - 1) + 1) if self._inside(x))

    def _inside(self, x: int) -> bool:
        return self.low < x <= self.high

    def _changes(self) -> Iterator[int]:
        """Where comparisons with constants may change."""
        for node in walk(self.e):
            match node:
                case StringTest("startswith", left, Lit(value=str() as text) as right):
                    pairs = [(left, right), (left, Lit(text + chr(0x10FFFF), STRING))]
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
            spelled = whole_number(constant.value)
            yield from () if spelled is None else (spelled, spelled + 1)
        asked: tuple[CompareOp, ...] = ("<", "<=")
        if isinstance(constant.value, dt.date):
            yield from (number(constant.value) + i for i in (0, 1))
        for op in asked:
            for low, behind in pairwise(self.bounds):
                at = self._bisected(partial(self._on, Compare(op, of, constant, "sql")), low, behind - 1)
                if at is not None:
                    yield at
                    if self.t in (DATE, TIMESTAMP):  # functions that keep the order inside of a year are then decided
                        yield from (first(civil(at)[0], 1), first(civil(at)[0] + 1, 1))

    def _on(self, test: Expr, x: int) -> Truths:
        return truths(test, column(self.t, x, x))

    def _bisected(self, asked: Callable[[int], Truths], least: int, most: int) -> int | None:
        """The least value from which on ``asked`` is another one, if it is one thing below and another above."""
        low, high = self._decided(asked, least, most)
        if low is None or high is None or asked(low) == asked(high):
            return None
        below = asked(low)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if asked(middle) == below else (low, middle)
        return high

    def _decided(self, asked: Callable[[int], Truths], low: int, high: int) -> tuple[int | None, int | None]:
        """The outermost values, of a few near the ends, on which ``asked`` is decided: at the ends days overflow."""
        inside = [0, 2**8, 2**12, 2**24]
        lows = (low + i for i in inside if low + i < high)
        highs = (high - i for i in inside if low < high - i)
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
        if self.t not in (DATE, TIMESTAMP) and (undecided or (len(self.bounds) > 2 and len(ranges) > 1)):
            return None  # a product may overflow; a range beside one, or what a sum wraps to, reads worse than it
        exact = None if undecided else self._certificate(name, ranges, beside=False)
        return exact if exact is not None else self._beside(name, ranges)

    def _beside(self, name: str, ranges: list[tuple[int, int]]) -> RangeCertificate | None:
        """Ranges that hold all rows that may pass, with ends that have words: of moments a day wider where clocks are
        changed."""
        if self.t not in (DATE, TIMESTAMP) or not ranges:
            return None
        said = self._widened(ranges)
        if self.t == TIMESTAMP and not all(is_plain(m) for a, b in said for m in self._midnights(a, b)):
            said = self._widened([(a - 1, b + 1) for a, b in ranges])
        if not said or (said[0] == (self.low, self.high)):
            return None
        return self._certificate(name, said, beside=True)

    def _widened(self, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        def start(n: int) -> int:
            return self.low if n < WORDS[0] else min(n, WORDS[1])

        def end(n: int) -> int:
            return max(n, WORDS[0] - 1) if n + 1 <= WORDS[1] else self.high

        return _joined((start(a), end(b)) for a, b in ranges)

    def _midnights(self, start: int, end: int) -> Iterator[dt.datetime]:
        for n, inner in ((start, start > self.low), (end + 1, end < self.high)):
            if inner:
                yield dt.datetime.combine(dt.date.fromordinal(n + EPOCH), dt.time())

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
        x, tests = Col(name), list[Expr]()
        one = self._constant(start)
        if start == end and self.t != TIMESTAMP and one is not None:
            return Compare("==", x, one, "sql")
        days = self.t in (DATE, TIMESTAMP)
        asked: list[tuple[bool, tuple[CompareOp, int], tuple[CompareOp, int]]] = [
            (start > self.low, (">=", start), (">", start - 1)),
            (end < self.high, ("<" if days else "<=", end + days), ("<=", end)),
        ]
        for inside, said, of_last in asked:
            op, n = of_last if self.t == DATE and of_last[1] == WORDS[1] else said
            constant = self._constant(n)
            if inside and constant is None:
                return None
            if inside and constant is not None:
                tests.append(Compare(op, x, constant, "sql"))
        return conjoin(tests) if tests else None

    def _constant(self, n: int) -> Lit | None:
        if self.t not in (DATE, TIMESTAMP):
            return Lit(n, self.t)
        if not WORDS[0] <= n <= WORDS[1]:
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


def _joined(ranges: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that meet as one."""
    found = list[tuple[int, int]]()
    for start, end in ranges:
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
