# ruff: noqa: E501 - programs and tables, one to a line
"""Runs a Python function on real pandas, on a frame built as Spark builds it, beside the fold that was read off its
text."""

from __future__ import annotations

import datetime as dt
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from headwater.python.pandas.apply_in_pandas import fold_group_map
from headwater.python.row_udf.row_udf import fold_row_udf
from headwater.semantics.interpreter import EvaluationError, run_fold
from headwater.syntax.names.module_scope import Context
from headwater_ir.expr import Col, Expr, Scalar
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold
from headwater_ir.types import BOOL, DATE, FLOAT, INT32, INT64, STRING, TIMESTAMP, Type

Rows = Sequence[Mapping[str, Scalar]]
ERROR = "error"
TYPES: dict[str, Type] = {
    "int": INT32, "long": INT64, "double": FLOAT, "string": STRING, "boolean": BOOL, "date": DATE, "timestamp": TIMESTAMP,
}  # fmt: skip


def schema(ddl: str, complete: bool = True) -> Schema:
    """A schema from ``"a long, b string"``."""
    parts = [p.split() for p in ddl.split(",") if p.strip()]
    return Schema(tuple(Field(name, TYPES[t]) for name, t in parts), complete)


@dataclass(frozen=True)
class Case:
    """A group function ``f``, the schema of its input (the first column is the key), and its declared output."""

    source: str
    columns: str
    output: str
    known: bool = True

    @cache  # noqa: B019 - a case is a constant
    def fold(self, facts: tuple[Expr, ...] = ()) -> Fold:
        """The fold read off the text."""
        given = schema(self.columns) if self.known else Schema((), complete=False)
        ctx = Context.of("import pandas as pd\nimport numpy as np\nimport math\nimport datetime\n" + self.source)
        function = ctx.function("f")
        assert function is not None
        return fold_group_map(ctx, function, source=given, keys=(self.key,), output=schema(self.output), facts=facts)

    @property
    def key(self) -> str:
        """The name of the key column."""
        return self.columns.split()[0]

    def real(self, rows: Rows) -> Mapping[str, Scalar] | str | None:
        """What Spark would store of the real function's result."""
        namespace = run_module(self.source)
        frame = spark_frame(rows, schema(self.columns))
        code = namespace["f"].__code__
        try:
            args = (frame,) if code.co_argcount == 1 else ((frame[self.key].iloc[0],), frame)
            return stored(namespace["f"](*args), schema(self.output))
        except Exception:
            return ERROR

    def model(self, rows: Rows, none: bool = False) -> Mapping[str, Scalar] | str | None:
        """What the fold computes. ``none``: how NULLs of columns of unknown type are shown."""
        fold = self.fold()
        ghosts = {c.name: none for c in fold.columns if c.ghost}
        try:
            return run_fold(fold, [{**row, **ghosts} for row in rows])
        except EvaluationError:
            return ERROR


def run_module(source: str) -> dict[str, Any]:
    """The names that a module of ours defines."""
    namespace: dict[str, Any] = {"pd": pd, "math": math, "datetime": dt}
    import numpy as np

    namespace["np"] = np
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # random programs write `0 is None`
        exec(source, namespace)
    return namespace


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


def stored(frame: pd.DataFrame, output: Schema) -> Mapping[str, Scalar] | None:
    """The row that Spark stores; an error if a value does not fit."""
    if len(frame.columns) and all(isinstance(c, str) for c in frame.columns):
        if set(frame.columns) != {f.name for f in output.fields}:
            raise ValueError("columns")
        frame = frame[[f.name for f in output.fields]]
    if not len(frame):
        return None
    assert len(frame) == 1
    return {f.name: _stored(frame.iloc[:, i].tolist()[0], f.type) for i, f in enumerate(output.fields)}


def _stored(value: Any, t: Type) -> Scalar:
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if t.name == "int":
        whole = int(value)
        if (
            whole != value
            or not -(2 ** (t.bits or 64) // 2) <= whole < 2 ** (t.bits or 64) // 2
            or isinstance(value, bool)
        ):
            raise ValueError(value)
        return whole
    if t.name == "float":
        return float(value)
    if t.name == "timestamp":
        found: dt.datetime = value.to_pydatetime()
        return found
    expected = {"string": str, "bool": bool, "date": dt.date}[t.name]
    assert isinstance(value, expected), (value, t)
    return value  # type: ignore[no-any-return]


def same(a: object, b: object) -> bool:
    """Equality of results; NaN equals NaN."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def row_fold(source: str, columns: str, returns: str, known: bool = True) -> Fold:
    """The fold of the row function ``f`` over ``columns``, in their order."""
    ctx = Context.of("import pandas as pd\nimport math\n" + source)
    function = ctx.function("f")
    assert function is not None
    given = schema(columns)
    arguments = tuple(Col(f.name) for f in given.fields)
    return fold_row_udf(
        ctx, function, arguments=arguments, source=given if known else Schema((), complete=False), return_type=TYPES[returns],
        output_name="out", facts=(), assume_pure=frozenset(),
    )  # fmt: skip
