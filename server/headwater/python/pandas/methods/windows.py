"""Methods whose result in a row depends on the rows around it, or on the rank among all: none has a law."""

from __future__ import annotations

from .model import FRAME, SERIES, declare

declare(
    SERIES,
    "per row",
    """
cummax(axis: 0 = None, skipna: True | False = True, **kwargs)
cummin(axis: 0 = None, skipna: True | False = True, **kwargs)
cumprod(axis: 0 = None, skipna: True | False = True, **kwargs)
cumsum(axis: 0 = None, skipna: True | False = True, **kwargs)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1)
pct_change(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, fill_method: None = ..., limit=..., **kwargs)
rank(axis: 0 = 0, method: "average" | "min" | "max" | "first" | "dense" = "average", numeric_only: True | False =
    False, na_option: "keep" | "top" | "bottom" = "keep", ascending=True, pct: True | False = False)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, freq: never = None, axis: 0 = 0, **kwargs)
""",
)
declare(
    SERIES,
    "other",
    """
argsort(axis: 0 = 0, kind: "quicksort" | "mergesort" | "heapsort" | "stable" = "quicksort", **kwargs)
ewm(com=None, span=None, halflife: never = None, alpha: never = None, min_periods=0, adjust: never = True, ignore_na:
    never = False, axis: 0 = ..., **kwargs)
expanding(min_periods=1, axis: 0 = ..., **kwargs)
rolling(window, min_periods=None, center: True | False = False, win_type: never = None, on: never = None, axis: 0 =
    ..., **kwargs)
searchsorted(value, side: "left" | "right" = "left", **kwargs)
""",
)
declare(
    FRAME,
    "other",
    """
cummax(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cummin(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cumprod(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cumsum(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, axis: 0 | "index" = 0)
ewm(com=None, span=None, halflife: never = None, alpha: never = None, min_periods=0, adjust: never = True, ignore_na:
    never = False, axis: 0 | "index" = ..., **kwargs)
expanding(min_periods=1, axis: 0 | "index" = ..., **kwargs)
pct_change(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, fill_method: None = ..., limit=..., **kwargs)
rank(axis: 0 | "index" = 0, method: "average" | "min" | "max" | "first" | "dense" = "average", numeric_only: True |
    False = False, na_option: "keep" | "top" | "bottom" = "keep", ascending=True, pct: True | False = False)
rolling(window, min_periods=None, center: True | False = False, win_type: never = None, on=None, axis: 0 | "index" =
    ..., **kwargs)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, freq: never = None, axis: 0 | "index" = 0, **kwargs)
""",
)
