"""The building blocks of formulas, by exhaustion: connectives on constants and variables, conversions, sameness."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
import z3

from headwater.semantics import values as v
from headwater.semantics.values import NUMERIC, F, Kind, T, UnsupportedTerm, Value
from headwater_ir import types as ty

KINDS: tuple[Kind, ...] = get_args(Kind)
TYPES = {
    "bool": ty.BOOL, "int": ty.INT64, "float": ty.FLOAT, "number": ty.NUMBER, "text": ty.STRING, "date": ty.DATE,
    "timestamp": ty.TIMESTAMP, "null": ty.NULL,
}  # fmt: skip
ORDER = ("bool", "int", "number")


def proves(claim: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(claim))
    return bool(solver.check() == z3.unsat)


def free() -> list[z3.BoolRef]:
    return [T, F, z3.Bool("p"), z3.Bool("q")]


def plain(term: z3.ExprRef) -> z3.ExprRef:
    """``T`` and ``F`` as Z3's own."""
    return z3.BoolVal(True) if term is T else z3.BoolVal(False) if term is F else term


@pytest.mark.parametrize("size", range(4))
def test_connectives(size: int) -> None:
    for parts in itertools.product(free(), repeat=size):
        theirs = list(map(plain, parts))
        conjunction, disjunction = v.land(*parts), v.lor(*parts)
        assert proves(plain(conjunction) == z3.And(*theirs, True))
        assert proves(plain(disjunction) == z3.Or(*theirs, False))
        left = [p for p in parts if p is not T]
        if any(p is F for p in parts) or not left:
            assert conjunction is (F if left else T)
        assert not any(
            c.eq(z3.BoolVal(b)) for c in (conjunction, disjunction) if c not in (T, F) for b in (True, False)
        )
        left = [p for p in parts if p is not F]
        if any(p is T for p in parts) or not left:
            assert disjunction is (T if left else F)
        if len(parts) == 1:
            assert conjunction is parts[0] is disjunction
    for p in free():
        assert proves(plain(v.lnot(p)) == z3.Not(plain(p)))
    assert (v.lnot(T), v.lnot(F)) == (F, T)
    assert v.lnot(T) is F
    assert v.lnot(F) is T


def test_conditionals() -> None:
    for c, a, b in itertools.product(free(), repeat=3):
        found = v.ite(c, a, b)
        assert proves(plain(found) == z3.If(plain(c), plain(a), plain(b)))
        if {id(x) for x in (a, b)} <= {id(T), id(F)} and (c is T or c is F or a is b):
            assert found is T or found is F
    x, y, p = z3.Int("x"), z3.Int("y"), z3.Bool("p")
    for c in (T, F, p):
        assert proves(v.ite(c, x, y) == z3.If(plain(c), x, y))
        assert v.ite(c, x, x) is x
        assert v.ite(c, x, z3.Int("x")).eq(x)
    assert z3.is_arith(v.ite(p, x, y) + 1)
    assert z3.is_bool(v.ite(p, z3.Bool("q"), z3.Bool("r")))
    assert v.ite(T, x, y) is x
    assert v.ite(F, x, y) is y


def test_constants_belong_to_the_current_context() -> None:
    before = z3.main_ctx()
    old = T.as_ast()
    v.fresh_context()
    assert z3.main_ctx() is not before
    assert T.ctx is z3.main_ctx() is F.ctx
    assert v.land(T, z3.Bool("p")).ctx is z3.main_ctx()
    assert T.as_ast().value is not None
    assert z3.is_true(z3.BoolRef(T.as_ast(), z3.main_ctx()))
    assert z3.is_false(z3.BoolRef(F.as_ast(), z3.main_ctx()))
    assert T.as_ast() is T.as_ast(), "made once in each context"
    assert old is not T.as_ast()


