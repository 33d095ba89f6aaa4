"""What a pre-filter is worth: the time before and after, for a share of rows that it may remove.

Seed 004 (*Formal analysis*) compares ``N · (r1 + r)`` with ``N · (1 + (1 - p) · r1)``: pushing pays when
``1 - r ≤ p · r1``. Here the same in seconds, with what does not depend on the filter on both sides: a query begins, and
reads and tests every row. What a boundary costs for a row is measured (``gains.GAINS``), and so is what each operation
of the Python function does that stands there (``function``). How many rows there are, and how many the pre-filter
removes, is known where files have statistics; else it is assumed. The estimate is an interval, and says where it comes
from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .gains import START_SECONDS, gain_of
from .selectivity import Share

READ_MICROSECONDS, TEST_MICROSECONDS = 0.1, 0.02
"""A row that is read, and one that a native comparison tests (``benchmarks/spark``)."""
CORES = 2
"""That rows were shared by when all of this was measured; functions (``function``) and conditions (``conditions``) were
on one."""
ASSUMED_ROWS = 5_000_000
ASSUMED_COLUMNS = 5
ASSUMED_REMOVED = (0.5, 0.9, 0.99)
"""Half of the rows, most of them, nearly all."""


@dataclass(frozen=True)
class Removed:
    """The share of rows that a pre-filter removes, or that is not handed over; ``source``: the files whose statistics
    say so, None if their number of rows does."""

    share: Share
    source: str | None


@dataclass(frozen=True)
class Estimate:
    """Expected time before ÷ after: if ``removed`` is the share of rows removed, at least, likely and at most.
    ``microseconds``: the measured cost of the boundary for a row; ``function``: that of the Python function in it by
    its operations, as far as it is known; ``test``: that of the pre-filter; ``start``: seconds until it gets its first
    row; ``rows``: how many there are, None if that is not known; ``source``: what says how many are removed, None if
    that is assumed."""

    low: float
    likely: float
    high: float
    microseconds: float
    rows: int | None = None
    removed: tuple[float, float, float] = ASSUMED_REMOVED
    source: str | None = None
    function: float = 0
    test: float = TEST_MICROSECONDS
    start: float = START_SECONDS

    @property
    def cannot_pay(self) -> bool:
        """Whether the rewritten program is slower even if as many rows are removed as may be, and each by the first
        comparison."""
        cheap = replace(self, test=TEST_MICROSECONDS)
        return self.source is not None and _ratio_of(cheap, self.removed[2]) < 1


def ratio(
    microseconds: float,
    removed: float,
    rows: int = ASSUMED_ROWS,
    start: float = START_SECONDS,
    test: float = TEST_MICROSECONDS,
) -> float:
    """Time before ÷ after where a boundary costs ``start`` seconds and ``microseconds`` a row, and a pre-filter, which
    costs ``test`` microseconds a row, removes the share ``removed`` of ``rows``."""
    rest = start * 1e6 / max(rows, 1) + READ_MICROSECONDS
    return (rest + microseconds) / (rest + test + (1 - removed) * microseconds)


def estimate(
    operator: str,
    elements: bool,
    rows: int | None = None,
    known: Removed | None = None,
    function: float | None = None,
    test: float | None = None,
) -> Estimate | None:
    """The estimate for a boundary that sees ``rows``, as ``Boundary.operator`` names it, or ``series`` for a Python
    function that aggregates; None if none of its kind is measured. ``known``: what statistics say of the rows that the
    pre-filter removes; ``function`` and ``test``: what its Python function and the pre-filter take for a row, of one
    core."""
    gain = gain_of(operator, elements)
    if gain is None or gain.microseconds is None:
        return None
    removed, source = ASSUMED_REMOVED, None
    if known is not None and known.share.likely is not None:
        removed, source = (known.share.low, known.share.likely, known.share.high), known.source
    tested = max(TEST_MICROSECONDS, (test or 0) / CORES)
    unrounded = Estimate(0, 0, 0, gain.microseconds, rows, removed, source, (function or 0) / CORES, tested, gain.start)
    low, likely, high = (round(_ratio_of(unrounded, p), 1) for p in removed)
    return replace(unrounded, low=low, likely=likely, high=high)


def of_first_rows(operator: str, rows: int | None, asked: int | None) -> Estimate | None:
    """The estimate for a call that hands over ``asked`` rows for all ``rows``; None if either is not known."""
    if not rows or asked is None:
        return None
    rest = 1 - min(asked, rows) / rows
    return estimate(operator, False, rows, Removed(Share(rest, rest, rest), None))


def _ratio_of(e: Estimate, removed: float) -> float:
    return ratio(e.microseconds + e.function, removed, ASSUMED_ROWS if e.rows is None else e.rows, e.start, e.test)


def in_words(e: Estimate | None) -> tuple[tuple[str, str], ...]:
    """The estimate as the report's ``benefit``: a name and a value each."""
    if e is None:
        return ()
    few, most, nearly = map(percent, e.removed)
    assumed = f"{ASSUMED_ROWS:,} rows, of which {most} are removed"
    if e.rows is not None:
        assumed = f"{most} of the {e.rows:,} rows that the data files have are removed"
    if e.source is not None:
        assumed = f"{most} of the rows are removed, by the statistics of {e.source}"
        assumed += "" if few == nearly else f": {few} to {nearly}, if values are not spread evenly between min and max"
    span = few if few == nearly else f"{few} to {nearly}"
    return (
        ("estimated speed-up", f"{e.likely:g}"),
        (f"if it removes {span} of the rows", f"{e.low:g}" if few == nearly else f"{e.low:g} to {e.high:g}"),
        ("assumed", assumed),
        ("measured cost of the boundary", f"{e.microseconds:g} µs a row"),
        *((("cost of the function by its operations", f"{e.function:.2f} µs a row"),) if e.function else ()),
        *((("measured cost of the pre-filter", f"{e.test:.2f} µs a row"),) if e.test > TEST_MICROSECONDS else ()),
    )


def from_data(benefit: Sequence[tuple[str, str]]) -> str:
    """What the ``benefit`` of a report says of the gain where data files say how many rows there are, or are removed;
    empty where that is assumed."""
    said = dict(benefit)
    if "estimated speed-up" not in said or said["assumed"].startswith(f"{ASSUMED_ROWS:,} rows"):
        return ""
    times = said["estimated speed-up"]
    return f"{'hardly' if float(times) <= 1 else f'about {times} times'} faster, if {said['assumed']}"


def percent(share: float) -> str:
    """A share in words, with as many digits as it takes to tell it from none and all."""
    for digits in (0, 1, 2):
        said = f"{share:.{digits}%}"
        if (share in (0, 1)) == (float(said[:-1]) in (0, 100)):
            return said
    return "less than 0.01%" if share < 0.5 else "more than 99.99%"
