"""Python functions over pandas: of a group, of columns of a group, and plain ones of a row."""

from __future__ import annotations

import ast
import datetime as dt
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from headwater.python.pandas.apply_in_pandas import fold_group_map
from headwater.python.pandas.udaf import SeriesCall, fold_series_aggregates
from headwater.python.row_udf.row_udf import fold_row_udf
from headwater.syntax.names.module_scope import Context
from headwater_ir.expr import Col, Scalar
from headwater_ir.native import as_native
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold
from headwater_ir.types import Type

from .harness import TYPES, VALUES, Case, Rows, Stored, run_module, schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def function_of(ctx: Context) -> ast.FunctionDef | ast.Lambda:
    """The function ``f``, or the lambda that ``f`` is."""
    found = ctx.function("f") or ctx.constant("f")
    assert isinstance(found, (ast.FunctionDef, ast.Lambda))
    return found


def spark_frame(rows: Rows, columns: Schema) -> pd.DataFrame:
    """The frame that Spark 4.3 hands over for these rows."""
    return pd.DataFrame({f.name: _column([r[f.name] for r in rows], f.type) for f in columns.fields})


def _column(values: list[Scalar], t: Type) -> pd.Series[Any]:
    missing = any(v is None for v in values)
    if t.name == "int":
        return pd.Series([math.nan if v is None else v for v in values], dtype="float64" if missing else f"int{t.bits}")
    if t.name == "float":
        return pd.Series([math.nan if v is None else v for v in values], dtype="float64")
    if t.name == "timestamp":
        return pd.Series(pd.to_datetime(pd.Series(values, dtype="object")), dtype="datetime64[ns]")
    if t.name == "bool" and not missing:
        return pd.Series(values, dtype="bool")
    return pd.Series(values, dtype="object")


def _stored(value: Any, t: Type) -> Scalar:
    """The value as Spark stores it in a column of type ``t``; an error if it does not fit."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if t.name == "int":
        whole, limit = int(value), 2 ** (t.bits or 64) // 2
        if whole != value or not -limit <= whole < limit or isinstance(value, bool):
            raise ValueError(value)
        return whole
    if t.name == "float":
        return float(value)
    if t.name == "timestamp":
        found: dt.datetime = value.to_pydatetime()
        return found
    assert isinstance(value, {"string": str, "bool": bool, "date": dt.date}[t.name]), (value, t)
    return value  # type: ignore[no-any-return]


def stored(frame: pd.DataFrame, output: Schema) -> Stored:
    """The row that Spark stores; an error if a value does not fit."""
    if len(frame.columns) and all(isinstance(c, str) for c in frame.columns):
        if set(frame.columns) != {f.name for f in output.fields}:
            raise ValueError("columns")
        frame = frame[[f.name for f in output.fields]]
    if not len(frame):
        return None
    assert len(frame) == 1
    return {f.name: _stored(frame.iloc[:, i].tolist()[0], f.type) for i, f in enumerate(output.fields)}


class GroupMap(Case):
    """A function ``f`` of a group for ``applyInPandas``."""

    def read(self, ctx: Context, given: Schema) -> Fold:
        function = ctx.function("f")
        assert function is not None
        return fold_group_map(ctx, function, source=given, keys=(self.key,), output=schema(self.output))

    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        frame = spark_frame(rows, schema(self.columns))
        takes_key = names["f"].__code__.co_argcount == 2
        made = names["f"]((frame[self.key].iloc[0],), frame) if takes_key else names["f"](frame)
        return stored(made, schema(self.output))

    def on_spark(self, frame: DataFrame) -> Iterator[Sequence[Any]]:
        yield frame.groupBy(self.key).applyInPandas(run_module(self.text)["f"], self.output).collect()


class Series(Case):
    """A pandas UDF ``f`` from all columns but the key to one value ``o``; ``output`` is its declared type."""

    def read(self, ctx: Context, given: Schema) -> Fold:
        columns = tuple(f.name for f in schema(self.columns).fields[1:])
        call = SeriesCall(function_of(ctx), columns, Field("o", TYPES[self.output]))
        return fold_series_aggregates(ctx, [call], source=given, keys=(self.key,))

    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        columns = schema(self.columns)
        frame = spark_frame(rows, columns)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's word on inf - inf, which yields NaN
            value = names["f"](*(frame[f.name] for f in columns.fields[1:]))
        (shown,) = pd.Series([value]).tolist()
        return {self.key: rows[0][self.key], "o": _stored(shown, TYPES[self.output])}

    def on_spark(self, frame: DataFrame) -> Iterator[Sequence[Any]]:
        from pyspark.sql.functions import PandasUDFType, pandas_udf

        made: Any = pandas_udf(run_module(self.text)["f"], self.output, PandasUDFType.GROUPED_AGG)
        yield frame.groupBy(self.key).agg(made(*frame.columns[1:])).collect()


@dataclass(frozen=True)
class RowCase(Case):
    """A plain UDF ``f`` of one row's columns; ``output`` is its declared type."""

    strings: tuple[str, ...] = ()
    """More texts to try."""

    @staticmethod
    def of(source: str, types: str, returns: str, *strings: str) -> RowCase:
        """A function of columns ``c0``, ``c1``, … of these types."""
        columns = ", ".join(f"c{i} {t.strip()}" for i, t in enumerate(types.split(",")))
        return RowCase(source, columns, returns, strings=strings)

    def read(self, ctx: Context, given: Schema) -> Fold:
        function = ctx.function("f")
        assert function is not None
        arguments = tuple(Col(f.name) for f in schema(self.columns).fields)
        return fold_row_udf(
            ctx, function, arguments=arguments, source=given, return_type=TYPES[self.output], output_name="out",
            facts=(), assume_pure=frozenset(),
        )  # fmt: skip

    def run(self, names: dict[str, Any], rows: Rows) -> Stored:
        ((*values,),) = (row.values() for row in rows)
        return {"out": names["f"](*values)}

    def model(self, rows: Rows) -> Stored:
        (row,) = map(dict, rows)
        for column in self.fold().columns:
            if native := as_native(column.name):
                # What Spark computes of a column is what Python does (`conformance/test_native_parts.py`).
                value: Any = row[native[1]]
                row[column.name] = None if value is None else NATIVE[native[0]](value)
        return super().model([row])

    def groups(self) -> Iterator[Rows]:
        """Every combination of values, in one row."""
        fields = schema(self.columns).fields
        pools = [[*VALUES[f.type.name], *(self.strings if f.type.name == "string" else ())] for f in fields]
        for values in itertools.product(*pools):
            yield [{f.name: v for f, v in zip(fields, values, strict=True)}]


NATIVE: dict[str, Callable[[Any], Any]] = {"length": len, "lower": str.lower, "upper": str.upper}
