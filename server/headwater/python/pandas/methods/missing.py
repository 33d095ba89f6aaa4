"""What is missing: None, NaN and NaT alike."""

from __future__ import annotations

import ast

from headwater.libraries.entry import Columns, changing
from headwater.python.exprs.simplify import both, choose, either, is_missing, is_nan, is_null, negate, number_of
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater_ir.expr import Lit
from headwater_ir.types import FLOAT, STRING

from ..arithmetic import of_series
from .model import FRAME, SERIES, MethodCall, declare, method
from .operands import names_of


@method(
    SERIES,
    "per row",
    """
isna()
isnull()
notna()
notnull()
""",
    needs="its own row",
)
def tested(call: MethodCall) -> Series:
    """Whether the value is missing, or is not."""
    if call.series.column is None:
        raise call.refusal("opaque", f"`{call.method}` of a computed column")
    missing = is_missing(call.series.element)
    return Series(call.series.frame, missing if call.method.startswith("is") else negate(missing))


@method(
    SERIES,
    "per row",
    """
fillna(value=None, *, axis: 0 = None, inplace: False = False, **kwargs)
""",
    needs="its own row",
    reads=("value",),
)
def filled(call: MethodCall) -> Series:
    """A constant where the value is missing: a text among texts, a number among 64-bit floats."""
    run, series = call.run, call.series
    if call.get("value") is None:
        raise call.refusal("may-throw", "`fillna` without a value")
    value = run.value(call.needed("value"), call.env)
    if isinstance(value, Lit) and isinstance(value.value, str) and series.column is not None:
        if run.group.type(series.column) != STRING:
            raise call.refusal("opaque", "`fillna` of something other than texts with a text")
        return Series(series.frame, choose(is_null(series.element), value, series.element), present=True)
    cond, raw = of_series(run, series, call.node)
    plain = number_of(value)
    if plain is None or run.scope.type(raw).name != "float":
        raise call.refusal("opaque", "`fillna` of something other than floats with a number")
    number = Lit(float(plain), FLOAT)
    return Series(series.frame, choose(either(cond, is_nan(raw)), number, raw), present=True)


@method(
    SERIES,
    "values",
    """
dropna(*, axis: 0 = 0, inplace: False = False, how: "any" | "all" = None, ignore_index: True | False = False) ->
    Series
""",
    needs="its own row",
)
def present_values(call: MethodCall) -> Series:
    """The rows whose value is not missing."""
    series = call.series
    if series.column is None:
        raise call.refusal("opaque", "`dropna` of a computed column")
    frame = call.run.restrict(series.frame, negate(is_missing(series.element)))
    return Series(frame, series.element, series.column)


@method(
    FRAME,
    "rows",
    """
dropna(*, axis: 0 | "index" = 0, how: "any" | "all" = ..., thresh=..., subset=None, inplace: False = False,
    ignore_index: True | False = False)
""",
    needs="its own row",
    reads=("subset",),
)
def complete_rows(call: MethodCall) -> RowSequence:
    """The rows in which no value of the listed columns is missing."""
    names = names_of(call.needed("subset"))
    if names is None:
        raise call.refusal("opaque", "`dropna` of columns that are not written out")
    present = (negate(is_missing(call.run.group.series(call.frame, n).element)) for n in names)
    return call.run.restrict(call.frame, both(*present))


declare(
    SERIES,
    "per row",
    """
bfill(*, axis: 0 = None, inplace: False = False, limit=None, **kwargs)
ffill(*, axis: 0 = None, inplace: False = False, limit=None, **kwargs)
""",
)
declare(
    SERIES,
    "other",
    """
combine_first(other)
interpolate(method: "linear" = "linear", *, axis: 0 = 0, limit=None, inplace: False = False, **kwargs)
""",
)
declare(
    FRAME,
    "other",
    """
bfill(*, axis: 0 | "index" = None, inplace: False = False, limit=None, **kwargs)
ffill(*, axis: 0 | "index" = None, inplace: False = False, limit=None, **kwargs)
""",
    columns=lambda given: Columns(positions=False),
)


@method(
    FRAME,
    "other",
    'fillna(value=None, *, axis: 0 | "index" = None, inplace: False = False, **kwargs)',
    needs="its own row",
    reads=("value",),
    columns=changing("value"),
)
def filled_columns(call: MethodCall) -> RowSequence:
    """Constants by column where these miss a value: ``frame["x"] = frame["x"].fillna(0)`` for each."""
    value, run, owner = call.needed("value"), call.run, call.frame
    names = [k.value for k in value.keys if isinstance(k, ast.Constant)] if isinstance(value, ast.Dict) else []
    if not isinstance(value, ast.Dict) or not names or len(names) != len(value.keys):
        raise call.refusal("opaque", "`fillna` of columns that are not written out")
    for name, constant in zip(names, value.values, strict=True):
        column = ast.Subscript(ast.Name("frame#", ast.Load()), ast.Constant(name), ast.Load())
        fill = ast.Call(ast.Attribute(column, "fillna", ast.Load()), [constant], [])
        owner = run.column_set(
            owner, str(name), ast.fix_missing_locations(ast.copy_location(fill, call.node)), call.env
        )
    return owner


declare(
    FRAME,
    "other",
    """
combine_first(other)
interpolate(method: "linear" = "linear", *, axis: 0 | "index" = 0, limit=None, inplace: False = False, **kwargs)
isna()
isnull()
notna()
notnull()
""",
)
