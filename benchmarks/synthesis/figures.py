"""Numbers of a results file."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import Any

Record = dict[str, Any]
Found = dict[str, Any]
SETTLED = ("exact", "split", "partial", "none", "never")
PROVED = ("exact", "split", "partial")


def median(values: Iterable[float]) -> float:
    """NaN of nothing."""
    found = list(values)
    return statistics.median(found) if found else math.nan


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that ``share`` of the values do not exceed."""
    found = sorted(values)
    return found[max(0, math.ceil(share * len(found)) - 1)] if found else math.nan


def searched(found: Found, mode: str = "full") -> list[Record]:
    """The records of the problems that were put to the search, and not refused before it."""
    return [r for r in found["searches"].get(mode, []) if "wall" in r]


def times(records: Iterable[Record], clock: str = "wall") -> list[float]:
    """Of the records that have one."""
    return [float(r[clock]) for r in records if clock in r]


def solved_time(spacer: Record) -> float | None:
    """Wall time in which Spacer proved the pre-filter and settled on a residual; None if it proved nothing."""
    return float(spacer["wall"]) if spacer.get("spacer") == "proved" else None


def ratio(found: Found, mode: str) -> float:
    """The geometric mean over the problems of processor time in ``mode`` over that in ``full``."""
    full = {r["problem"]: r["cpu"] for r in searched(found) if "cpu" in r}
    pairs = [(r["cpu"], full[r["problem"]]) for r in searched(found, mode) if "cpu" in r and r["problem"] in full]
    return math.exp(statistics.fmean(math.log(a / b) for a, b in pairs)) if pairs else math.nan


def peak_mb(found: Found, mode: str) -> float:
    """Of the mode's process."""
    return max((float(r["peak_mb"]) for r in searched(found, mode) if "peak_mb" in r), default=math.nan)


def phases(found: Found) -> list[tuple[str, float]]:
    """Processor seconds by phase, the largest first."""
    total: dict[str, float] = {}
    for r in found.get("profile", []):
        for phase, seconds in r["phases"].items():
            total[phase] = total.get(phase, 0.0) + seconds
    return sorted(total.items(), key=lambda item: -item[1])
