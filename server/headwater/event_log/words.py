"""What a measured cost is called."""

from __future__ import annotations

from .matching import Measured
from .model import Cost


def in_words(measured: Measured) -> str:
    """``its job read 4,000,000 rows of 2.1 TB in files in 41 min on 2026-11-25 (event log app-1)``.

    Not how many bytes were read of files: what Hadoop counts is too small where a file system reads in threads of its
    own.
    """
    cost = measured.cost
    what = "its job" if cost.jobs == 1 else f"its {cost.jobs:,} jobs"
    day = f" on {measured.day}" if measured.day else ""
    log = f"event log {measured.application}" if measured.application else "event log"
    runs = f", the last of {measured.runs:,} runs" if measured.runs > 1 else ""
    return f"{what} {_read(cost)} {_time(cost.seconds)}{day} ({log}{runs})"


def _read(cost: Cost) -> str:
    rows = "1 row" if cost.rows == 1 else f"{cost.rows:,} rows"
    files = f"{_size(cost.file_bytes)} in files"
    if cost.file_bytes:
        return f"read {rows} of {files} in" if cost.rows else f"read {files} in"
    if cost.rows:
        return f"read {rows} in"
    return f"read {_size(cost.bytes)} in" if cost.bytes else "took"


def _size(bytes: int) -> str:
    """In units of 1,000."""
    size = float(bytes)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 999.95:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} PB"


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"
