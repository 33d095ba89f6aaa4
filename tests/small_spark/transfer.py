"""How values get into Python functions and out of them, per API: the tables of docs/semantics.md as code."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from .column import Schema
from .scalars import WIDTH, SparkError, is_nan

ARROW = {"int": pa.int32(), "bigint": pa.int64(), "double": pa.float64(), "string": pa.string(),
         "boolean": pa.bool_(), "date": pa.date32(), "timestamp": pa.timestamp("us")}  # fmt: skip
_PLAIN = {"string": str, "boolean": bool, "date": dt.date, "timestamp": dt.datetime}


def series(values: Sequence[Any], kind: str) -> pd.Series[Any]:
    """A column of a group as pandas shows it: one NULL makes integers floats."""
    missing = any(v is None for v in values)
    if kind in WIDTH:
        filled = [math.nan if v is None else v for v in values]
        return pd.Series(filled, dtype="float64" if missing else f"int{WIDTH[kind]}")
    if kind == "double":
        return pd.Series([math.nan if v is None else v for v in values], dtype="float64")
    if kind == "timestamp":
        return pd.Series(list(values), dtype="datetime64[ns]")
    return pd.Series(list(values), dtype="bool" if kind == "boolean" and not missing and values else "object")


def pandas_frame(rows: Sequence[tuple[Any, ...]], schema: Schema, nullable: bool = False) -> pd.DataFrame:
    """The frame that ``applyInPandas`` hands over; with ``nullable`` integers, as ``mapInPandas`` does."""
    frame = pd.DataFrame({f.name: series([r[i] for r in rows], f.type) for i, f in enumerate(schema)})
    for i, f in enumerate(schema):
        values = [r[i] for r in rows]
        if nullable and f.type in WIDTH and None in values:
            frame[f.name] = pd.array(values, dtype=f"Int{WIDTH[f.type]}")
    return frame


def arrow_table(rows: Sequence[tuple[Any, ...]], schema: Schema) -> pa.Table:
    """The table that ``applyInArrow`` hands over."""
    columns = [pa.array([r[i] for r in rows], ARROW[f.type]) for i, f in enumerate(schema)]
    return pa.Table.from_arrays(columns, names=[f.name for f in schema])


def arrow_batch(rows: Sequence[tuple[Any, ...]], schema: Schema) -> pa.RecordBatch:
    """A batch that ``mapInArrow`` hands over."""
    columns = [pa.array([r[i] for r in rows], ARROW[f.type]) for i, f in enumerate(schema)]
    return pa.RecordBatch.from_arrays(columns, names=[f.name for f in schema])


def from_pandas(result: Any, schema: Schema) -> list[tuple[Any, ...]]:
    """The rows of a returned frame."""
    if not isinstance(result, pd.DataFrame):
        raise SparkError("not a frame")
    if not len(result.columns) and not len(result):
        return []
    if all(isinstance(c, str) for c in result.columns):
        if set(result.columns) != {f.name for f in schema}:
            raise SparkError("columns")
        result = result[[f.name for f in schema]]
    elif len(result.columns) != len(schema):
        raise SparkError("columns")
    columns = [[pandas_value(v, f.type) for v in result.iloc[:, i].tolist()] for i, f in enumerate(schema)]
    return list(zip(*columns, strict=True))


def pandas_value(value: Any, kind: str) -> Any:
    """One value of a returned frame, or what a pandas UDF returns."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes, pd.Timestamp)):
        value = value.item()
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if is_nan(value):
        if kind in _PLAIN and kind != "boolean":
            raise SparkError("NaN")
        return None
    if kind == "double":
        return _number(value, float)
    if kind in WIDTH:
        whole = _number(value, int)
        if whole != value:
            raise SparkError("a fraction")
        return _fits(whole, kind)
    if kind == "boolean" and isinstance(value, (int, float)):
        return bool(value)
    if kind == "timestamp" and isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    return _exactly(value, kind)


def from_arrow(result: Any, schema: Schema) -> list[tuple[Any, ...]]:
    """The rows of a returned Arrow table, in which nothing is cast."""
    if not isinstance(result, (pa.Table, pa.RecordBatch)):
        raise SparkError("not a table")
    if not result.num_columns and not result.num_rows:
        return []
    if set(result.column_names) != {f.name for f in schema} or result.num_columns != len(schema):
        raise SparkError("columns")
    for f in schema:
        if result.schema.field(f.name).type != ARROW[f.type]:
            raise SparkError(f"{f.name} is {result.schema.field(f.name).type}")
    return [tuple(row[f.name] for f in schema) for row in result.to_pylist()]


def from_arrow_by_place(result: Any, schema: Schema) -> list[tuple[Any, ...]]:
    """The same of what ``mapInArrow`` yields: whatever its columns are called."""
    if result.num_columns != len(schema):
        raise SparkError("columns")
    return from_arrow(result.rename_columns([f.name for f in schema]), schema)


def from_udf(value: Any, kind: str) -> Any:
    """What a plain ``udf`` returns."""
    if value is None:
        return None
    if kind == "double":
        return _number(value, float)
    if kind in WIDTH:
        if is_nan(value) or isinstance(value, bool) or (isinstance(value, float) and math.isinf(value)):
            raise SparkError("not an integer")
        return _fits(_number(value, int), kind)
    if kind == "string":
        return _text(value)
    if kind == "boolean" and isinstance(value, (int, float)):
        return bool(value)
    if kind.startswith("array<"):
        if not isinstance(value, (list, tuple)):
            raise SparkError("not a list")
        return [from_udf(v, kind[6:-1]) for v in value]
    return _exactly(value, kind)


def from_table_function(value: Any, kind: str) -> Any:
    """What a UDTF yields, with Arrow."""
    if value is None:
        return None
    if kind == "double":
        return _number(value, float)
    if kind in WIDTH:
        if is_nan(value) or isinstance(value, bool) or (isinstance(value, float) and math.isinf(value)):
            raise SparkError("not an integer")
        return _fits(_number(value, int), kind)
    return _text(value) if kind == "string" else _exactly(value, kind)


def _number(value: Any, kind: type) -> Any:
    if not isinstance(value, (int, float)):
        raise SparkError(f"{type(value).__name__} for a number")
    try:
        return kind(value)
    except (OverflowError, ValueError) as error:
        raise SparkError(str(error)) from error


def _fits(value: int, kind: str) -> int:
    if not -(2 ** (WIDTH[kind] - 1)) <= value < 2 ** (WIDTH[kind] - 1):
        raise SparkError("out of range")
    return value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _exactly(value: Any, kind: str) -> Any:
    expected = _PLAIN[kind]
    if not isinstance(value, expected):
        raise SparkError(f"{type(value).__name__} for {kind}")
    return value
