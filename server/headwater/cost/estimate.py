"""What a pre-filter is worth: the time before and after, for a share of rows that it may remove.

Seed 004 (*Formal analysis*) compares ``N · (r1 + r)`` with ``N · (1 + (1 - p) · r1)``: pushing pays when
``1 - r ≤ p · r1``. Here the same in seconds, with what does not depend on the filter on both sides: a query begins, and
reads and tests every row. What a boundary costs for a row is measured (``gains.GAINS``). How many rows there are, and
how many the pre-filter removes, is not known: the estimate is an interval, and says what it assumes.
"""

from __future__ import annotations

from dataclasses import dataclass

from .gains import gain_of

START_SECONDS, READ_MICROSECONDS, TEST_MICROSECONDS = 0.5, 0.1, 0.02
"""A query, one row of it that is read, and one that a native comparison tests (``benchmarks/spark``)."""
ASSUMED_ROWS = 5_000_000
ASSUMED_REMOVED = (0.5, 0.9, 0.99)
"""Half of the rows, most of them, nearly all."""


@dataclass(frozen=True)
class Estimate:
    """Expected time before ÷ after: if ``ASSUMED_REMOVED`` is the share of rows removed. ``microseconds``: the measured
    cost of the boundary for a row; ``rows``: how many there are, None if that is not known."""

    low: float
    likely: float
    high: float
    microseconds: float
    rows: int | None = None


def ratio(microseconds: float, removed: float, rows: int = ASSUMED_ROWS) -> float:
    """Time before ÷ after where a boundary costs ``microseconds`` a row, and a pre-filter removes the share ``removed``
    of ``rows``."""
    rest = START_SECONDS * 1e6 / max(rows, 1) + READ_MICROSECONDS
    return (rest + microseconds) / (rest + TEST_MICROSECONDS + (1 - removed) * microseconds)


def estimate(operator: str, elements: bool, rows: int | None = None) -> Estimate | None:
    """The estimate for a boundary that sees ``rows``, as ``Boundary.operator`` names it; None if none of its kind is
    measured."""
    gain = gain_of(operator, elements)
    if gain is None or gain.microseconds is None:
        return None
    low, likely, high = (
        round(ratio(gain.microseconds, p, ASSUMED_ROWS if rows is None else rows), 1) for p in ASSUMED_REMOVED
    )
    return Estimate(low, likely, high, gain.microseconds, rows)


def in_words(e: Estimate | None) -> tuple[tuple[str, str], ...]:
    """The estimate as the report's ``benefit``: a name and a value each."""
    if e is None:
        return ()
    few, most, nearly = (f"{p:.0%}" for p in ASSUMED_REMOVED)
    assumed = f"{ASSUMED_ROWS:,} rows, of which {most} are removed"
    if e.rows is not None:
        assumed = f"{most} of the {e.rows:,} rows that the data files have are removed"
    return (
        ("estimated speed-up", f"{e.likely:g}"),
        (f"if it removes {few} to {nearly} of the rows", f"{e.low:g} to {e.high:g}"),
        ("assumed", assumed),
        ("measured cost of the boundary", f"{e.microseconds:g} µs a row"),
    )
