"""Constants: their order, what is beyond them, what has no encoding."""

from __future__ import annotations

import datetime as dt
import itertools
import math

import pytest
import z3

from headwater.semantics.symbolic import Encoder, Scope, State, canonical
from headwater.semantics.values import F, T, UnsupportedTerm, Value, fresh_context, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty

INF = math.inf
ORDERED: dict[str, tuple[ir.Scalar, ...]] = {
    "float": (-INF, -1.7e308, -1.0, -5e-324, 0.0, 5e-324, 0.1, 0.1 + 2**-55, 0.5, 1.0, 1.7e308, INF),
    "int": (-(2**63), -1, 0, 1, 2**63),
    "string": ("", " a", "A", "a", "ab", "b"),
    "date": (dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(2024, 2, 29), dt.date(2024, 3, 1)),
    "timestamp": (
        dt.datetime(1, 1, 1), dt.datetime(1969, 12, 31, 23, 59, 59, 999999), dt.datetime(1970, 1, 1),
        dt.datetime(1970, 1, 1, 0, 0, 0, 1), dt.datetime(1970, 1, 1, 0, 0, 0, 2), dt.datetime(2024, 2, 29, 23),
    ),
}  # fmt: skip


def lit(value: ir.Scalar) -> ir.Lit:
    return ir.Lit(value, ty.TIMESTAMP if isinstance(value, dt.datetime) else ty.ANY)


def valid(encoder: Encoder, claim: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(*encoder.axioms, z3.Not(claim))
    return bool(solver.check() == z3.unsat)


@pytest.mark.parametrize("name", ORDERED)
def test_constants_keep_their_order(name: str) -> None:
    fresh_context()
    values = ORDERED[name]
    encoder = Encoder([lit(v) for v in values])
    found = [encoder.literal(lit(v)) for v in values]
    assert all(v.null is F and v.nan is F for v in found)
    assert {v.kind for v in found} == {"text" if name == "string" else name}
    assert valid(encoder, z3.And(*(a.term < b.term for a, b in itertools.pairwise(found))))
    solver = z3.Solver()
    solver.add(*encoder.axioms)
    assert solver.check() == z3.sat


@pytest.mark.parametrize("t", [ty.FLOAT, ty.NUMBER])
def test_infinity_is_the_last_value_and_is_one(t: ty.Type) -> None:
    fresh_context()
    encoder = Encoder([])
    x = encoder.bound(variable("x", t)).term
    above, below = encoder.literal(lit(INF)).term, encoder.literal(lit(-INF)).term
    assert valid(encoder, x <= above)
    assert valid(encoder, x >= below)
    for claim in (x < above, x > below, x == above, x == below):
        assert not valid(encoder, claim)
    for value in (5.0, -5.0):
        one = Encoder([])
        term, bound = one.literal(lit(value)).term, one.infinity
        assert valid(one, z3.And(term < bound, term > -bound))


def test_only_what_may_be_infinite_is_bounded() -> None:
    for t in (ty.INT64, ty.BOOL, ty.STRING, ty.DATE, ty.TIMESTAMP, ty.FLOAT, ty.NUMBER):
        encoder = Encoder([])
        x = variable("x", t)
        assert encoder.bound(x) is x
        assert bool(encoder.axioms) == (t in (ty.FLOAT, ty.NUMBER))


def test_missing_constants() -> None:
    encoder = Encoder([])
    nan, nat, null = (encoder.literal(e) for e in (lit(math.nan), ir.Lit(math.nan, ty.TIMESTAMP), lit(None)))
    assert (nan.kind, nan.null, nan.nan) == ("float", F, T)
    assert (nat.kind, nat.null, nat.nan) == ("timestamp", F, T)
    assert z3.is_int(nat.term)
    assert (null.kind, null.null) == ("null", T)
    assert (encoder.literal(lit(True)).term, encoder.literal(lit(False)).term) == (T, F)
    assert encoder.literal(lit(True)).kind == "bool"


def test_what_is_refused() -> None:
    encoder = Encoder([ir.Compare("==", ir.Col("x"), lit("known"), "sql")])
    assert encoder.literal(lit("known")).kind == encoder.literal(lit("")).kind == "text"
    with pytest.raises(UnsupportedTerm, match="not announced"):
        encoder.literal(lit("unknown"))
    with pytest.raises(UnsupportedTerm, match="time zone"):
        encoder.literal(lit(dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)))


def test_names_are_those_of_the_scope() -> None:
    fresh_context()
    encoder = Encoder([])
    a, b, c = (variable(n, ty.INT64) for n in "abc")
    states = {0: State(z3.Bool("p0"), (a, b)), 1: State(z3.Bool("p1"), (b, c)), 2: State(z3.Bool("p2"), (c, a))}
    scope = Scope(row={"x": a}, states=states, outs={"o": (b, z3.Bool("ok"))}, params={"t": c})
    assert encoder.eval(ir.Col("x"), scope) == (a, T)
    assert encoder.eval(ir.Param("t"), scope) == (c, T)
    found, ok = encoder.eval(ir.Out("o"), scope)
    assert (found, str(ok)) == (b, "ok")
    for side, state in states.items():
        for i, slot in enumerate(state.slots):
            assert encoder.eval(ir.Slot(i, side), scope) == (slot, T)  # type: ignore[arg-type]
        present, defined = encoder.eval(ir.Present(side), scope)  # type: ignore[arg-type]
        assert (present.kind, present.null, present.term.eq(state.present), defined) == ("bool", F, True, T)
    assert encoder.eval(ir.Raise("no"), scope)[1] is F
    for missing in (ir.Col("y"), ir.Param("x"), ir.Out("x")):
        with pytest.raises(KeyError):
            encoder.eval(missing, Scope())


def test_scopes_forget_nothing_and_share_nothing() -> None:
    fresh_context()
    encoder = Encoder([])
    one, other = (Scope(row={"x": variable(n, ty.INT64)}) for n in "ab")
    assert encoder.eval(ir.Col("x"), one) != encoder.eval(ir.Col("x"), other)
    e = ir.Compare("<", ir.Col("x"), lit(1), "sql")
    assert encoder.eval(e, one) is encoder.eval(e, one)
    assert one.memo is not other.memo


def test_what_is_hidden_is_made_canonical() -> None:
    fresh_context()
    for t in (ty.INT64, ty.FLOAT, ty.BOOL, ty.STRING):
        x = variable("x", t)
        y = Value(x.kind, x.null, x.nan, variable("y", t).term)
        solver = z3.Solver()
        solver.add(z3.Or(x.null, x.nan), canonical(x) != canonical(y))
        assert solver.check() == z3.unsat
        solver = z3.Solver()
        solver.add(z3.Not(x.null), z3.Not(x.nan), canonical(x) != x.term)
        assert solver.check() == z3.unsat
        bare = Value(x.kind, F, F, x.term)
        assert canonical(bare) is x.term
        assert canonical(Value(x.kind, T, F, x.term)).eq(canonical(Value(x.kind, T, F, y.term)))
