"""Columns as lists and arrays, and functions that are applied to values."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.python.builtins.named_containers import container_at
from headwater.python.exprs.simplify import NAN, is_boolean, negate, number_of
from headwater.python.rows.row_sequences import Series, require_row_local
from headwater.python.values import dict_tables
from headwater.python.values.rows import Rows
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import TRUE, If, Lit
from headwater_ir.types import FLOAT, STRING

from ..column_reductions import ONE, ZERO
from .model import FRAME, SERIES, MethodCall, declare, method
from .operands import constant


@method(
    SERIES,
    "values",
    """
to_list() -> "builtins.list"
tolist() -> "builtins.list"
""",
    needs="all rows",
)
def listed(call: MethodCall) -> Series:
    """The values as a list of Python's own objects."""
    return replace(call.series, listed=True)


@method(
    SERIES,
    "per row",
    """
astype(dtype, copy: never = None, errors: "raise" = "raise")
""",
    needs="its own row",
    reads=("dtype",),
)
def converted(call: MethodCall) -> Series:
    """A mask as whole numbers: 1 where it holds, else 0. What becomes of other values depends on the type of the whole
    column, which a NULL in another row may change."""
    dtype, mask = call.needed("dtype"), call.series
    whole = constant(dtype) in ("int", "int64") or call.run.scope.origin(dtype) == "builtins.int"
    if not whole or mask.column is not None or not is_boolean(mask.element):
        why = "`astype` of something other than a mask, or to another type than whole numbers"
        raise call.refusal("row-context" if call.run.row_by_row else "opaque", why)
    return Series(mask.frame, If(mask.element, ONE, ZERO), present=True)


@method(SERIES, "other", "apply(func, **kwargs)", needs="its own row", reads=("func",))
def applied(call: MethodCall) -> Series:
    """A function of each value, as a mask or as 1 and 0. What it gives for all rows makes the type of the column, so
    that other results are refused."""
    return _of_function(call, call.needed("func"))


def _of_function(call: MethodCall, function: ast.expr) -> Series:
    run, owner = call.run, call.series
    names = plain_parameters(function.args) if isinstance(function, ast.Lambda) else ["element#"]
    if names is None or len(names) != 1 or owner.frame.mask != TRUE or run.in_a_pass():
        raise call.refusal("opaque", f"`{call.method}` of a function of more than each value of the group")
    given = ast.copy_location(ast.Name("element#", ast.Load()), function)
    body = function.body if isinstance(function, ast.Lambda) else ast.Call(function, [given], [])
    with run.inside_row(call.node, Rows(owner.element, owner.frame.mask, owner.frame.order)):
        value = run.value(ast.copy_location(body, function), {**call.env, names[0]: owner.element})
        run.certain(call.node, value)
    found = Series(owner.frame, value, present=not is_boolean(value))
    require_row_local(found, call.node)
    if not is_boolean(value) and (not isinstance(value, If) or {value.then, value.otherwise} != {ONE, ZERO}):
        raise call.refusal("opaque", f"`{call.method}` of a function that gives more than truth values, or 1 and 0")
    if isinstance(value, If) and value.then == ZERO:
        return replace(found, element=If(negate(value.cond), ONE, ZERO))
    return found


@method(SERIES, "per row", 'map(arg, na_action: "ignore" | None = None)', needs="its own row", reads=("arg",))
def mapped(call: MethodCall) -> Series:
    """What a dict of constants has for a text; missing where the text is no key. Of a function as ``apply``."""
    run, owner = call.run, call.series
    if isinstance(call.needed("arg"), ast.Lambda):
        return _of_function(call, call.needed("arg"))
    found = container_at(run, call.needed("arg"), call.env)
    table = None if found is None else dict_tables.as_table(found)
    if table is None or owner.column is None or run.scope.type(owner.element) != STRING:
        raise call.refusal("opaque", "`map` of something other than a dict, or of what are no texts")
    numbers = [n for v in table.values if (n := number_of(v)) is not None]
    if len(numbers) != len(table.keys):
        raise call.refusal("opaque", "`map` of a dict whose values are not numbers")
    floats = dict_tables.Table(table.keys, tuple(Lit(float(n), FLOAT) for n in numbers))
    there = dict_tables.contains(run, call.node, floats, owner.element)
    value = dict_tables.read(run, call.node, floats, owner.element, NAN)
    return Series(owner.frame, If(negate(there), NAN, value))


declare(
    SERIES,
    "values",
    """
""",
)
declare(
    SERIES,
    "other",
    """
groupby(by=None, axis: 0 = 0, level: never = None, as_index: True = True, sort: True | False = True, group_keys: True
    | False = True, observed: True | False = ..., dropna: True | False = True) -> SeriesGroupBy
ravel(**kwargs)
replace(to_replace=None, value=..., *, inplace: False = False, regex: True | False = False, **kwargs)
to_frame(name=...)
transform(func, axis: 0 = 0, **kwargs)
""",
)
declare(
    FRAME,
    "other",
    """
apply(func, axis: 0 | 1 | "index" | "columns" = 0, raw: True | False = False, result_type: "expand" | "reduce" |
    "broadcast" | None = None, **kwargs)
map(func, na_action: "ignore" | None = None, **kwargs)
replace(to_replace=None, value=..., *, inplace: False = False, regex: True | False = False, **kwargs)
to_numpy(dtype=None, **kwargs)
transform(func, axis: 0 = 0, **kwargs)
""",
)
