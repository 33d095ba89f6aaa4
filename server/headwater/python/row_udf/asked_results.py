"""What a filter asks of a function's result, as a condition on the row: of ``y = s[:2]``, ``y = 'ab'`` is what the
function would return if it compared the two itself.

Law: the fold answers each such condition by an output of its own (``headwater_ir.asked``), whose value is the condition
with the function's value in the place of the column. Spark stores that value as it is, for the fold was read of a
function whose results are of the declared type. It is TRUE, FALSE or NULL where the condition is, and raises only where
the function does: a part of a text, a date or a number that is compared with a constant is what the same comparison in
Python is (``builtins/slice_tests.py``), for neither is None, nor NaN.
Condition: one side is a constant, and the other an output that Python has computed. What no law speaks of stays a
condition on the output.
Reference: each law beside CPython and Spark, in tests/conformance/test_asked_results.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from headwater.python.builtins.slice_tests import Types, found_in_stripped, part_of, part_test
from headwater.python.exprs.simplify import choose, either, is_boolean, is_null
from headwater.python.exprs.types import type_of
from headwater.python.values.native_parts import Native, native_parts
from headwater_ir.asked import asked_column
from headwater_ir.expr import (
    FALSE,
    MIRRORED,
    TRUE,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Raise,
    StringTest,
    transform,
)
from headwater_ir.native import native_column
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import BOOL


def with_asked(fold: Fold, predicate: Expr) -> tuple[Fold, Expr]:
    """``fold`` with the answers to conditions of ``predicate`` as outputs, and ``predicate`` in terms of them."""
    values = {o.name: o.value for o in fold.outputs}
    columns = {c.name: c.type for c in fold.columns}
    made: dict[str, Expr] = {}

    def asked(e: Expr) -> Expr | None:
        column = _column(e)
        if column is None or column not in values:
            return None
        laws = _Laws(lambda v: type_of(v, columns, {}), partial(_native, fold))
        found = _answer(values[column], partial(laws.test, e), partial(_as_it_is, e, column))
        if found is None:
            return None
        made[asked_column(e)] = found
        return Col(asked_column(e))

    predicate = transform(predicate, asked)
    outputs = tuple(OutputColumn(name, BOOL, value) for name, value in made.items())
    return replace(fold, outputs=(*fold.outputs, *outputs)) if made else fold, predicate


def _column(e: Expr) -> str | None:
    """The column that ``e`` compares with constants."""
    match e:
        case Compare(_, Col(name), Lit(), "sql") | Compare(_, Lit(), Col(name), "sql") | IsNull(Col(name)):
            return name
        case In(Col(name), options, "sql") if all(isinstance(o, Lit) and o.value is not None for o in options):
            return name
        case StringTest(_, Col(name), Lit(value=str()), "sql"):
            return name
    return None


@dataclass(frozen=True)
class _Laws:
    """Conditions on one result, in terms of the row. ``native``: what Spark computes of a column, if that is known."""

    types: Types
    native: Native

    def test(self, e: Expr, value: Expr) -> Expr | None:
        """``e`` of ``value`` in the place of its column; None where no law speaks of it."""
        match e:
            case Compare(op, Col(), Lit() as constant):
                return self._compared(op, value, constant)
            case Compare(op, Lit() as constant, Col()):
                return self._compared(MIRRORED[op], value, constant)
            case In(_, options):
                parts = [part_test(self.types, "==", value, o) for o in options]
                found = [p for p in parts if p is not None]
                return either(*found) if len(found) == len(options) else self._told(In(value, options, "python"))
            case StringTest(op, _, needle):
                whole = found_in_stripped(value, needle) if op == "contains" else None
                tested = StringTest(op, value if whole is None else whole, needle, "python")
                return self._told(tested) if whole is None else tested
            case IsNull():
                return _missing(value)
        return None

    def _compared(self, op: CompareOp, value: Expr, constant: Lit) -> Expr | None:
        found = part_test(self.types, op, value, constant)
        return self._told(Compare(op, value, constant, "python")) if found is None else found

    def _told(self, e: Expr) -> Expr | None:
        """``e`` of what Spark computes alike; None if it computes nothing so."""
        found = native_parts(e, self.native)
        return None if found == e else found


def _missing(value: Expr) -> Expr | None:
    """Whether the result is None; a part of something is there wherever that is, and else the function raises."""
    whole = part_of(value)
    if whole is None:
        return None
    while (inner := part_of(whole)) is not None:
        whole = inner
    return choose(is_null(whole), Raise("a part of None"), FALSE)


def _answer(value: Expr, test: Callable[[Expr], Expr | None], plain: Callable[[Expr], Expr]) -> Expr | None:
    """``test`` of each result that ``value`` may be; None if no law speaks of any of them."""
    if not isinstance(value, If):
        return test(value)
    sides = [_answer(side, test, plain) for side in (value.then, value.otherwise)]
    if sides == [None, None]:
        return None
    then, otherwise = (s or _plain(v, plain) for s, v in zip(sides, (value.then, value.otherwise), strict=True))
    return If(value.cond, then, otherwise)


def _plain(value: Expr, plain: Callable[[Expr], Expr]) -> Expr:
    if isinstance(value, If):
        return If(value.cond, _plain(value.then, plain), _plain(value.otherwise, plain))
    return value if isinstance(value, Raise) else plain(value)


def _as_it_is(e: Expr, column: str, value: Expr) -> Expr:
    """``e`` of a result of which no law speaks."""
    if isinstance(value, Lit) and value.value is None:
        return TRUE if isinstance(e, IsNull) else Lit(None, BOOL)
    if isinstance(e, IsNull) and (isinstance(value, Lit) or is_boolean(value)):
        return FALSE
    return transform(e, lambda n: value if n == Col(column) else None)


def _native(fold: Fold, function: str, column: str) -> Expr | None:
    """``function`` of ``column``, as far as the fold may speak of it."""
    name = native_column(function, column)
    known = any(c.name == name for c in fold.columns)
    return If(IsNull(Col(name)), Raise(f"{function} of None"), Col(name)) if known else None
