"""What a pre-filter is worth (seed 004, *Formal analysis*): pushing pays when ``1 - r ≤ p · r1``.

``p`` is the fraction of rows that the pre-filter removes, ``r`` the boundary's output rows per input row, ``r1`` its
cost per row relative to the filter's. Nothing here looks at data, so ``p`` and ``r`` are assumed; ``r1`` comes from
the measured table (facts, section D). The estimate says which numbers were assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

ASSUMED_REMOVED = 0.9
ASSUMED_OUTPUT_PER_INPUT = {"GroupMap": 0.001, "Aggregate": 0.001, "RowUdf": 1.0, "Explode": 1.0, "Window": 1.0}
COST_PER_ROW = {"GroupMap": 20.0, "Aggregate": 3.0, "RowUdf": 15.0, "Explode": 2.0, "Window": 10.0}
"""Relative to a native comparison: crossing to a Python worker dominates; a native aggregate hashes and shuffles."""


@dataclass(frozen=True)
class Estimate:
    """``pays``: whether pushing is expected to pay; ``ratio``: expected time before ÷ after for the boundary itself."""

    pays: bool
    ratio: float
    removed: float
    output_per_input: float
    cost_per_row: float


def estimate(boundary: str, removed: float = ASSUMED_REMOVED) -> Estimate:
    """The estimate for a boundary node of class name ``boundary``; ``removed`` is ``p``."""
    r, r1 = ASSUMED_OUTPUT_PER_INPUT[boundary], COST_PER_ROW[boundary]
    before, after = r1 + r, 1 + (1 - removed) * (r1 + r)
    return Estimate(1 - r <= removed * r1, round(before / after, 1), removed, r, r1)


def in_words(e: Estimate) -> tuple[tuple[str, str], ...]:
    """The estimate as the report's ``benefit``: a name and a value each."""
    return (
        ("estimated speed-up of the boundary", f"{e.ratio:g}"),
        ("rows removed (assumed)", f"{e.removed:.0%}"),
        ("output rows per input row (assumed)", f"{e.output_per_input:g}"),
        ("cost per row relative to the filter (measured class)", f"{e.cost_per_row:g}"),
    )
