"""Methods of ``numpy.ndarray``."""

from __future__ import annotations

from .registry import register

register(
    "numpy.ndarray",
    "other",
    """
all(axis: 0 | 1 | None = None, **kwargs)
any(axis: 0 | 1 | None = None, **kwargs)
argmax(axis: 0 | 1 | None = None, **kwargs)
argmin(axis: 0 | 1 | None = None, **kwargs)
argsort(axis: 0 | 1 | None = -1, kind: "quicksort" | "mergesort" | "heapsort" | "stable" = None, **kwargs)
astype(dtype, order: never = "K", casting: never = "unsafe", subok: never = True, copy: True = True)
clip(min=None, max=None, **kwargs)
copy(**kwargs)
cumprod(axis: 0 | 1 | None = None, dtype=None, **kwargs)
cumsum(axis: 0 | 1 | None = None, dtype=None, **kwargs)
flatten(**kwargs)
item(*items)
max(axis: 0 | 1 | None = None, **kwargs)
mean(axis: 0 | 1 | None = None, dtype=None, **kwargs)
min(axis: 0 | 1 | None = None, **kwargs)
prod(axis: 0 | 1 | None = None, dtype=None, **kwargs)
ravel(**kwargs)
repeat(repeats, /, axis: 0 | 1 | None = None)
reshape(*items, **kwargs)
round(decimals=0, **kwargs)
searchsorted(v, /, side: "left" | "right" = "left", **kwargs)
squeeze(axis: 0 | None = None)
std(axis: 0 | 1 | None = None, dtype=None, out: never = None, ddof=0, **kwargs)
sum(axis: 0 | 1 | None = None, dtype=None, **kwargs)
tolist()
transpose(*items)
var(axis: 0 | 1 | None = None, dtype=None, out: never = None, ddof=0, **kwargs)
""",
)
