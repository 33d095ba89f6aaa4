"""The table of programs that ask one row at a time: values at which Python, Spark and their conversions differ."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

DDL = "k string, s string, n int, x double, b boolean, day date"
_Row = tuple[Any, ...]
_SMALL: list[_Row] = [
    ("a", "ab", 1, 1.0, True, dt.date(2024, 1, 1)),
    ("b", "b", 2, 90.0, False, dt.date(2023, 12, 31)),
    ("a", "AB", 90, 2.5, True, dt.date(2025, 6, 1)),
    ("b", "a b", 0, 0.0, False, dt.date(2024, 12, 31)),
    ("a", " a ", -1, -0.0, True, dt.date(2026, 2, 28)),
    ("c", "1", 3, -1.0, False, dt.date(2024, 1, 31)),
]
_ODD: list[_Row] = [
    ("c", "\u212ab", 91, math.nan, True, dt.date(1, 1, 1)),
    ("", "\U0001f600b", -(2**31), math.inf, True, dt.date(9999, 12, 31)),
    ("a", "2024-01-01", 2**31 - 1, -math.inf, False, dt.date(1582, 10, 15)),
]
_EMPTY: list[_Row] = [("", "", 4, 1e300, False, dt.date(2024, 6, 1))]
_MISSING: list[_Row] = [
    (None, None, None, None, None, None),
    ("a", None, 1, None, True, None),
    (None, "ab", None, 1.0, None, dt.date(2024, 1, 1)),
]
DATA = tuple(
    {"t": rows} for rows in (_SMALL + _ODD + _EMPTY + _MISSING, _SMALL + _MISSING, _SMALL + _ODD + _EMPTY, _SMALL)
)
"""The first on which a program does not raise is the one that Spark runs."""
