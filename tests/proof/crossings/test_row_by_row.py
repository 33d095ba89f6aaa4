"""Operators that make rows of single rows: crossings that are proved, and ones that must not be."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import pytest

from headwater.proof.crossings.encoding import never_raises
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.crossing import (
    Asked,
    MeetsArms,
    PassesCache,
    PassesExplode,
    PassesFilter,
    PassesProject,
    PassesShared,
    PassesWatermark,
)
from headwater_ir.expr import TRUE, Arith, Call, Col, Expr, If, IsNull, Lit, Not, Or, Param

from .alone import ALL_INT, K, X, Y, always, both, calling, cmp, is_proved, number, over_one

OVER, KEY = cmp(">", X, 1), cmp(">", K, 1)
RAISES = cmp(">", over_one(X), 0)
MORE = Arith("+", X, number(1), "sql")
HIDDEN = Call("f", (K,), ty.INT, True, "hidden")
LETTER, OTHER = Lit("a", ty.STRING), Lit("b", ty.STRING)


def below(merged: bool, *conjuncts: Any, unread: bool = False) -> PassesFilter:
    return PassesFilter(conjuncts, unread, merged)


def arms(*values: Any) -> MeetsArms:
    return MeetsArms(("v",), tuple((("v", value),) for value in values))


V = cmp(">", Col("v"), 1)
PROVED: dict[str, tuple[Any, ...]] = {
    "a filter that raises by itself": (Asked((RAISES,)), TRUE, RAISES, ALL_INT),
    "a lower filter that guards": (below(True, cmp("!=", X, 0)), RAISES, both(cmp("!=", X, 0), RAISES), ALL_INT),
    "what raises, behind a lower filter": (below(True, KEY), RAISES, both(KEY, RAISES), ALL_INT),
    "a lower filter with a parameter": (below(True, cmp(">", K, Param("t")), cmp("==", Col("s"), LETTER)), OVER, OVER, ALL_INT | {"s": ty.STRING}),
    "what a lower filter raises": (below(True, RAISES), KEY, both(RAISES, KEY), ALL_INT),
    "past a filter": (below(False, KEY), OVER, OVER, ALL_INT, False),
    "a column of several": (PassesProject((("q", If(IsNull(K), X, X)),), True, ()), cmp(">", Col("q"), 1), OVER, ALL_INT),
    "a column beside one that may raise": (PassesProject((("q", MORE),), True, ()), OVER, OVER, ALL_INT, False),
    "a column that takes the name of another": (PassesProject((("x", K),), True, ()), OVER, KEY, ALL_INT, False),
    "a cache and what no NaN passes": (PassesCache("persist"), cmp("<", X, 5), cmp("<", X, 5), {"x": ty.FLOAT}),
    "a cache and what no number passes": (PassesCache("cache"), IsNull(X), IsNull(X), {"x": ty.FLOAT}),
    "a cache and what is small or not there": (PassesCache("cache"), Or((cmp("<", X, 5), IsNull(X))), Or((cmp("<", X, 5), IsNull(X))), {"x": ty.FLOAT}),
    "a column beside one that is hidden": (PassesProject((("q", HIDDEN),), True, ()), both(OVER, always(Col("q"))), OVER, ALL_INT),
    "a checkpoint and NaN": (PassesCache("localCheckpoint"), OVER, OVER, {"x": ty.FLOAT}),
    "rows of a file": (PassesWatermark(("parquet", "memory")), OVER, OVER, ALL_INT),
    "three filters on a frame": (PassesShared(3, (OVER, KEY, cmp(">", Y, 1))), OVER, Or((OVER, KEY, cmp(">", Y, 1))), ALL_INT),
    "the values of an unpivot": (arms(K, X), V, Or((KEY, OVER)), ALL_INT),
    "an unpivot of one column": (arms(X), V, OVER, ALL_INT),
    "an unpivot of two widths": (arms(X, Col("s")), V, Or((OVER, cmp(">", Col("s"), 1))), ALL_INT | {"s": ty.INT32}),
    "the values of an unpivot, which may be literals": (arms(number(0), number(1)), cmp(">", Col("v"), 0), TRUE, ALL_INT),
    "an unpivot of what a function gives": (arms(Call("f", (X,), ty.INT64, True), X), V, Or((cmp(">", Call("f", (X,), ty.INT64, True), 1), OVER)), ALL_INT),
    "a column beside those of an unpivot": (arms(LETTER, OTHER), both(OVER, cmp("==", Col("v"), Lit("a", ty.STRING))), OVER, ALL_INT),
}  # fmt: skip
REFUSED: dict[str, tuple[Any, ...]] = {
    "past a filter, what that says": (below(False, KEY), OVER, both(OVER, KEY), ALL_INT),
    "past a filter that guards": (below(False, cmp("!=", X, 0)), RAISES, RAISES, ALL_INT),
    "a merged filter without its guard": (below(True, cmp("!=", X, 0)), RAISES, RAISES, ALL_INT),
    "a merged filter, and what it does not say": (below(True, KEY), OVER, cmp(">", Y, 1), ALL_INT),
    "what raises, behind a condition without a model": (below(True, KEY, unread=True), RAISES, both(KEY, RAISES), ALL_INT),
    "what raises, beside a condition without a model": (Asked((RAISES,), True), TRUE, RAISES, ALL_INT),
    "a merged filter of which nobody asks": (below(True, KEY), OVER, both(always(over_one(Y)), KEY), ALL_INT),
    "a computed value that may raise": (PassesProject((("q", MORE),), True, ()), cmp(">", Col("q"), 1), cmp(">", X, 0), ALL_INT),
    "a value that may raise, and is there": (PassesProject((("q", over_one(X)),), True, ()), Not(IsNull(Col("q"))), Or((cmp("==", X, 0), Not(IsNull(over_one(X))))), ALL_INT),
    "a column that is made here, by the type of one below": (PassesExplode(("e",), False), Or((OVER, both(cmp(">", Col("e"), 5), Not(cmp(">", Col("e"), 4))))), OVER, ALL_INT | {"e": ty.INT64}, True, {}, ALL_INT),
    "a value that may raise, by the name of another": (PassesProject((("x", MORE),), True, ()), OVER, OVER, ALL_INT),
    "a column that is gone": (PassesProject((("k", K),), False, ()), OVER, OVER, ALL_INT),
    "a column that is dropped": (PassesProject((), True, ("x",)), OVER, OVER, ALL_INT),
    "a column that is dropped in another case": (PassesProject((), True, ("X",)), OVER, OVER, ALL_INT),
    "a column that is defined in another case": (PassesProject((("X", K),), True, ()), OVER, OVER, ALL_INT),
    "a column in another case beside one in its own": (PassesProject((("X", K),), True, ()), both(OVER, KEY), both(OVER, KEY), ALL_INT),
    "a cache and NaN": (PassesCache("cache"), OVER, OVER, {"x": ty.FLOAT}),
    "a cache and a column of unknown type": (PassesCache("cache"), OVER, OVER, {}),
    "a persisted frame and NaN": (PassesCache("persist"), both(OVER, KEY), both(OVER, KEY), {"x": ty.FLOAT, "k": ty.INT64}),
    "one consumer": (PassesShared(1, (OVER,)), OVER, OVER, ALL_INT),
    "no consumer": (PassesShared(0, ()), OVER, OVER, ALL_INT),
    "a consumer that is no filter": (PassesShared(3, (OVER, KEY)), OVER, Or((OVER, KEY)), ALL_INT),
    "a filter that is no consumer": (PassesShared(2, (KEY, cmp(">", Y, 1))), OVER, Or((OVER, KEY, cmp(">", Y, 1))), ALL_INT),
    "another consumer's rows": (PassesShared(2, (OVER, KEY)), OVER, OVER, ALL_INT),
    "what nobody above has asked": (PassesExplode(("e",), False), OVER, both(OVER, Or((cmp("==", Y, 0), RAISES))), ALL_INT),
    "one arm of an unpivot": (arms(K, X), V, KEY, ALL_INT),
    "a function of an unpivot of two widths": (arms(X, Col("s")), calling(Col("v")), Or((calling(X), calling(Col("s")))), ALL_INT | {"s": ty.INT32}),
    "an unpivot of two types, the second": (arms(X, Y, Col("f")), V, Or((OVER, cmp(">", Y, 1), cmp(">", Col("f"), 1))), ALL_INT | {"f": ty.FLOAT}),
    "an unpivot of two types, the first": (arms(Col("f"), X, Y), V, Or((OVER, cmp(">", Y, 1), cmp(">", Col("f"), 1))), ALL_INT | {"f": ty.FLOAT}),
    "an unpivot of what has no type": (arms(X, If(IsNull(K), X, X)), V, OVER, ALL_INT),
    "an arm with another column": (MeetsArms(("v",), ((("w", X),),)), V, OVER, ALL_INT),
    "an arm with a column of the row as well": (MeetsArms(("v",), ((("v", X), ("x", K)),)), OVER, KEY, ALL_INT),
    "a value of two types, by the type of a column below": (arms(X, Col("s")), Or((OVER, both(cmp(">", Col("v"), 5), Not(cmp(">", Col("v"), 4))))), OVER, ALL_INT | {"s": ty.STRING, "v": ty.INT64}, True, {}, ALL_INT),
    "an arm without its column": (MeetsArms(("v",), ((),)), V, OVER, ALL_INT),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_is_proved(name: str) -> None:
    assert is_proved(*PROVED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name: str) -> None:
    assert not is_proved(*REFUSED[name])


RAISING = [
    over_one(X),
    ir.Neg(X, "sql"),
    ir.Raise("why"),
    Call("f", (X,), ty.INT, False),
    HIDDEN,
    Call("f", (X,), ty.INT, False, "hidden"),
]
TOTAL = [X, number(1), Call("f", (X,), ty.INT, True), If(IsNull(X), X, K), both(OVER, Not(KEY))]


@pytest.mark.parametrize("e", RAISING, ids=str)
def test_what_may_raise(e: Expr) -> None:
    assert not never_raises(e)
    assert not never_raises(If(OVER, X, e))
    assert not never_raises(Call("f", (e,), ty.INT, True))


@pytest.mark.parametrize("e", TOTAL, ids=str)
def test_what_never_raises(e: Expr) -> None:
    assert never_raises(e)
