"""What Spark hands to pandas and Arrow functions, and what it makes of their results (``docs/semantics.md``)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa

from .columns import QueryError, Rows, Value

_ARROW = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def kind_of(values: list[Value]) -> type:
    """The type of a column, by its values; the columns of the enumerated tables are numbers at first."""
    return next((type(v) for v in values if v is not None), int)


def series_of(values: list[Value], kind: type | None = None) -> Any:
    """A column as pandas shows it: integers beside a NULL become floats."""
    kind = kind or kind_of(values)
    missing = any(v is None for v in values)
    if kind is float or (kind is int and missing):
        return pd.Series([math.nan if v is None else v for v in values], dtype="float64")
    if kind is int:
        return pd.Series(values, dtype="int64")
    return pd.Series(values, dtype="object" if missing else "bool")


def fields_of(ddl: str) -> list[tuple[str, str]]:
    """Names and types of a schema in DDL."""
    return [(part.split()[0], part.split()[1]) for part in ddl.split(",")]


def in_pandas(
    function: Callable[..., Any], kinds: dict[str, type], key: tuple[Value, ...], rows: Rows, ddl: str
) -> Rows:
    """``applyInPandas`` of one group."""
    frame = pd.DataFrame({name: series_of([r[name] for r in rows], kind) for name, kind in kinds.items()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(key, frame)
        except Exception as error:
            raise QueryError(f"{type(error).__name__}: {error}") from error
    return [{n: stored(row[n], t) for n, t in fields_of(ddl)} for row in result.to_dict("records")]


def in_arrow(
    function: Callable[..., Any], kinds: dict[str, type], key: tuple[Value, ...], rows: Rows, ddl: str
) -> Rows:
    """``applyInArrow`` of one group."""
    table = pa.table({name: pa.array([r[name] for r in rows], _ARROW[kind]) for name, kind in kinds.items()})
    scalars = tuple(pa.scalar(k, _ARROW[kind_of([k])]) for k in key)
    try:
        found: Rows = function(scalars, table).to_pylist()
    except Exception as error:
        raise QueryError(f"{type(error).__name__}: {error}") from error
    return [{n: row[n] for n, _ in fields_of(ddl)} for row in found]


def stored(value: Any, kind: str) -> Value:
    """A value that pandas gives as Spark stores it; QueryError if it does not fit the declared type."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if kind == "long":
        if value != int(value):
            raise QueryError("not whole")
        return int(value)
    return {"double": float, "boolean": bool}[kind](value)
