"""The python dialect means what CPython does: each expression is rendered, evaluated by ``eval`` and interpreted."""

from __future__ import annotations

import datetime as dt
import math
import operator
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir import expr as ir
from headwater_ir import types as ty
from tests.conformance.cases import CALLS, MIXED, PAIRS, expressions, rows
from tests.conformance.render import python
from tests.strategies import BASIC_TYPES, Scope, exprs, scalars

ERROR = "an error"
GIANT = ir.Arith("**", ir.Lit(2, ty.INT), ir.Lit(1 << 20, ty.INT), "python")


def raise_(reason: str) -> NoReturn:
    raise RuntimeError(reason)


SCOPE: dict[str, Any] = {
    "dt": dt, "raise_": raise_, "pandas_isnan": lambda v: isinstance(v, float) and math.isnan(v),
    "contains": lambda needle, text: operator.contains(text, needle),
}  # fmt: skip


def by_cpython(e: ir.Expr, row: dict[str, ir.Scalar]) -> object:
    """What CPython makes of it. Complex numbers and the like are no values of ours, so they count as errors."""
    try:
        value = eval(python(e), dict(SCOPE), {k: fresh(v) for k, v in row.items()})
    except (TypeError, ArithmeticError, RuntimeError, AttributeError, ValueError):
        return ERROR
    return value if isinstance(value, (type(None), bool, int, float, str, dt.date)) else ERROR


def fresh(value: ir.Scalar) -> ir.Scalar:
    """``value``, a NaN as an object of its own: ``in`` looks at identity first, and a row's NaN is no constant's."""
    return float("nan") if isinstance(value, float) and math.isnan(value) else value


def by_us(e: ir.Expr, row: dict[str, ir.Scalar]) -> object:
    """What the interpreter makes of it."""
    try:
        return evaluate(e, Env(row))
    except EvaluationError:
        return ERROR


def assert_agree(e: ir.Expr, row: dict[str, ir.Scalar]) -> None:
    """Both give the same value of the same type, NaN and the sign of zero included."""
    theirs, ours = by_cpython(e, row), by_us(e, row)
    assert (type(ours), repr(ours)) == (type(theirs), repr(theirs)), f"{python(e)} on {row}"


def too_large(e: ir.Expr, row: dict[str, ir.Scalar]) -> bool:
    """Powers that CPython would need minutes for; the interpreter gives up on them by design."""
    a, b = row["a"], row["b"]
    power = isinstance(e, ir.Arith) and e.op == "**"
    return power and isinstance(a, int) and isinstance(b, int) and abs(a) > 1 and b > 99


@pytest.mark.parametrize("types", PAIRS + MIXED, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_every_node(types: tuple[ty.Type, ty.Type]) -> None:
    for e in expressions(*types, "python"):
        for row in rows(*types):
            if not too_large(e, row):
                assert_agree(e, row)


def test_arithmetic_on_any_types() -> None:
    for e in [ir.Arith(op, ir.Col("a"), ir.Col("b"), "python") for op in ("+", "-", "/", "//")]:
        for pair in [(s, t) for s in BASIC_TYPES for t in BASIC_TYPES]:
            for row in rows(*pair):
                assert_agree(e, row)


@pytest.mark.parametrize("e", CALLS, ids=lambda e: e.name)
def test_known_functions(e: ir.Call) -> None:
    for t in (ty.STRING, ty.INT64, ty.FLOAT, ty.BOOL):
        for row in rows(t, ty.BOOL)[::3]:
            assert_agree(e, row)


def test_giants_are_errors() -> None:
    assert by_us(GIANT, {}) == ERROR


COLUMNS = tuple((f"c{i}", t) for i, t in enumerate(BASIC_TYPES * 2))
PYTHON = Scope(COLUMNS, dialects=("python",), opaque=False)
ROW = st.fixed_dictionaries({name: scalars(t) for name, t in COLUMNS})


def has_identity(e: ir.Expr) -> bool:
    return any(isinstance(n, ir.Same) for n in ir.walk(e))


@settings(max_examples=400)
@given(st.sampled_from(BASIC_TYPES).flatmap(lambda t: exprs(t, PYTHON, 3)).filter(lambda e: not has_identity(e)), ROW)
def test_random_expressions(e: ir.Expr, row: dict[str, ir.Scalar]) -> None:
    assert_agree(e, row)