def value(kind: Kind, name: str) -> Value:
    return v.variable(name, TYPES[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_variable_is_any_value_of_its_type(kind: Kind) -> None:
    x = value(kind, "x")
    assert x.kind == kind
    assert (x.null is T) == (kind == "null")
    assert (x.nan is F) == (kind not in ("float", "number", "timestamp"))
    names = {str(x.null), str(x.nan), str(x.term)} - {"True", "False"}
    assert names == {"x"} | ({"x.null"} if x.null is not T else set()) | ({"x.nan"} if x.nan is not F else set())
    assert x.term.sort() == v.sort_of(kind)
    assert v.sort_of(kind) == (
        z3.BoolSort() if kind == "bool" else z3.IntSort() if kind in ("int", "date", "timestamp") else z3.RealSort()
    )


def test_kinds_of_types() -> None:
    wide = {"decimal": ty.DECIMAL, "any": ty.ANY}
    assert {name: v.kind_of(t) for name, t in (TYPES | wide).items()} == {
        **{name: name for name in TYPES}, "decimal": "number", "any": "number",
    }  # fmt: skip
    for t in (ty.OPAQUE, ty.list_of(ty.INT)):
        with pytest.raises(UnsupportedTerm):
            v.kind_of(t)


def test_truth() -> None:
    b = value("bool", "b")
    assert proves(v.is_true(b) == z3.And(z3.Not(b.null), b.term))
    assert proves(v.is_false(b) == z3.And(z3.Not(b.null), z3.Not(b.term)))
    assert v.is_true(v.null_value()) is F is v.is_false(v.null_value())
    for kind in KINDS:
        if kind not in ("bool", "null"):
            with pytest.raises(UnsupportedTerm):
                v.is_true(value(kind, "x"))
    assert v.boolean(b.term) == Value("bool", F, F, b.term)
    assert v.boolean(b.term, b.null) == Value("bool", b.null, F, b.term)
    null = v.null_value()
    assert (null.kind, null.null, null.nan) == ("null", T, F)
    assert null.term.eq(z3.RealVal(0))


@pytest.mark.parametrize(("a", "b"), list(itertools.product(KINDS, repeat=2)))
def test_kinds_that_meet(a: Kind, b: Kind) -> None:
    common = v.common_kind(a, b)
    if a == b or "null" in (a, b):
        assert common == (b if a == "null" else a)
    elif {a, b} <= NUMERIC:
        assert common == ("int" if {a, b} == {"bool", "int"} else "number")
    else:
        assert common is None
    x, y = value(a, "x"), value(b, "y")
    if common is None:
        with pytest.raises(UnsupportedTerm):
            v.unify(x, y)
        with pytest.raises(UnsupportedTerm):
            v.choose(z3.Bool("c"), x, y)
        assert v.same(x, y) is not F
        assert proves(plain(v.same(x, y)) == z3.And(x.null, y.null))
        return
    assert [w.kind for w in v.unify(x, y)] == [common, common]
    left, right = (v.convert(w, common) for w in (x, y))
    for old, new in ((x, left), (y, right)):
        assert new.null is old.null
        assert new.nan is old.nan
        assert new.term.sort() == v.sort_of(common)
        assert proves(number(old) == number(new)) or old.kind == "null"
    missing = z3.And(left.null, right.null)
    both_nan = z3.And(left.nan, right.nan)
    equal = z3.And(z3.Not(left.nan), z3.Not(right.nan), left.term == right.term)
    there = z3.And(z3.Not(left.null), z3.Not(right.null))
    assert proves(plain(v.same(x, y)) == z3.Or(missing, z3.And(there, z3.Or(both_nan, equal))))
    assert v.same(x, x) is T
    c = z3.Bool("c")
    chosen = v.choose(c, x, y)
    assert chosen.kind == common
    for part in ("null", "nan", "term"):
        wanted = z3.If(c, plain(getattr(left, part)), plain(getattr(right, part)))
        assert proves(plain(getattr(chosen, part)) == wanted)


def number(w: Value) -> z3.ExprRef:
    """Booleans as numbers, numbers as reals."""
    if w.kind == "bool":
        return z3.If(w.term, z3.RealVal(1), z3.RealVal(0))
    return z3.ToReal(w.term) if z3.is_int(w.term) else w.term


def test_same_needs_every_part_to_be_alike() -> None:
    """Equal terms with different flags are not the same."""
    x, y = value("float", "x"), value("float", "y")
    for mixed in (Value("float", x.null, x.nan, y.term), Value("float", x.null, y.nan, x.term),
                  Value("float", y.null, x.nan, x.term)):  # fmt: skip
        assert v.same(x, mixed) is not T
        assert not proves(v.same(x, mixed))


@pytest.mark.parametrize(("old", "new"), list(itertools.product(KINDS, repeat=2)))
def test_conversions_only_widen(old: Kind, new: Kind) -> None:
    x = value(old, "x")
    widens = old in ("null", new) or (old == "bool" and new == "int") or (old in NUMERIC and new in ("float", "number"))
    if not widens:
        with pytest.raises(UnsupportedTerm):
            v.convert(x, new)
        return
    found = v.convert(x, new)
    assert found.kind == new
    assert found.term.sort() == v.sort_of(new)
    if old == "null":
        assert (found.null, found.nan) == (T, F) or new == "null"
    if old == new:
        assert found is x


def test_whole_constants_stay_constants() -> None:
    seven = v.convert(Value("int", F, F, z3.IntVal(7)), "float")
    assert seven.term.eq(z3.RealVal(7))
    null = v.convert(v.null_value(), "bool")
    assert null.term is F
    assert v.convert(v.null_value(), "int").term.eq(z3.IntVal(0))
    assert v.convert(v.null_value(), "text").term.eq(z3.RealVal(0))
    x, y = z3.Real("x"), z3.Real("y")
    assert proves(v.equal(x, y) == (x == y))
