"""The symbolic meaning admits every concrete behaviour, and nothing else where it leaves nothing free.

The first half is what soundness rests on: if the interpreter can compute a value or an error, no proof may exclude
it. The second half is precision: for expressions without float arithmetic, opaque functions and Spark integer
overflow the encoding determines the outcome.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater.semantics.symbolic import Encoder, Scope, State, Term
from headwater.semantics.values import T, UnsupportedTerm, Value, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty
from tests.strategies import BASIC_TYPES, exprs, scalars
from tests.strategies import Scope as Names

COLUMNS = tuple((f"{t.name[0]}{i}", t) for t in BASIC_TYPES for i in (0, 1))
SLOTS = BASIC_TYPES
NAMES = Names(columns=COLUMNS, slots=SLOTS, params=(("p", ty.FLOAT),))


def is_value(encoder: Encoder, symbolic: Value, concrete: ir.Scalar) -> z3.BoolRef:
    """The symbolic value is this concrete one."""
    if concrete is None:
        return symbolic.null
    if isinstance(concrete, float) and math.isnan(concrete):
        return z3.And(z3.Not(symbolic.null), symbolic.nan)
    from headwater.semantics.values import unify

    a, b = unify(symbolic, encoder.literal(ir.Lit(concrete, ty.ANY)))
    return z3.And(z3.Not(symbolic.null), z3.Not(symbolic.nan), a.term == b.term)


def outcome(
    e: ir.Expr, row: Mapping[str, ir.Scalar], slots: tuple[ir.Scalar, ...], p: ir.Scalar
) -> tuple[str, ir.Scalar]:
    """What the interpreter makes of ``e``."""
    try:
        return "value", evaluate(e, Env(row=row, slots=(slots, None, None), params={"p": p}))
    except EvaluationError:
        return "error", None


def encoded(
    e: ir.Expr, row: Mapping[str, ir.Scalar], slots: tuple[ir.Scalar, ...], p: ir.Scalar
) -> tuple[Encoder, Term, z3.Solver]:
    """``e`` over free symbols, and a solver that pins them to the concrete inputs."""
    texts = [ir.Lit(v, ty.STRING) for v in (*row.values(), *slots) if isinstance(v, str)]
    encoder = Encoder([e, *texts])
    symbols = {name: encoder.bound(variable(f"r.{name}", t)) for name, t in COLUMNS}
    state = tuple(encoder.bound(variable(f"a.{i}", t)) for i, t in enumerate(SLOTS))
    param = encoder.bound(variable("param.p", ty.FLOAT))
    term = encoder.eval(e, Scope(row=symbols, states={0: State(T, state)}, params={"p": param}, tag=1))
    solver = z3.Solver()
    solver.add(*(is_value(encoder, symbols[n], v) for n, v in row.items()), is_value(encoder, param, p))
    solver.add(*(is_value(encoder, s, v) for s, v in zip(state, slots, strict=True)))
    return encoder, term, solver


def leaves_nothing_free(e: ir.Expr) -> bool:
    return not any(isinstance(n, (ir.Call, ir.StringTest, ir.Arith, ir.Neg)) for n in ir.walk(e))


inputs = st.tuples(
    st.fixed_dictionaries({name: scalars(t) for name, t in COLUMNS}),
    st.tuples(*(scalars(t) for t in SLOTS)),
    scalars(ty.FLOAT),
)


@settings(max_examples=400)
@given(data=st.data(), t=st.sampled_from(BASIC_TYPES), given_inputs=inputs)
def test_symbolic_admits_what_the_interpreter_computes(
    data: st.DataObject, t: ty.Type, given_inputs: tuple[dict[str, ir.Scalar], tuple[ir.Scalar, ...], ir.Scalar]
) -> None:
    e = data.draw(exprs(t, NAMES, 3))
    row, slots, p = given_inputs
    what, concrete = outcome(e, row, slots, p)
    try:
        encoder, (value, ok), solver = encoded(e, row, slots, p)
        expected = z3.Not(ok) if what == "error" else z3.And(ok, is_value(encoder, value, concrete))
    except UnsupportedTerm:
        return
    solver.add(*encoder.axioms)
    assert solver.check() == z3.sat, "the inputs themselves are excluded"
    assert solver.check(expected) == z3.sat, f"{e} is {what} {concrete!r}, which the encoding excludes"
    if leaves_nothing_free(e):
        assert solver.check(z3.Not(expected)) == z3.unsat, f"{e} is {what} {concrete!r}, but the encoding admits more"


def test_the_strategies_reach_every_node() -> None:
    """A node that no generated expression contains would be untested here."""
    reached: set[type] = set()

    @settings(max_examples=600, database=None)
    @given(data=st.data(), t=st.sampled_from(BASIC_TYPES))
    def collect(data: st.DataObject, t: ty.Type) -> None:
        reached.update(type(n) for n in ir.walk(data.draw(exprs(t, NAMES, 3))))

    collect()
    assert reached >= set(ir.EXPR_NODES) - {ir.Out, ir.Present, ir.Raise}


def test_dates_and_timestamps_keep_their_order() -> None:
    encoder = Encoder([])
    pairs = [(dt.date(2024, 2, 28), dt.date(2024, 2, 29)), (dt.datetime(1969, 12, 31, 23), dt.datetime(1970, 1, 1))]
    for early, late in pairs:
        a, b = (encoder.literal(ir.Lit(v, ty.ANY)).term for v in (early, late))
        assert z3.is_true(z3.simplify(a < b))
