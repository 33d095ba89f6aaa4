"""Whether two values are the same: type, contents, labels, order, NaN and the sign of zero, all the way down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.arrays import DatetimeArray, NumpyExtensionArray, TimedeltaArray


def same(a: object, b: object) -> bool:
    """Whether nothing tells ``a`` from ``b``."""
    if a is b:
        return True
    if hasattr(a, "_fields") and hasattr(b, "_fields"):  # rows, whose class is made anew by each call
        return a._fields == b._fields and _each(a, b)  # type: ignore[call-overload]
    if type(a) is not type(b):
        return False
    if isinstance(a, pd.DataFrame):
        assert isinstance(b, pd.DataFrame)
        return (
            same(a.index, b.index)
            and same(a.columns, b.columns)
            and all(same(a._get_column_array(i), b._get_column_array(i)) for i in range(len(a.columns)))  # type: ignore[attr-defined]
        )
    if isinstance(a, pd.Series):
        assert isinstance(b, pd.Series)
        return same(a.index, b.index) and same(a.name, b.name) and same(a.array, b.array)
    if isinstance(a, pd.Index):
        assert isinstance(b, pd.Index)
        return a.dtype == b.dtype and list(a.names) == list(b.names) and _each(list(a), list(b))
    if isinstance(a, pd.api.extensions.ExtensionArray):
        if a.dtype != b.dtype:  # type: ignore[attr-defined]
            return False
        if isinstance(a, NumpyExtensionArray):
            return same(a.to_numpy(), b.to_numpy())  # type: ignore[attr-defined]
        if isinstance(a, (DatetimeArray, TimedeltaArray)):
            return same(a.asi8, b.asi8)  # type: ignore[attr-defined]
        return _each(list(a), list(b))  # type: ignore[call-overload]
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray)
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        alike = not a.dtype.hasobject and a.tobytes() == b.tobytes()
        return alike or _each(a.ravel().tolist(), b.ravel().tolist())
    if isinstance(a, (pa.Table, pa.RecordBatch, pa.ChunkedArray, pa.Array)):
        return _arrow(a, b)
    if isinstance(a, pa.Scalar):
        return a.type == b.type and same(a.as_py(), b.as_py())  # type: ignore[attr-defined]
    if isinstance(a, pa.TableGroupBy):
        return same(a._table, b._table) and same(a.keys, b.keys)  # type: ignore[attr-defined]
    if isinstance(a, Mapping):
        assert isinstance(b, Mapping)
        return _each(list(a.items()), list(b.items()))
    if isinstance(a, (list, tuple)):
        return _each(a, b)  # type: ignore[arg-type]
    if isinstance(a, (set, frozenset)):
        return a == b
    if isinstance(a, pc.Expression):
        return str(a) == str(b)
    if isinstance(a, (float, np.floating)):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))  # type: ignore[arg-type]
    if type(a).__module__.startswith("pandas.core.") and hasattr(a, "obj"):  # groups and windows
        return same(a.obj, b.obj)  # type: ignore[attr-defined]
    if callable(a):
        return True  # made anew by each run
    if isinstance(a, Iterable) and not isinstance(a, (str, bytes)):
        return _each(list(a), list(b))  # type: ignore[call-overload]
    missing = [v is pd.NaT or v is pd.NA for v in (a, b)]
    return all(missing) if any(missing) else bool(a == b)


def _arrow(a: object, b: object) -> bool:
    if isinstance(a, (pa.Table, pa.RecordBatch)):
        assert isinstance(b, (pa.Table, pa.RecordBatch))
        return a.schema.equals(b.schema) and all(map(_arrow, a.columns, b.columns))
    assert isinstance(a, (pa.ChunkedArray, pa.Array))
    assert isinstance(b, (pa.ChunkedArray, pa.Array))
    return a.type == b.type and _each(a.to_pylist(), b.to_pylist())


def _each(a: Iterable[object], b: Iterable[object]) -> bool:
    left, right = list(a), list(b)
    return len(left) == len(right) and all(map(same, left, right))
