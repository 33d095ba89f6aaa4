"""What the encoding of predicates over rows of unknown types knows, and what it must not take for known."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from typing import Any, get_args

import pytest
import z3

from headwater.proof.crossings.encoding import OutOfReach, Rows, equal
from headwater.semantics.values import fresh_context, lnot
from headwater_ir import types as ty
from headwater_ir.crossing import PassesExplode, PassesGroups, PassesSort
from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Param,
    Same,
    StringTest,
    Truthy,
)
from headwater_ir.types import Type, TypeName

from .alone import ALL_INT, K, X, Y, a_join, always, both, calling, cmp, is_proved, number, over_one

OVER, F, G, T, U = cmp(">", X, 1), Col("f"), Col("g"), Param("t"), Param("u")
NOTHING = Lit(None, ty.NULL)
SIGNS: dict[CompareOp, set[int]] = {"==": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}


def listed(e: Expr, *options: Expr) -> In:
    return In(e, options, "sql")


def text(e: Expr, *more: Expr) -> Call:
    return Call("spark.string", (e, *more), ty.STRING, True)


def python(op: Any, a: Expr, b: Expr) -> Expr:
    return Compare(op, a, b, "python")


def plus(a: Expr, b: Expr, op: Any = "+") -> Expr:
    return Arith(op, a, b, "sql")


FLOATS = {"x": ty.FLOAT, "y": ty.FLOAT}
MIXED = (number(1), Lit("a", ty.STRING))
RAISES = plus(X, over_one(Y))
IMPLIED: dict[str, tuple[Any, ...]] = {
    "a condition of unknown type beside another": (both(F, OVER), F, {}),
    "another beside a condition of unknown type": (both(F, OVER), OVER, {}),
    "one of two conditions of unknown type": (F, Or((F, G)), {}),
    "no condition of unknown type": (both(Not(F), Or((F, G))), G, {}),
    "a condition that is TRUE": (IsTrue(F), F, {}),
    "whether a condition is TRUE is known": (OVER, Not(IsNull(IsTrue(F))), {}),
    "whether two values are the same is known": (OVER, Or((Same(X, K), Not(Same(X, K)))), {}),
    "a list with NULL": (listed(X, NOTHING, number(1), number(2)), cmp(">=", X, 1), {"x": ty.INT64}),
    "what a comparison in Python has asked": (python(">", over_one(Y), X), both(always(over_one(Y)), python(">", over_one(Y), X)), {"y": ty.INT64}),
    "what a sum has asked": (cmp(">", RAISES, 1), both(always(over_one(Y)), cmp(">", RAISES, 1)), {"y": ty.INT64}),
    "a text that is no NaN": (OVER, Not(IsNaN(text(X))), {}),
    "a function of a constant": (cmp("==", text(X, number(2.5)), Lit("a", ty.STRING)), cmp("==", text(X, number(2.5)), Lit("a", ty.STRING)), {}),
    "a function of what has one form": (both(Same(X, K), calling(X)), calling(K), ALL_INT),
}  # fmt: skip
NOT_IMPLIED: dict[str, tuple[Any, ...]] = {
    "another condition of unknown type": (F, G, {}),
    "a value that is there, so true": (Not(IsNull(X)), Truthy(X), {}),
    "an order of values of unknown types": (both(cmp("<", X, K), cmp("<", K, Y)), cmp("<", X, Y), {}),
    "another first operand": (cmp(">", X, Y), cmp(">", K, Y), {}),
    "another second operand": (cmp(">", X, Y), cmp(">", X, K), {}),
    "a constant that comes first": (Compare("<", number(5), X, "sql"), Compare("<", number(4), X, "sql"), {}),
    "another constant that comes first": (Compare("<", number(4), X, "sql"), Compare("<", number(5), X, "sql"), {}),
    "another operator in Python": (python("<", X, K), python(">", X, K), {}),
    "another operator": (cmp(">", plus(X, K), 1), cmp(">", plus(X, K, "-"), 1), {}),
    "a list of values that are converted as a whole": (listed(X, K, Y), Or((cmp("==", X, K), cmp("==", X, Y))), {}),
    "a comparison of what is the same by a conversion": (both(Same(X, K), cmp(">", X, 1)), cmp(">", K, 1), {}),
    "a list that may be neither": (OVER, Or((listed(X, K), Not(listed(X, K)))), {}),
    "a list of another": (listed(X, *MIXED), listed(Y, *MIXED), FLOATS),
    "a list of another number": (both(cmp("<", X, 1.0), cmp("<", Y, 1.0), listed(X, *MIXED)), listed(Y, *MIXED), FLOATS),
    "a list of a number where there was NaN": (both(IsNaN(X), cmp("==", Y, 0.0), listed(X, *MIXED)), listed(Y, *MIXED), FLOATS),
    "a function of a number where there was NULL": (both(IsNull(X), cmp("==", Y, 0), calling(X)), calling(Y), ALL_INT),
    "a number that is no NaN": (cmp(">", Call("f", (X,), ty.FLOAT, True), 1.0), Not(IsNaN(Call("f", (X,), ty.FLOAT, True))), {}),
    "a function of another of a class": (both(Same(X, Y), calling(X)), calling(Y), FLOATS),
    "a function of another parameter of a class": (both(Same(T, U), calling(T)), calling(U), {}),
    "a function of a function of another of a class": (both(Same(X, Y), cmp(">", plus(X, number(1)), 1)), cmp(">", plus(Y, number(1)), 1), {}),
    "and, which may be there where or is NULL": (Not(IsNull(And((F, G)))), Not(IsNull(Or((F, G)))), {}),
    "a function of another constant": (cmp("==", text(X, number(2.5)), Lit("a", ty.STRING)), cmp("==", text(X, number(3.5)), Lit("a", ty.STRING)), {}),
    "a function under another name": (calling(X), calling(X, "spark.upper"), {}),
    "the other branch": (cmp(">", If(F, X, K), 1), cmp(">", If(F, K, X), 1), {}),
    "a value that is negated": (cmp(">", Neg(X, "sql"), 1), cmp(">", X, 1), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPLIED)
def test_is_implied(name: str) -> None:
    assert is_proved(PassesSort(), *IMPLIED[name])


@pytest.mark.parametrize("name", NOT_IMPLIED)
def test_is_not_implied(name: str) -> None:
    assert not is_proved(PassesSort(), *NOT_IMPLIED[name])


@pytest.mark.parametrize("one", SIGNS)
@pytest.mark.parametrize("other", SIGNS)
def test_comparisons_of_the_same_operands_agree(one: CompareOp, other: CompareOp) -> None:
    """Of two values that are not NULL one is less, or they are equal, or it is greater."""
    assert set(SIGNS) == set(get_args(CompareOp))
    known = SIGNS[one] & SIGNS[other]
    for third in SIGNS:
        said = both(cmp(one, X, K), cmp(other, X, K))
        assert is_proved(PassesSort(), said, cmp(third, X, K), {}) is (known <= SIGNS[third])


STARTS = StringTest("startswith", X, K, "sql")
Q, RENAMED = Col("q"), PassesGroups("aggregate", (("q", "x"), ("y", "y")))
EXPLODE, DISTINCT = PassesExplode(("e",), False), PassesGroups("distinct", None)
PASSES: dict[str, tuple[bool, tuple[Any, ...]]] = {
    "a condition of unknown type, which never raises": (True, (EXPLODE, F, F, {})),
    "a list, which never raises": (True, (EXPLODE, listed(X, number(1)), listed(X, number(1)), {})),
    "whether values are the same, which never raises": (True, (EXPLODE, Same(X, K), Same(X, K), {})),
    "a comparison of what may raise": (False, (EXPLODE, cmp(">", over_one(Y), X), cmp(">", over_one(Y), X), {"y": ty.INT64})),
    "a comparison with what may raise": (False, (EXPLODE, cmp(">", X, over_one(Y)), cmp(">", X, over_one(Y)), {"y": ty.INT64})),
    "a list that what may raise is in": (False, (EXPLODE, listed(over_one(Y), *MIXED), listed(over_one(Y), *MIXED), {"y": ty.INT64})),
    "a function of what may raise": (False, (EXPLODE, calling(over_one(Y)), calling(over_one(Y)), {"y": ty.INT64})),
    "a comparison in Python, which may raise": (False, (EXPLODE, python(">", X, K), python(">", X, K), {})),
    "a sum, which may raise": (False, (EXPLODE, cmp(">", plus(X, K), 1), cmp(">", plus(X, K), 1), {})),
    "a list, the same for a class": (True, (DISTINCT, listed(X, number(1)), listed(X, number(1)), {}, False)),
    "a comparison of a key that has another name": (True, (RENAMED, cmp(">", Q, Y), cmp(">", X, Y), {}, False)),
    "a comparison with a key that has another name": (True, (RENAMED, cmp(">", Y, Q), cmp(">", Y, X), {}, False)),
    "a list of a key that has another name": (True, (RENAMED, listed(Q, number(1)), listed(X, number(1)), {}, False)),
    "a list with a key that has another name": (True, (RENAMED, listed(Y, Q), listed(Y, X), {}, False)),
    "a list of a sum of a key that has another name": (False, (RENAMED, listed(plus(Q, number(1)), number(1)), listed(plus(X, number(1)), number(1)), {})),
    "a comparison, the same for a class": (True, (DISTINCT, OVER, OVER, {}, False)),
    "a comparison in Python, the same for a class": (True, (DISTINCT, python(">", X, K), python(">", X, K), {}, False)),
    "a test of a text, the same for a class": (True, (DISTINCT, STARTS, STARTS, {}, False)),
    "and, the same for a class": (True, (DISTINCT, IsNull(And((F, G))), IsNull(And((F, G))), {}, False)),
    "or, the same for a class": (True, (DISTINCT, IsNull(Or((F, G))), IsNull(Or((F, G))), {}, False)),
    "not, the same for a class": (True, (DISTINCT, IsNull(Not(F)), IsNull(Not(F)), {}, False)),
    "whether a condition is TRUE, the same for a class": (True, (DISTINCT, Same(IsTrue(F), IsTrue(G)), Same(IsTrue(F), IsTrue(G)), {}, False)),
    "a sum, which may tell zeros apart": (False, (DISTINCT, cmp(">", plus(X, number(1)), 1), cmp(">", plus(X, number(1)), 1), {})),
}  # fmt: skip


@pytest.mark.parametrize("name", PASSES)
def test_errors_and_classes(name: str) -> None:
    expected, crossing = PASSES[name]
    assert is_proved(*crossing) is expected


ZEROS = {"k": ty.FLOAT, "x": ty.INT64, "y": ty.INT64}
SIDES: dict[str, Any] = {"side": "right", "using": ("k",), "left_columns": ("k", "x"), "right_columns": ("k", "y")}


def test_the_key_of_a_full_join_is_that_of_the_row_that_there_is() -> None:
    """Also to a function that tells -0.0 from 0.0: of rows that meet it sees the left one's."""
    meeting = both(cmp(">", Y, 1), calling(K))
    assert not is_proved(a_join(how="full", **SIDES), meeting, meeting, ZEROS, True, ZEROS)
    alone = both(cmp(">", Y, 1), IsNull(X), calling(K))
    ordered = a_join(how="full", ordered=(("x", "<", "y"),), **SIDES)
    assert is_proved(ordered, alone, both(cmp(">", Y, 1), calling(K)), ZEROS, True, ZEROS)


