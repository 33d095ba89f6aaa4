"""Arithmetic on columns by methods: a value for each row, made of that row. Of floats; of whole numbers ``mod`` and
``floordiv`` by a small constant."""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import choose, number_of
from headwater.python.rows.row_sequences import Series
from headwater_ir.expr import Compare, Lit, Neg
from headwater_ir.types import FLOAT

from .model import FRAME, SERIES, MethodCall, declare, method, refused
from .operands import constant, floats_of, of_floats, operator_on, part

_OPERATORS = {"add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "mod": ast.Mod(), "floordiv": ast.FloorDiv()}


@method(
    SERIES,
    "per row",
    """
add(other, level: never = None, fill_value=None, axis: 0 = 0)
sub(other, level: never = None, fill_value=None, axis: 0 = 0)
mul(other, level: never = None, fill_value=None, axis: 0 = 0)
mod(other, level: never = None, fill_value=None, axis: 0 = 0)
floordiv(other, level: never = None, fill_value=None, axis: 0 = 0)
""",
    needs="its own row",
    reads=("other",),
)
def computed(call: MethodCall) -> Series:
    """``column.add(other)`` is ``column + other``."""
    return operator_on(call, _OPERATORS[call.method], call.needed("other"))


@method(SERIES, "per row", "abs()", needs="its own row")
def absolute(call: MethodCall) -> Series:
    """Of floats."""
    missing, raw = floats_of(call.run, call.series, call.node)
    negative = Compare("<", raw, Lit(0.0, FLOAT), "python")
    return of_floats(call.series, missing, choose(negative, Neg(raw, "python"), raw))


@method(
    SERIES,
    "per row",
    """
clip(lower=None, upper=None, *, axis: 0 = None, inplace: False = False, **kwargs)
""",
    needs="its own row",
    reads=("lower", "upper"),
)
def clipped(call: MethodCall) -> Series:
    """Floats within constant bounds; NaN stays. pandas swaps bounds that are the wrong way round."""
    given = call.bound.arguments
    bounds = {k: part(call.run, v, call.node, call.env)[1] for k, v in given.items() if constant(v) is not None}
    numbers = [n for b in bounds.values() if (n := number_of(b)) is not None]
    if not given or len(numbers) != len(bounds) or numbers != sorted(numbers):
        raise call.refusal("opaque", "`clip` with bounds that are no constants, or the wrong way round")
    missing, raw = floats_of(call.run, call.series, call.node)
    found = raw
    if "lower" in bounds:
        found = choose(Compare("<", raw, bounds["lower"], "python"), bounds["lower"], found)
    if "upper" in bounds:
        found = choose(Compare(">", raw, bounds["upper"], "python"), bounds["upper"], found)
    return of_floats(call.series, missing, found)


refused(
    SERIES, "per row", "round(decimals=0, **kwargs)", "opaque",
    "numpy's `round` scales, rounds and scales back: its bounds are no decimals", needs="its own row",
)  # fmt: skip
declare(
    SERIES,
    "per row",
    """
div(other, level: never = None, fill_value=None, axis: 0 = 0)
pow(other, level: never = None, fill_value=None, axis: 0 = 0)
truediv(other, level: never = None, fill_value=None, axis: 0 = 0)
""",
)
declare(
    FRAME,
    "other",
    """
abs()
add(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
clip(lower=None, upper=None, *, axis: 0 | "index" = None, inplace: False = False, **kwargs)
div(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
floordiv(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
mod(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
mul(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
pow(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
round(decimals=0, **kwargs)
sub(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
truediv(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
""",
)
