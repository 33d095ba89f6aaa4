"""Single crossings, made up: what of unknown types, calls and NULL is proved, and what is not."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from headwater_ir import types as ty
from headwater_ir.crossing import (
    Asked,
    PassesClause,
    PassesExplode,
    PassesFilter,
    PassesGroups,
    PassesProject,
    PassesSort,
    PassesWindow,
)
from headwater_ir.expr import (
    TRUE,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    Param,
    conjoin,
)
from headwater_ir.parts import WindowColumn
from headwater_ir.struct_fields import field_of
from headwater_ir.types import Type

from .alone import K, X, a_join, cmp, is_proved, number
from .real import OfItself, path_of, real, refusal

F = Col("flag")


def call(argument: Expr, total: bool = True) -> Expr:
    return Compare("==", Call("spark.string", (argument,), ty.STRING, total), Lit("a", ty.STRING), "sql")


SORT, DISTINCT = PassesSort(), PassesGroups("distinct", None)
IMPLIED: dict[str, tuple[Expr, Expr, dict[str, Type]]] = {
    "equal, so not less": (cmp("==", X, 1), cmp(">=", X, 1), {}),
    "equal, so not greater": (cmp("==", X, 1), cmp("<=", X, 1), {}),
    "less, so not equal": (cmp("<", X, 1), cmp("!=", X, 1), {}),
    "greater, so not equal": (cmp(">", X, 1), cmp("!=", X, 1), {}),
    "the constant first": (Compare("<", Lit(1, ty.INT), X, "sql"), cmp(">", X, 1), {}),
    "compared, so not NULL": (Not(cmp(">", X, 1)), Not(IsNull(X)), {}),
    "compared with what is not NULL": (Not(cmp(">", X, Param("t"))), Not(IsNull(Param("t"))), {}),
    "a condition of unknown type": (F, IsTrue(F), {}),
    "listed numbers": (In(X, (number(1), number(2)), "sql"), cmp(">=", X, 1), {"x": ty.INT64}),
    "an array that is NULL": (IsNull(X), IsNull(X), {"x": ty.list_of(ty.INT)}),
    "a choice of unknown type": (If(F, F, F), If(F, F, F), {}),
    "an order of numbers": (cmp(">", X, 5), cmp(">", X, 4), {"x": ty.INT64}),
}
NOT_IMPLIED: dict[str, tuple[Expr, Expr, dict[str, Type]]] = {
    "not greater, so less": (cmp("<=", X, 1), cmp("<", X, 1), {}),
    "not less, so greater": (cmp(">=", X, 1), cmp(">", X, 1), {}),
    "not equal, so less": (cmp("!=", X, 1), cmp("<", X, 1), {}),
    "not equal, so greater": (cmp("!=", X, 1), cmp(">", X, 1), {}),
    "not NULL, so comparable": (Not(IsNull(X)), Or((cmp(">", X, 1), cmp("<=", X, 1))), {}),
    "two constants, which Spark may convert in two ways": (cmp(">", X, 5), cmp(">", X, 4), {}),
    "a list that is converted as a whole": (In(X, (number(1), number(2)), "sql"), Or((cmp("==", X, 1), cmp("==", X, 2))), {}),
    "a list of two types": (In(X, (number(1), number(2.5)), "sql"), Or((cmp("==", X, 1), cmp("==", X, 2.5))), {"x": ty.INT64}),
    "another parameter": (cmp(">", X, Param("t")), cmp(">", X, Param("u")), {}),
    "another function": (call(X), Compare("==", Call("spark.other", (X,), ty.STRING, True), Lit("a", ty.STRING), "sql"), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPLIED)
def test_is_implied(name: str) -> None:
    assert is_proved(SORT, *IMPLIED[name])


@pytest.mark.parametrize("name", NOT_IMPLIED)
def test_is_not_implied(name: str) -> None:
    assert not is_proved(SORT, *NOT_IMPLIED[name])


INVERSE = cmp(">", Arith("/", Lit(1, ty.INT), X, "sql"), 0)
HIDDEN = Call("f", (K,), ty.INT, True, "hidden")
NK = WindowColumn("r", ("x",), None, (Call("spark.lower", (K,), ty.STRING, True),))
PROVED: dict[str, tuple[Any, ...]] = {
    "what a filter below and the predicate say": (PassesFilter((cmp(">", K, 1),), False, True), cmp(">", X, 1), conjoin((cmp(">", K, 1), cmp(">", X, 1))), {}, False),
    "what the predicate says, of a filter that stays": (PassesFilter((cmp(">", K, 1),), False, True), cmp(">", X, 1), cmp(">", X, 1)),
    "a filter": (Asked((cmp(">", X, 1),)), TRUE, cmp(">", X, 1), {}, False),
    "a clause": (PassesClause("inner", "left"), cmp(">", X, 1), cmp(">", X, 1)),
    "a rename of unknown type": (PassesProject((("y", X),), False, ()), cmp(">", Col("y"), 1), cmp(">", X, 1)),
    "a function of an integer key": (DISTINCT, call(X), call(X), {"x": ty.INT64}, False),
    "a field of a struct": (DISTINCT, cmp("==", field_of(X, "f"), 1), cmp("==", field_of(X, "f"), 1), {}, False),
    "a key whose condition raises above as well": (DISTINCT, INVERSE, INVERSE, {"x": ty.INT64}, False),
    "a window by an expression as well": (PassesWindow((NK,), (), True, False), cmp(">", X, 1), cmp(">", X, 1), {"x": ty.INT64, "k": ty.STRING}, False),
    "columns that are equal": (a_join(left_columns=("x", "k"), right_columns=("y",), equal=(("k", "y"),)), cmp(">", X, 1), cmp(">", X, 1), {"k": ty.INT64}, True, {"y": ty.INT64}),
    "a key of a full join, on the right": (a_join(how="full", side="right", using=("k",)), cmp(">", K, 1), cmp(">", K, 1), {"k": ty.INT64}, True, {"k": ty.INT64}),
    "a key of a full join, on the left": (a_join(how="full", using=("k",)), cmp(">", K, 1), cmp(">", K, 1), {"k": ty.INT64}, True, {"k": ty.INT64}),
    "a column that the right side does not have": (a_join(right_columns=("y",)), cmp(">", X, 1), cmp(">", X, 1)),
    "a column that the left side does not have": (a_join(side="right", left_columns=("y",)), cmp(">", X, 1), cmp(">", X, 1)),
    "a column that one side has for certain": (a_join(left_has=("x",)), cmp(">", X, 1), cmp(">", X, 1)),
    "a column by its frame": (a_join(called=(("a", "left", True),)), cmp(">", Col("a.x"), 1), cmp(">", X, 1)),
    "a column by its frame, which keeps its name": (a_join(called=(("a", "left", False),)), cmp(">", Col("a.x"), 1), cmp(">", Col("a.x"), 1)),
}  # fmt: skip
REFUSED: dict[str, tuple[Any, ...]] = {
    "a function of a key that may be a zero": (DISTINCT, call(X), call(X), {"x": ty.FLOAT}),
    "a function of a key of unknown type": (DISTINCT, call(X), call(X), {}),
    "a function of a function of a zero": (DISTINCT, call(Arith("+", X, number(1.0), "sql")), call(Arith("+", X, number(1.0), "sql")), {"x": ty.FLOAT}),
    "what only the predicate says, of a filter that goes": (PassesFilter((cmp(">", K, 1),), False, True), cmp(">", X, 1), cmp(">", X, 1), {}, False),
    "what only the lower filter says, of one that goes": (PassesFilter((cmp(">", K, 1),), False, True), cmp(">", X, 1), cmp(">", K, 1), {}, False),
    "a filter below another predicate": (Asked((cmp(">", X, 1),)), cmp(">", X, 1), cmp(">", X, 1)),
    "a part of what a filter says, which goes": (Asked((cmp(">", X, 1), cmp(">", K, 1))), TRUE, cmp(">", X, 1), {}, False),
    "a clause of another column": (PassesClause("inner", "left"), cmp(">", X, 1), IsNull(K)),
    "a clause of an anti join": (PassesClause("anti", "left"), cmp(">", X, 1), cmp(">", X, 1)),
    "a clause of a left join": (PassesClause("left", "left"), cmp(">", X, 1), cmp(">", X, 1)),
    "a clause of a full join": (PassesClause("full", "right"), cmp(">", X, 1), cmp(">", X, 1)),
    "a column that is defined twice": (PassesProject((("y", X), ("y", K)), False, ()), cmp(">", Col("y"), 1), cmp(">", K, 1)),
    "a column that is defined and dropped": (PassesProject((("y", X),), False, ("y",)), cmp(">", Col("y"), 1), cmp(">", X, 1)),
    "a column that is computed and may raise": (PassesProject((("q", INVERSE),), True, ()), Col("q"), INVERSE, {"x": ty.INT64}),
    "what raises in Python": (PassesExplode(("e",), False), Compare(">", X, number(1), "python"), Compare(">", X, number(1), "python"), {}),
    "a function that may raise": (PassesExplode(("e",), False), call(X, total=False), call(X, total=False), {"x": ty.STRING}),
    "a column of what is hidden": (PassesProject((("q", HIDDEN),), True, ()), cmp(">", Col("q"), 1), cmp(">", HIDDEN, 1)),
    "a column that both sides have": (a_join(left_has=("x",), right_has=("x",)), cmp(">", X, 1), cmp(">", X, 1)),
    "a column of neither side": (a_join(left_columns=("a",), right_columns=("b",)), IsNull(X), cmp(">", X, 1)),
    "a column by the other frame": (a_join(called=(("a", "right", True),)), cmp(">", Col("a.x"), 1), cmp(">", X, 1)),
    "a column by its frame under its bare name": (a_join(called=(("a", "left", False),)), cmp(">", Col("a.x"), 1), cmp(">", X, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_a_crossing_is_proved(name: str) -> None:
    assert is_proved(*PROVED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_a_crossing_is_refused(name: str) -> None:
    assert not is_proved(*REFUSED[name])


def test_a_prefix_is_what_the_pre_filter_keeps() -> None:
    """A pre-filter that keeps more or less of an order than the condition is none."""
    (moved, _) = real("prefix")
    path = path_of(moved)
    assert refusal(moved, path, cmp(">", Col("n"), 1)) is None
    assert "no more" in (refusal(moved, path, cmp(">", Col("n"), 0)) or "")
    assert "keeps the prefix" in (refusal(moved, path, cmp(">", Col("n"), 2)) or "")
    assert refusal(moved, replace(path, stays=False), cmp(">", Col("n"), 1)) is not None


def test_elements_of_which_only_a_part_is_asked_for() -> None:
    (moved,) = real("elements")
    first, last = path_of(moved).crossings
    both = conjoin((first.after, cmp("<", Col("e"), 9)))
    asked = replace(first, passed=replace(first.passed, conjuncts=(both,)), after=both)
    half = OfItself((asked, replace(last, before=both)), stays=False)
    assert "no more" in (refusal(moved, half) or "")
    assert refusal(moved, replace(half, stays=True)) is None


def test_a_boundary_that_gives_back_its_rows() -> None:
    """A fold that computes is none of explode, unpivot or a window."""
    (moved,) = real("elements")
    fold = moved.problem.fold
    other = replace(fold, outputs=tuple(replace(o, value=Lit(1, ty.INT)) for o in fold.outputs))
    changed = replace(moved, problem=replace(moved.problem, fold=other))
    assert refusal(changed, path_of(moved)) == "the fold does not give back its rows"
