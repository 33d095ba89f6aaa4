"""Numbers of the results."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

Record = dict[str, Any]
KINDS = ("exact", "split", "partial")


def seconds(record: Record, side: str) -> float:
    """The median of the timed runs."""
    return median(record["measured"][side]["seconds"])


def saved(record: Record) -> float:
    """Reduction of the run time, in percent; negative where the rewrite is slower."""
    return 100 * (1 - seconds(record, "after") / seconds(record, "before"))


def ratio(record: Record) -> float:
    """Time before over time after."""
    return seconds(record, "before") / seconds(record, "after")


def kept(record: Record) -> float:
    """Share of the input rows that pass the pre-filter, in percent."""
    m = record["measured"]
    return float("nan") if m["rows_kept"] is None else 100 * m["rows_kept"] / m["rows_in"]


def by_kind(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The measured ones by kind, and all of them."""
    done = [r for r in records if "measured" in r]
    groups = {kind: [r for r in done if r["kind"] == kind] for kind in KINDS}
    return {kind: found for kind, found in (*groups.items(), ("all", done)) if found}


def spread(values: Sequence[float]) -> tuple[float, float, float, float]:
    """Least, mean, median and most."""
    return min(values), fmean(values), median(values), max(values)
