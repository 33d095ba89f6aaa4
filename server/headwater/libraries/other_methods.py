"""Methods of arrays and of Arrow's objects that have no model, by why."""

from __future__ import annotations

from .registry import changes, not_covered

changes("numpy.ndarray", "byteswap fill partition put resize setfield setflags sort")
not_covered("numpy.ndarray", "take")
not_covered("pyarrow.Array", "diff from_pandas sum tolist")
not_covered("pyarrow.ChunkedArray", "flatten format")
not_covered("pyarrow.Schema", "equals from_pandas")
not_covered("pyarrow.Table", "flatten")
