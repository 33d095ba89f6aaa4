"""What Spark makes of the frame that the function returns.

None, NaN and NaT become NULL in every column type. Values are converted by Arrow. A whole number that does not fit is
an error where ``overflow_fails``, and wraps before Spark 4.1: refused unless the value provably fits, or fits but for
a range that can be checked here.
"""

from __future__ import annotations

import ast
import math

from headwater.python.exprs.intervals import Range, SlotRanges, of_type, range_of
from headwater.python.exprs.simplify import NONE, both, choose, either, is_nan, is_null, negate
from headwater.python.exprs.types import results
from headwater.python.interpreter.outcomes import Outcome, Split
from headwater.python.values.scope import Scope
from headwater.syntax.names.spark_conf import overflow_fails
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, Compare, Expr, If, IsNaN, IsNull, Lit, Raise, Slot
from headwater_ir.plan import Field, Schema
from headwater_ir.types import FLOAT, FLOAT32, INT, INT64, NUMBER, Type

from .returned_table import Table

_EXACT = 2**53


def emitted(tree: Outcome) -> Expr:
    """Whether the function returns a row."""
    if isinstance(tree, Split):
        return choose(tree.cond, emitted(tree.then), emitted(tree.otherwise))
    if tree.kind == "raise":
        return Raise(tree.reason)
    if not isinstance(tree.value, Table):
        raise Refusal("opaque", "the function does not return a frame that is built in it")
    return FALSE if tree.value.values is None else TRUE


def returned(tree: Outcome, output: Schema) -> list[Expr | None]:
    """The value of each declared column where a row is returned; None where no path returns one."""
    if isinstance(tree, Split):
        then, otherwise = returned(tree.then, output), returned(tree.otherwise, output)
        return [
            a if b is None else b if a is None else choose(tree.cond, a, b)
            for a, b in zip(then, otherwise, strict=True)
        ]
    table = tree.value
    if not isinstance(table, Table):
        return [None] * len(output.fields)
    declared = [f.name for f in output.fields]
    if table.names is not None and set(table.names) != set(declared):
        raise Refusal("may-throw", "the returned columns are not the declared ones")
    if table.values is None:
        return [None] * len(declared)
    if table.names is None:
        if len(table.values) != len(declared):
            raise Refusal("may-throw", "the returned columns are not the declared ones")
        return list(table.values)
    by_name = dict(zip(table.names, table.values, strict=True))
    return [by_name[n] for n in declared]


def converted(scope: Scope, e: Expr, field: Field, slots: SlotRanges, nan_is_null: bool = True) -> Expr:
    """The value of the output column ``field`` when the function returns ``e`` for it. Spark checks NOT NULL, and
    fails."""
    value = _converted(scope, e, field, slots, nan_is_null)
    return value if field.nullable else choose(is_null(value), Raise(f"`{field.name}` is NULL"), value)


def _converted(scope: Scope, e: Expr, field: Field, slots: SlotRanges, nan_is_null: bool) -> Expr:
    declared = field.type
    for result in results(e):
        scope.hint(result, INT64 if declared.name == "int" else NUMBER if declared.name == "float" else declared)
    value = nulled(scope, e) if nan_is_null else e
    if declared.name == "int":
        return _whole(scope, e, value, field, slots)
    for result in results(e):
        if not _fits(scope, result, declared):
            raise Refusal("may-throw", f"`{field.name}` is declared as {declared}, its value is {scope.type(result)}")
    if declared == FLOAT:
        values = range_of(e, scope.columns, slots)
        if scope.type(e).name in ("int", "number") and not (values and values.low >= -_EXACT and values.high <= _EXACT):
            scope.assume(f"whole numbers in `{field.name}` stay within 2**53", "range")
    return value


def _fits(scope: Scope, result: Expr, declared: Type) -> bool:
    t = scope.type(result)
    if isinstance(result, (Lit, Raise)) and t.name == "null":
        return True
    if declared == FLOAT32:
        return t == FLOAT32
    if declared.name == "float":
        return t.name in ("int", "float", "number")
    return t.name == declared.name and t.name in ("string", "bool", "date", "timestamp")


def _whole(scope: Scope, e: Expr, value: Expr, field: Field, slots: SlotRanges) -> Expr:
    values, allowed = range_of(e, scope.columns, slots), of_type(field.type)
    if values is None or allowed is None or scope.type(e).name in ("any", "bool"):
        raise Refusal("may-throw", f"`{field.name}` is declared as {field.type}, its value may be fractional")
    wrong: list[Expr] = []
    if value is e and scope.type(e).name in ("float", "number"):
        wrong.append(is_nan(value))  # NaN was not made NULL, and is no whole number
    if values.infinite:
        wrong += [Compare("==", value, Lit(sign * math.inf, FLOAT), "python") for sign in (1, -1)]
    if not (field.type == INT64 and all(_counts(scope, r) for r in results(e))):
        wrong += _outside(scope, value, field, values, allowed)
    if not wrong:
        return value
    if not overflow_fails(scope.names.settings):
        raise Refusal("may-throw", f"`{field.name}` may not fit {field.type}, and then wraps by version of Spark")
    return choose(
        both(negate(IsNull(value)), either(*wrong)), Raise(f"`{field.name}` does not fit {field.type}"), value
    )


def _counts(scope: Scope, result: Expr) -> bool:
    """Whether ``result`` is a count, which no group has the rows to take beyond 64 bits."""
    return isinstance(result, Raise) or (isinstance(result, Slot) and result.index in scope.counters)


def _outside(scope: Scope, value: Expr, field: Field, values: Range, allowed: Range) -> list[Expr]:
    if values.empty or (allowed.low <= values.low and values.high <= allowed.high):
        return []
    if not values.bounded or values.by_rows:
        scope.assume(f"`{field.name}` stays within {field.type.bits} bits", "range")
        return []
    low, high = Lit(int(allowed.low), INT), Lit(int(allowed.high), INT)
    return [Compare(">", value, high, "python"), Compare("<", value, low, "python")]


def nulled(scope: Scope, e: Expr) -> Expr:
    """``e`` with NaN and NaT turned into NULL."""
    if isinstance(e, If):
        then, otherwise = nulled(scope, e.then), nulled(scope, e.otherwise)
        if isinstance(e.cond, IsNull) and then == NONE:
            if otherwise == e.cond.operand:
                return otherwise
            if isinstance(otherwise, If) and otherwise == If(IsNaN(e.cond.operand), NONE, e.cond.operand):
                return otherwise  # NULL is not NaN, so the second test passes it on
        return choose(e.cond, then, otherwise)
    if isinstance(e, Lit):
        return NONE if is_nan(e) == TRUE or e.value is None else e
    if scope.type(e).name in ("float", "number", "any", "timestamp"):
        return If(IsNaN(e), NONE, e)
    return e


def at(node: ast.AST, error: Refusal) -> Refusal:
    """``error``, placed at ``node`` if it has no place yet."""
    error.node = error.node or node
    return error
