"""Comparisons of a column and choices by one: a value for each row, made of that row.

A comparison raises on the row alone where Python would; that error is the same with and without the pre-filter, so
it is taken as False. ``where`` and ``mask`` choose between values that are both computed, and none of which raises.
"""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import NAN, both, is_nan, negate
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import Items
from headwater_ir.expr import TRUE, In, Lit

from .model import FRAME, SERIES, MethodCall, declare, method
from .operands import chosen, condition, floats_of, operator_on, part

_COMPARISONS = {"eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE()}


@method(
    SERIES,
    "per row",
    """
eq(other, level: never = None, fill_value=None, axis: 0 = 0)
lt(other, level: never = None, fill_value=None, axis: 0 = 0)
le(other, level: never = None, fill_value=None, axis: 0 = 0)
gt(other, level: never = None, fill_value=None, axis: 0 = 0)
ge(other, level: never = None, fill_value=None, axis: 0 = 0)
""",
    needs="its own row",
    reads=("other",),
)
@method(
    SERIES,
    "other",
    "ne(other, level: never = None, fill_value=None, axis: 0 = 0)",
    needs="its own row",
    reads=("other",),
)
def compared(call: MethodCall) -> Series:
    """``column.gt(3)`` is ``column > 3``."""
    return operator_on(call, _COMPARISONS[call.method], call.needed("other"))


@method(
    SERIES,
    "per row",
    """
between(left, right, inclusive: "both" | "neither" | "left" | "right" = "both")
""",
    needs="its own row",
    reads=("left", "right"),
)
def between(call: MethodCall) -> Series:
    """Both bounds are within."""
    low = operator_on(call, ast.GtE(), call.needed("left"))
    high = operator_on(call, ast.LtE(), call.needed("right"))
    return Series(call.series.frame, both(low.element, high.element))


@method(SERIES, "per row", "isin(values)", needs="its own row", reads=("values",))
def isin(call: MethodCall) -> Series:
    """Whether the value is one of constants."""
    run, owner = call.run, call.series
    given = call.needed("values")
    listed = ast.copy_location(ast.List(given.elts, ast.Load()), given) if isinstance(given, ast.Set) else given
    options = run.any_value(listed, call.env)
    plain = isinstance(options, Items) and all(
        isinstance(o, Lit) and o.value is not None and is_nan(o) == negate(TRUE) for o in options.items
    )
    if not isinstance(options, Items) or not plain or owner.column is None:
        raise call.refusal("opaque", "`isin` of something other than constants")
    run.group.numpy_scalar(owner.column, f"`{owner.column}`")
    choices = tuple(o for o in options.items if isinstance(o, Lit))
    for o in choices:
        run.compare(call.node, "==", owner.element, o)
    return Series(owner.frame, In(owner.element, choices, "python"))


@method(
    SERIES,
    "per row",
    """
where(cond, other=..., *, inplace: False = False, axis: 0 = None, **kwargs)
mask(cond, other=..., *, inplace: False = False, axis: 0 = None, **kwargs)
""",
    needs="its own row",
    reads=("cond", "other"),
)
def chosen_by(call: MethodCall) -> Series:
    """The value where the condition holds (``mask``: does not hold), else the other one, or NaN."""
    other = call.get("other")
    otherwise = (TRUE, NAN) if other is None else part(call.run, other, call.node, call.env)
    cond = condition(call.run, call.needed("cond"), call.series, call.node, call.env)
    this = floats_of(call.run, call.series, call.node)
    return chosen(call.series, cond if call.method == "where" else negate(cond), this, otherwise)


declare(
    SERIES,
    "per row",
    """
duplicated(keep: "first" | "last" | False = "first")
""",
)
declare(
    SERIES,
    "other",
    """
filter(items=None, like: never = None, regex: never = None, axis: 0 = None)
""",
)
declare(
    FRAME,
    "other",
    """
duplicated(subset=None, keep: "first" | "last" | False = "first")
eq(other, axis: 0 | "index" = "columns", **kwargs)
filter(items=None, like: never = None, regex: never = None, axis: 0 | "index" = None)
ge(other, axis: 0 | "index" = "columns", **kwargs)
gt(other, axis: 0 | "index" = "columns", **kwargs)
isin(values)
le(other, axis: 0 | "index" = "columns", **kwargs)
lt(other, axis: 0 | "index" = "columns", **kwargs)
mask(cond, other=..., *, inplace: False = False, axis: 0 | "index" = None, **kwargs)
ne(other, axis: 0 | "index" = "columns", **kwargs)
where(cond, other=..., *, inplace: False = False, axis: 0 | "index" = None, **kwargs)
""",
)
