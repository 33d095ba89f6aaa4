"""What a program has on the driver, in a form that can be compared: frames of pandas with their index and types."""

from __future__ import annotations

from typing import Any


def canonical(value: Any) -> Any:
    """``value`` as nested tuples that are equal where nobody can tell two values apart."""
    import numpy as np
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        columns = [(str(name), str(kind)) for name, kind in value.dtypes.items()]
        cells = [tuple(canonical(c) for c in row) for row in value.itertuples(index=False, name=None)]
        return "frame", tuple(columns), canonical(value.index), tuple(cells)
    if isinstance(value, pd.Series):
        return "series", str(value.dtype), canonical(value.index), tuple(canonical(v) for v in value)
    if isinstance(value, pd.Index):
        return "index", str(value.dtype), tuple(canonical(v) for v in value)
    if isinstance(value, np.generic):
        return type(value).__name__, repr(value.item())
    if isinstance(value, dict):
        return "dict", tuple((canonical(k), canonical(v)) for k, v in value.items())
    if isinstance(value, (list, tuple, np.ndarray)):
        fields = getattr(value, "__fields__", None)  # of a Row
        return type(value).__name__, fields and tuple(fields), tuple(canonical(v) for v in value)
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, repr(sorted(map(repr, value)))  # in no order that means anything
    return type(value).__name__, repr(value)


def is_on_driver(value: Any) -> bool:
    """Whether ``value`` is neither a frame of Spark nor an RDD."""
    return not hasattr(value, "sparkSession") and not hasattr(value, "mapPartitions")
