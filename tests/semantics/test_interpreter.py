"""Folds run as THEORY.md section 1 says: absent groups, merges, emission, row functions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.semantics.interpreter import Env, EvaluationError, Machine, compile_expr, evaluate, passes, run_fold
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.codec import dumps
from headwater_ir.problem import Column, Fold, OutputColumn, Parameter, StateSlot
from tests.strategies import ADVERSARIAL, BASIC_TYPES, Scope, exprs, folds, problems, rows, scalars

ONE, N = ir.Lit(1, ty.INT), ir.Slot(0)
ROWS: list[dict[str, ir.Scalar]] = [{"k": "a", "x": 1}, {"k": "a", "x": 2}]


def counter(grouped: bool = True, emit: ir.Expr = ir.TRUE) -> Fold:
    """Counts rows from a start that the parameter ``p`` gives, and shows the key."""
    return Fold(
        name="count",
        api="agg",
        columns=(Column("k", ty.STRING, is_key=True), Column("x", ty.INT64)),
        slots=(StateSlot("n", ty.INT),),
        init=(ir.Param("p"),),
        step=(ir.Arith("+", N, ONE, "python"),),
        outputs=(OutputColumn("k", ty.STRING, ir.Col("k")), OutputColumn("n", ty.INT, N)) if grouped else (
            OutputColumn("n", ty.INT, N),
        ),
        merge=(ir.Arith("+", ir.Slot(0, 1), ir.Slot(0, 2), "python"),),
        emit=emit,
        grouped=grouped,
        params=(Parameter("p", ty.INT),),
    )  # fmt: skip


def test_an_absent_group_has_no_output() -> None:
    assert run_fold(counter(), [], {"p": 0}) is None
    assert run_fold(counter(grouped=False), [], {"p": 7}) == {"n": 7}
    assert run_fold(counter(), ROWS, {"p": 10}) == {"k": "a", "n": 12}


def test_the_first_step_starts_from_init() -> None:
    machine = Machine(counter())
    assert machine.start({}, {"p": 5}) is None
    assert machine.step(None, ROWS[0], {"p": 5}) == (6,)
    assert Machine(counter(grouped=False)).start({}, {"p": 5}) == (5,)


def test_absence_is_neutral_in_a_merge() -> None:
    machine = Machine(counter())
    assert machine.merge(None, None) is None
    assert machine.merge((3,), None) == machine.merge(None, (3,)) == (3,)
    assert machine.merge((3,), (4,)) == (7,)
    python_only = Fold("f", "applyInPandas", (), (), (), (), ())
    with pytest.raises(ValueError, match="never merges"):
        Machine(python_only).merge((), ())


@pytest.mark.parametrize("emit", [ir.FALSE, ir.Compare("<", N, ir.Lit(None, ty.INT), "sql")])
def test_nothing_is_emitted_unless_true(emit: ir.Expr) -> None:
    assert run_fold(counter(emit=emit), ROWS, {"p": 0}) is None


def test_row_functions_read_the_row() -> None:
    double = OutputColumn("y", ty.INT, ir.Arith("*", ir.Col("x"), ir.Lit(2, ty.INT), "python"))
    fold = Fold("f", "udf", (Column("x", ty.INT64),), (), (), (), (double,), rows="one")
    assert Machine(fold).row_output({"x": 4}) == {"y": 8}
    assert run_fold(fold, [{"x": 4}]) == {"y": 8}
    assert run_fold(fold, []) is None
    with pytest.raises(ValueError, match="group of its own"):
        run_fold(fold, ROWS)
    with pytest.raises(EvaluationError):
        run_fold(fold, [{"x": None}])


def test_a_filter_passes_only_true() -> None:
    above = ir.Compare(">", ir.Out("n"), ir.Param("p"), "sql")
    assert [passes(above, {"n": n}, {"p": 1}) for n in (2, 1, None)] == [True, False, False]


@given(st.data())
def test_random_folds_have_a_value_or_an_evaluation_error(data: st.DataObject) -> None:
    problem = data.draw(problems())
    params = {p.name: data.draw(scalars(p.type)) for p in problem.fold.params}
    try:
        out = run_fold(problem.fold, data.draw(rows(problem.fold)), params)
        if out is not None:
            assert isinstance(passes(problem.predicate, out, params), bool)
    except EvaluationError:
        pass


@given(folds(), st.data())
def test_running_twice_is_running_once(fold: Fold, data: st.DataObject) -> None:
    group = data.draw(rows(fold))
    params = {p.name: data.draw(scalars(p.type)) for p in fold.params}

    def once() -> str:
        try:
            return repr(run_fold(fold, group, params))
        except EvaluationError as error:
            return str(error)

    assert once() == once()


TWO = Scope((("a", ty.FLOAT), ("b", ty.INT64)))


@given(exprs(ty.BOOL, TWO, 3))
def test_compiling_twice_is_compiling_once(e: ir.Expr) -> None:
    env = Env({"a": 1.0, "b": None})
    first, second = compile_expr(e), compile_expr(e)
    for evaluator in (first, second):
        try:
            evaluator(env)
        except EvaluationError:
            continue
    assert dumps(e)


@pytest.mark.parametrize("result", [*BASIC_TYPES, ty.TIMESTAMP, ty.NUMBER, ty.DECIMAL, ty.ANY, ty.NULL], ids=str)
def test_opaque_calls_are_functions_of_their_arguments(result: ty.Type) -> None:
    call = ir.Call("f", (ir.Col("x"),), result, total=True)
    values = {repr(evaluate(call, Env({"x": x}))) for x in range(60)}
    assert len(values) > 1 or result == ty.NULL
    for one, other in [(1, 1.0), (1, True), (0.0, -0.0), (math.nan, float("nan"))]:
        assert repr(evaluate(call, Env({"x": one}))) == repr(evaluate(call, Env({"x": other})))
    for x in [v for pool in ADVERSARIAL.values() for v in pool]:
        evaluate(call, Env({"x": x}))


def test_calls_that_are_not_total_refuse_none() -> None:
    with pytest.raises(EvaluationError):
        evaluate(ir.Call("f", (ir.Lit(None, ty.INT),), ty.INT), Env())
    assert evaluate(ir.Call("str.upper", (ir.Lit(None, ty.STRING),), ty.STRING, total=True), Env()) is None
    assert evaluate(ir.Call("str", (ir.Lit(None, ty.STRING),), ty.STRING, total=True), Env()) == "None"


def test_malformed_expressions_are_refused_early() -> None:
    with pytest.raises(ValueError, match="no operator"):
        compile_expr(ir.Arith("//", ONE, ONE, "sql"))
