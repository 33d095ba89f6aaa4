"""Functions of ``pyarrow.compute`` that make one Arrow scalar of a mask or a column; ``compute`` states their law."""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import NONE, both, choose, either, is_null, negate
from headwater.python.values import append_only
from headwater.python.values.append_only import RunningFold, State
from headwater.python.values.rows import Rows
from headwater.python.values.scope import Value
from headwater.python.values.structures import RecordValue
from headwater_ir.expr import FALSE, TRUE, Compare, CompareOp, Expr, If, IsNaN
from headwater_ir.types import BOOL, FLOAT, INT64, Type

from .compute import Call, flags, function, null_of
from .table import ArrowScalar, Chunked, Extremes


def _any_row(call: Call, condition: Expr) -> Expr:
    return call.run.some(call.node, Rows(TRUE, condition))


def _option(call: Call, name: str, default: int) -> int:
    """A constant option of the call; the signature has no others."""
    given = call.bound.get(name)
    return int(given.value) if isinstance(given, ast.Constant) else default  # type: ignore[arg-type]


def _or_null(
    call: Call, column: Chunked, null: Expr, value: Expr, t: Type | None, *, least: int = 1, decided: Expr = FALSE
) -> ArrowScalar:
    """``value``; null where fewer than ``least`` values of the column are none, and, unless nulls are skipped, where
    one is null and it is not ``decided``."""
    there = TRUE if least == 0 else _any_row(call, both(column.mask, negate(null)))
    if not _option(call, "skip_nulls", True) and null != FALSE:
        there = either(decided, both(there, negate(_any_row(call, both(column.mask, null)))))
    return ArrowScalar(choose(there, value, NONE), t)


def _quantified(call: Call, column: Chunked, every: bool, *, kleene: bool) -> ArrowScalar:
    """``kleene``: what decides does so whatever is null; otherwise it is a maximum, or minimum."""
    null, holds = flags(call.run, column)
    if every:
        found = negate(_any_row(call, both(column.mask, negate(null), negate(holds))))
    else:
        found = _any_row(call, both(column.mask, holds))
    if not kleene:
        return _or_null(call, column, null, found, BOOL)
    decided = negate(found) if every else found
    return _or_null(call, column, null, found, BOOL, least=_option(call, "min_count", 1), decided=decided)


@function("any all", "array", "skip_nulls", "min_count")
def quantified(call: Call) -> ArrowScalar:
    """Of a mask."""
    column = call.whole("array")
    if column.type != BOOL:
        raise call.refusal("a column that holds no truth values")
    return _quantified(call, column, call.bound.name == "all", kleene=True)


@function("count", "array", "mode")
def count(call: Call) -> ArrowScalar:
    """How many values are not null."""
    column, mode = call.whole("array"), call.bound.get("mode")
    wanted = mode.value if isinstance(mode, ast.Constant) else "only_valid"
    null = null_of(call.run, column.element)
    kept = {"only_valid": negate(null), "only_null": null, "all": TRUE}[str(wanted)]
    return ArrowScalar(call.run.counted("count", both(column.mask, kept)), INT64)


@function("sum", "array", "skip_nulls", "min_count")
def total(call: Call) -> ArrowScalar:
    """Of a mask, how often it is true; of numbers, their sum, which must not wrap."""
    run, column, least = call.run, call.whole("array"), _option(call, "min_count", 1)
    if column.type == BOOL:
        null, holds = flags(run, column)
        return _or_null(call, column, null, run.counted("sum", both(column.mask, holds)), None, least=least)
    null, ones = _of_choice(column)
    if ones is not None:
        return _or_null(call, column, null, run.counted("sum", both(column.mask, ones)), INT64, least=least)
    if column.type.name not in ("int", "float") or column.type.bits == 8:
        raise call.refusal(f"a column of type {column.type}")
    null = null_of(run, column.element)
    if column.type.name == "float":
        run.scope.assume("rounding in a sum does not depend on how Arrow groups the additions", "rounding")
    else:
        run.scope.assume("a sum of a column stays within 64 bits", "range")
    rows = Rows(column.element, both(column.mask, negate(null)), column.order)
    bag = run.as_list(call.node, rows, ordered=False)
    summed = run.observe(bag, append_only.total(nones=False, passed=True))[0]
    return _or_null(call, column, null, summed, FLOAT if column.type.name == "float" else INT64, least=least)


def _of_choice(column: Chunked) -> tuple[Expr, Expr | None]:
    """Where a column of 1 and 0 is null, and where it is 1; None for another column."""
    null, e = FALSE, column.element
    if isinstance(e, If) and e.then == NONE:
        null, e = e.cond, e.otherwise
    if isinstance(e, If) and (e.then, e.otherwise) == (append_only.ONE, append_only.ZERO):
        return null, both(negate(null), e.cond)
    return null, None


@function("max min", "array", "skip_nulls", "min_count")
def extreme(call: Call) -> ArrowScalar:
    """The greatest, or least, value that is neither null nor NaN; NaN if there is no other. Of no values null, whatever
    ``min_count`` says."""
    column = call.whole("array")
    return _extreme(call, column, call.bound.name)


@function("min_max", "array", "skip_nulls", "min_count")
def extremes(call: Call) -> Extremes:
    """Both."""
    column = call.whole("array")
    return Extremes(_extreme(call, column, "min"), _extreme(call, column, "max"))


def _extreme(call: Call, column: Chunked, name: str) -> ArrowScalar:
    run = call.run
    if column.type == BOOL:
        return _quantified(call, column, name == "min", kleene=False)
    if column.type.name not in ("int", "float", "string") or (column.type.bits == 32 and column.type.name == "float"):
        raise call.refusal(f"a column of type {column.type}")
    op: CompareOp = ">" if name == "max" else "<"
    null = null_of(run, column.element)
    bag = run.as_list(call.node, Rows(column.element, both(column.mask, negate(null)), column.order), ordered=False)

    def update(state: State, value: Value) -> State:
        (best,), new = state, append_only.scalar(value)
        beaten = IsNaN(best) if column.type.name == "float" else FALSE
        wins = either(is_null(best), beaten, both(negate(is_null(best)), Compare(op, new, best, "python")))
        return (choose(wins, new, best),)

    found = run.observe(bag, RunningFold(f"Arrow's {name}", (NONE,), update, (column.element,)))[0]
    if _option(call, "skip_nulls", True) or null == FALSE:
        return ArrowScalar(found, column.type)
    return ArrowScalar(choose(_any_row(call, both(column.mask, null)), NONE, found), column.type)


def record(of: Extremes) -> RecordValue:
    """``pc.min_max(column).as_py()``."""
    return RecordValue(("min", "max"), (of.least.value, of.greatest.value), mutable=False)
