"""Corners of the encoding that the tables of the other files do not reach: what NULL and NaN hide, evaluation that
stops early, and what an uninterpreted function may tell apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import z3

from headwater.semantics.symbolic import Encoder, Scope, State, canonical
from headwater.semantics.values import T, UnsupportedTerm, _Constant, fresh_context, is_true, same, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr

from .test_what_is_free import NULL, B, I, K, L, Terms, X, Y, call, contains, lit, partial

RAISES = partial(ty.BOOL)


def test_nan_counts_as_true_whatever_it_hides() -> None:
    t = Terms()
    nan = z3.And(z3.Not(t.row["x"].null), t.row["x"].nan)
    assert t.valid(z3.Implies(nan, is_true(t.value(ir.Truthy(X)))))


@pytest.mark.parametrize("dialect", ["sql", "python"])
@pytest.mark.parametrize(("node", "stops"), [(ir.And, False), (ir.Or, True)])
def test_nothing_after_the_operand_that_decides_is_evaluated(
    node: Callable[..., Expr], stops: bool, dialect: ir.Dialect
) -> None:
    """Nor after one behind it that would not have decided."""
    t = Terms()
    first, second = ir.Compare("<", I, lit(0), "sql"), ir.Compare("<", X, lit(0), "sql")
    e = node((first, second, RAISES), dialect)
    one, other = (is_true(t.value(o)) for o in (first, second))
    decided = one == stops
    assert t.valid(z3.Implies(z3.And(t.there("i", "x"), decided, other != stops), t.ok(e)))
    assert not t.valid(z3.Implies(z3.And(t.there("i", "x"), z3.Not(decided), other != stops), t.ok(e)))


@pytest.mark.parametrize(("a", "b"), [(K, NULL), (NULL, K), (NULL, NULL)])
def test_a_text_test_of_null(a: Expr, b: Expr) -> None:
    t = Terms()
    assert t.valid(z3.And(t.value(contains(a, b, "sql")).null, t.ok(contains(a, b, "sql"))))
    assert t.valid(z3.Not(t.ok(contains(a, b, "python"))))


@pytest.mark.parametrize("kind", ["function", "state"])
class TestWhatAFunctionTellsApart:
    def hidden(self, kind: ir.CallKind, t: ty.Type, flag: str) -> bool:
        """Whether a call of ``kind`` must give the same for a value as for the NULL or NaN that hides that value."""
        fresh_context()
        encoder = Encoder([])
        row = {c: encoder.bound(variable(c, t)) for c in "ab"}
        first, second = (encoder.eval(call(ir.Col(c), kind=kind), Scope(row=row))[0] for c in "ab")
        zero = z3.IntVal(0) if z3.is_int(row["b"].term) else z3.RealVal(0)
        there = z3.And(z3.Not(row["b"].null), z3.Not(row["b"].nan), row["b"].term == zero)
        missing = z3.And(
            row["a"].null if flag == "null" else z3.Not(row["a"].null),
            row["a"].nan if flag == "nan" else z3.Not(row["a"].nan),
        )
        solver = z3.Solver()
        solver.add(*encoder.axioms, there, missing)
        assert solver.check() == z3.sat
        solver.add(z3.Not(same(first, second)))
        return bool(solver.check() == z3.unsat)

    @pytest.mark.parametrize("t", [ty.STRING, ty.INT64, ty.FLOAT, ty.TIMESTAMP], ids=str)
    def test_null_from_a_value(self, kind: ir.CallKind, t: ty.Type) -> None:
        assert not self.hidden(kind, t, "null")

    @pytest.mark.parametrize("t", [ty.FLOAT, ty.NUMBER, ty.TIMESTAMP], ids=str)
    def test_nan_from_a_value(self, kind: ir.CallKind, t: ty.Type) -> None:
        assert not self.hidden(kind, t, "nan")

    def test_one_text_from_another(self, kind: ir.CallKind) -> None:
        t = Terms()
        assert not t.valid(
            z3.Implies(t.there("k", "l"), same(t.value(call(K, kind=kind)), t.value(call(L, kind=kind))))
        )
        equal = z3.And(t.there("k", "l"), t["k"] == t["l"])
        assert t.valid(z3.Implies(equal, same(t.value(call(K, kind=kind)), t.value(call(L, kind=kind)))))

    def test_one_null_is_another(self, kind: ir.CallKind) -> None:
        t = Terms()
        nulls = z3.And(t.row["k"].null, t.row["l"].null)
        assert t.valid(z3.Implies(nulls, same(t.value(call(K, kind=kind)), t.value(call(L, kind=kind)))))

    @pytest.mark.parametrize("arguments", [(X, K), (K, X)], ids=str)
    def test_numbers_of_two_rows_beside_a_text(self, kind: ir.CallKind, arguments: tuple[Expr, Expr]) -> None:
        """Wherever the number stands: -0.0 in one row, 0.0 in the other."""
        t = Terms()
        e = ir.Call("f", arguments, ty.INT, True, kind)
        assert not t.valid(same(t.value(e), t.value(e, 1)))

    def test_numbers_of_the_two_runs(self, kind: ir.CallKind) -> None:
        """One run may hold 0.0 where the other holds -0.0."""
        fresh_context()
        encoder = Encoder([])
        slot = encoder.bound(variable("s", ty.FLOAT))
        scope = Scope(states={side: State(z3.BoolVal(True), (slot,)) for side in (1, 2)})
        sides = [encoder.eval(call(ir.Slot(0, side), kind=kind), scope)[0] for side in (1, 2)]
        solver = z3.Solver()
        solver.add(*encoder.axioms, z3.Not(same(*sides)))
        assert solver.check() == z3.sat


@pytest.mark.parametrize("t", [ty.INT64, ty.STRING, ty.BOOL, ty.DATE], ids=str)
def test_what_is_never_nan(t: ty.Type) -> None:
    terms = Terms()
    assert terms.valid(z3.Not(terms.value(ir.Call("f", (K,), t, True)).nan))


@pytest.mark.parametrize("t", [ty.BOOL, ty.INT64, ty.FLOAT, ty.STRING, ty.DATE], ids=str)
def test_what_a_missing_value_hides_is_of_its_kind(t: ty.Type) -> None:
    symbol = variable("a", t)
    for hidden in (replace(symbol, null=T), symbol):
        assert canonical(hidden).sort() == symbol.term.sort()


def test_a_function_without_arguments_has_one_value() -> None:
    t = Terms()
    e = ir.Call("f", (), ty.INT, True)
    assert t.valid(same(t.value(e), t.value(e)))


@pytest.mark.parametrize("e", [ir.Not(NULL), ir.And((NULL, B)), ir.Or((B, NULL)), ir.And((NULL, NULL))], ids=str)
def test_null_is_a_truth_value(e: Expr) -> None:
    t = Terms()
    assert t.valid(z3.Implies(t.row["b"].null, t.value(e).null))
    assert t.valid(t.ok(e))


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_constant_in_every_context(value: bool) -> None:
    constant = _Constant(value)
    for _ in range(2):
        fresh_context()
        assert z3.is_true(z3.simplify(z3.And(constant, z3.BoolVal(True)))) is value


@pytest.mark.parametrize("e", [ir.Compare(op, B, NULL, "sql") for op in ("==", "<")], ids=str)
def test_null_compares_with_every_kind(e: Expr) -> None:
    assert Terms().value(e).kind == "bool"


@pytest.mark.parametrize("e", [ir.Same(B, I), ir.Same(I, B), ir.Same(K, B), ir.Compare("==", B, lit(1), "sql"),
                               ir.Compare("<", lit(0), B, "sql")], ids=str)  # fmt: skip
def test_what_spark_does_not_compare(e: Expr) -> None:
    with pytest.raises(UnsupportedTerm):
        Terms().value(e)


def test_the_order_of_nan() -> None:
    """Above every number, equal to itself (Spark); whatever the terms that the flags hide."""
    t = Terms()
    x, y = t.row["x"], t.row["y"]
    present = z3.And(z3.Not(x.null), z3.Not(y.null))
    less = is_true(t.value(ir.Compare("<", X, Y, "sql")))
    assert t.valid(z3.Implies(z3.And(present, x.nan), z3.Not(less)))
    assert t.valid(z3.Implies(z3.And(present, z3.Not(x.nan), y.nan), less))
    assert t.valid(z3.Implies(t.there("x", "y"), less == (t["x"] < t["y"])))