@pytest.mark.parametrize("name", get_args(TypeName))
def test_columns_of_every_type(name: TypeName) -> None:
    """Of some types nothing is known but which values are equal."""
    known = {"x": Type(name, elem=ty.INT if name == "list" else None)}
    assert is_proved(PassesSort(), IsNull(X), IsNull(X), known)
    assert is_proved(DISTINCT, Same(X, T), Same(X, T), known, False)
    numbers = is_proved(PassesSort(), cmp(">", X, 5), cmp(">", X, 4), known)
    assert numbers is (name in ("int", "float", "number", "decimal", "null"))


ONE_FORM = {"null", "bool", "int", "string", "date", "timestamp"}


@pytest.mark.parametrize("name", get_args(TypeName))
def test_functions_of_equal_values(name: TypeName) -> None:
    """Of these types equal values are the same to every function; 0.0 and -0.0, or 1.0 and 1.00, need not be."""
    known = {"x": Type(name, elem=ty.INT if name == "list" else None)}
    assert is_proved(DISTINCT, calling(X), calling(X), known, False) is (name in ONE_FORM)


def test_values_of_two_types_are_not_taken_for_equal() -> None:
    fresh_context()
    rows = Rows((), ())
    number, word, token = rows.fresh("a", ty.INT64), rows.fresh("b", ty.STRING), rows.fresh("c")
    for one, other in ((number, word), (word, number), (number, token), (token, word)):
        with pytest.raises(OutOfReach):
            equal(one, other)
    solver = z3.Solver()
    solver.add(equal(number, rows.fresh("d", ty.INT64)), number.value.term != z3.Int("d"), lnot(number.value.null))
    assert solver.check() == z3.unsat
