"""Joins, unions and set operations: crossings that are proved, and ones that must not be."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import pytest

from headwater_ir import types as ty
from headwater_ir.crossing import PassesClause, PassesSetOperation, PassesUnion
from headwater_ir.expr import Col, IsNull, Not, Or

from .alone import ALL_INT, K, X, Y, a_join, always, both, calling, cmp, is_proved

INT, WIDE, TEXT, UNKNOWN = {"x": ty.INT32}, {"x": ty.INT64}, {"x": ty.STRING}, {"x": ty.ANY}
R = Col("r")
OVER, KEY = cmp(">", X, 1), cmp(">", K, 1)
WIDER, NULL_KEY = Or((OVER, IsNull(R))), IsNull(K)
SAME = (("x", "x", "x"),)
NAMED = (("x", "a", "b"), ("k", "c", "d"))
A, B = cmp(">", Col("a"), 1), cmp(">", Col("b"), 1)


def union(names: Any = SAME, side: Any = "left") -> PassesUnion:
    return PassesUnion(side, names, False)


def rows_of(operator: str = "intersect", names: Any = SAME, side: Any = "left") -> PassesSetOperation:
    return PassesSetOperation(operator, side, names)


def ordered(how: Any, relation: Any = "<", **more: Any) -> Any:
    """A join of x and k with r, where k is less than r."""
    return a_join(how=how, left_columns=("x", "k"), right_columns=("r",), ordered=(("k", relation, "r"),), **more)


def on_equal(how: Any = "inner", side: Any = "left") -> Any:
    """A join of x and k with y, where k is equal to y."""
    return a_join(how=how, side=side, left_columns=("x", "k"), right_columns=("y",), equal=(("k", "y"),))


def by_key(how: Any, side: Any = "left", **more: Any) -> Any:
    return a_join(how=how, side=side, using=("k",), **more)


ONE_KEY, TWO_KEYS = ({"k": ty.INT64}, True, {"k": ty.INT64}), ({"k": ty.INT64}, True, {"k": ty.STRING})
INTS = (ALL_INT, True, {"r": ty.INT64, "y": ty.INT64})
LEFT_Y = ({"y": ty.INT64}, True, {"x": ty.INT64, "k": ty.INT64})
"""Types of the right side of ``on_equal``, and of the left."""
UNIONS: dict[str, tuple[bool, tuple[Any, ...]]] = {
    "of one type": (True, (union(), OVER, OVER, INT, True, INT)),
    "of two widths": (True, (union(), OVER, OVER, INT, True, WIDE)),
    "of two types": (False, (union(), OVER, OVER, INT, True, TEXT)),
    "of no stated type": (False, (union(), OVER, OVER, {}, True, {})),
    "of a type that only this side states": (False, (union(), OVER, OVER, INT, True, {})),
    "of a type that only the other side states": (False, (union(), OVER, OVER, {}, True, INT)),
    "of any type": (False, (union(), OVER, OVER, UNKNOWN, True, UNKNOWN)),
    "of any number": (False, (union(), OVER, OVER, {"x": ty.NUMBER}, True, {"x": ty.NUMBER})),
    "of what has no model": (False, (union(), OVER, OVER, {"x": ty.OPAQUE}, True, {"x": ty.OPAQUE})),
    "and a function of one type": (True, (union(), calling(X), calling(X), INT, True, INT)),
    "and a function of two widths": (False, (union(), calling(X), calling(X), INT, True, WIDE)),
    "and a function of decimals": (False, (union(), calling(X), calling(X), {"x": ty.DECIMAL}, True, {"x": ty.DECIMAL})),
    "and decimals": (True, (union(), OVER, OVER, {"x": ty.DECIMAL}, True, {"x": ty.DECIMAL})),
    "and a function that only what arrives has": (False, (union(), both(OVER, calling(X)), OVER, INT, True, WIDE)),
    "and a function that only what goes below has": (False, (union(), OVER, both(OVER, always(calling(X))), INT, True, WIDE)),
    "under other names": (True, (union(NAMED), OVER, A, {"a": ty.INT64}, True, {"b": ty.INT64})),
    "under the names of the other side": (False, (union(NAMED), OVER, B, {"a": ty.INT64, "b": ty.INT64}, True, {"b": ty.INT64})),
    "with two places for a column": (False, (union((("x", "a", "a"), ("x", "b", "b"))), OVER, B, {"a": ty.INT64, "b": ty.INT64}, True, {"a": ty.INT64, "b": ty.INT64})),
    "with two names for a column": (False, (union((("x", "a", "a"), ("k", "a", "b"))), OVER, A, {"a": ty.INT64}, True, {"a": ty.INT64, "b": ty.INT64})),
    "with two names for one of the other side": (False, (union((("x", "a", "a"), ("k", "b", "a"))), OVER, A, {"a": ty.INT64}, True, {"a": ty.INT64, "b": ty.INT64})),
}  # fmt: skip
SETS: dict[str, tuple[bool, tuple[Any, ...]]] = {
    **{name: (True, (rows_of(name), OVER, OVER, INT, True, INT)) for name in ("intersect", "intersectAll", "subtract", "exceptAll", "except", "minus")},
    "no set operation": (False, (rows_of("union"), OVER, OVER, INT, True, INT)),
    "under other names": (True, (rows_of(names=NAMED), OVER, A, {"a": ty.INT64, "c": ty.INT64}, True, {"b": ty.INT64, "d": ty.INT64})),
    "of a column that does not go below": (True, (rows_of(names=NAMED), both(OVER, KEY), A, {"a": ty.INT64, "c": ty.INT64}, True, {"b": ty.INT64, "d": ty.INT64})),
    "of two types": (False, (rows_of(), OVER, OVER, INT, True, TEXT)),
    "of no place": (False, (rows_of(names=()), OVER, OVER, INT, True, INT)),
    "of two places": (False, (rows_of(names=(("x", "a", "a"), ("x", "b", "b"))), OVER, B, {"a": ty.INT64, "b": ty.INT64}, True, {"a": ty.INT64, "b": ty.INT64})),
    "of zeros that a function tells apart": (False, (rows_of(), calling(X), calling(X), {"x": ty.FLOAT}, True, {"x": ty.FLOAT})),
}  # fmt: skip
JOINS: dict[str, tuple[bool, tuple[Any, ...]]] = {
    "a condition that rows which meet do not need": (True, (ordered("inner"), WIDER, OVER, *INTS)),
    "a semi join's rows": (True, (a_join(how="semi"), OVER, OVER, *INTS)),
    "an anti join's rows": (True, (a_join(how="anti"), OVER, OVER, *INTS)),
    "a semi join, for rows that meet": (True, (a_join(how="semi", ordered=(("x", "<", "r"),)), OVER, both(OVER, Not(IsNull(X))), *INTS)),
    "a semi join, where a row that meets is not NULL": (True, (a_join(how="semi", ordered=(("x", "<", "r"),)), Or((OVER, IsNull(X))), OVER, *INTS)),
    "an anti join shows rows that meet nothing": (False, (a_join(how="anti", ordered=(("x", "<", "r"),)), Or((OVER, IsNull(X))), OVER, *INTS)),
    "a left join shows rows that meet nothing": (False, (ordered("left"), WIDER, OVER, *INTS)),
    "a full join shows rows that meet nothing": (False, (ordered("full"), WIDER, OVER, *INTS)),
    "an order that says nothing of NULL": (False, (a_join(left_columns=("x",), right_columns=("r",)), WIDER, OVER, *INTS)),
    "a NULL of an inner join is one of its row": (True, (a_join(left_columns=("x",), right_columns=("r",)), IsNull(X), IsNull(X), *INTS)),
    "a NULL of a left join's left side": (True, (a_join(how="left", left_columns=("x",), right_columns=("r",)), IsNull(X), IsNull(X), *INTS)),
    "a NULL that a right join makes": (False, (a_join(how="right", left_columns=("x",), right_columns=("r",)), IsNull(X), IsNull(X), *INTS)),
    "a NULL that a full join makes": (False, (a_join(how="full", left_columns=("x",), right_columns=("r",)), IsNull(X), IsNull(X), *INTS)),
    "a NULL that a left join makes": (False, (a_join(how="left", side="right", left_columns=("r",), right_columns=("x",)), IsNull(X), IsNull(X), *INTS)),
    "a NULL of a right join's right side": (True, (a_join(how="right", side="right", left_columns=("r",), right_columns=("x",)), IsNull(X), IsNull(X), *INTS)),
    "the right side of a semi join, by its key": (True, (by_key("semi", "right"), KEY, KEY, *ONE_KEY)),
    "the right side of an anti join, by its key": (True, (by_key("anti", "right"), KEY, KEY, *ONE_KEY)),
    "the right side of an anti join, by another key": (False, (by_key("anti", "right"), KEY, KEY, *TWO_KEYS)),
    "the right side of a semi join, by no key": (False, (a_join(how="semi", side="right"), KEY, KEY, *ONE_KEY)),
    "across equal columns, to the right": (True, (on_equal(side="right"), KEY, cmp(">", Y, 1), *LEFT_Y)),
    "across equal columns, to the left": (True, (on_equal(), cmp(">", Y, 1), KEY, *INTS)),
    "across equal columns of unknown types": (False, (on_equal(), cmp(">", Y, 1), KEY, {})),
    "across equal columns of two types": (False, (on_equal(side="right"), KEY, cmp(">", Y, 1), {"y": ty.STRING}, True, ALL_INT)),
    "across equal columns of any type": (False, (on_equal(), cmp(">", Y, 1), KEY, {"k": ty.ANY}, True, {"y": ty.ANY})),
    "across an order, to the right": (True, (ordered("inner", side="right"), KEY, cmp(">", R, 1), {"r": ty.INT64}, True, ALL_INT)),
    "across an order, to the left": (True, (ordered("inner"), cmp("<", R, 5), cmp("<", K, 5), *INTS)),
    "across an order, sharper": (True, (ordered("inner", side="right"), cmp(">=", K, 1), cmp(">", R, 1), {"r": ty.INT64}, True, ALL_INT)),
    "across an order that is not strict, sharper": (False, (ordered("inner", "<=", side="right"), cmp(">=", K, 1), cmp(">", R, 1), {"r": ty.INT64}, True, ALL_INT)),
    "across an order of unknown types": (False, (ordered("inner"), cmp("<", R, 5), cmp("<", K, 5), {})),
    "across an order of longs, of which a double makes one": (False, (ordered("inner", side="right"), cmp(">=", K, 2.0**53), cmp(">", R, 2.0**53), {"r": ty.INT64}, True, ALL_INT)),
    "the key of a full join": (True, (by_key("full"), NULL_KEY, NULL_KEY, *ONE_KEY)),
    "the key of a full join, which the left side has for certain": (True, (by_key("full", left_has=("k",)), NULL_KEY, NULL_KEY, *ONE_KEY)),
    "the key of a full join, of two types": (False, (by_key("full"), both(OVER, KEY), both(OVER, Or((KEY, NULL_KEY))), {"k": ty.INT64, "x": ty.INT64}, True, {"k": ty.STRING})),
    "the key of a full join, of no stated types": (False, (by_key("full", right_columns=("k",)), both(OVER, KEY), both(OVER, Or((KEY, NULL_KEY))), {"x": ty.INT64})),
    "the key of a left join, which is that of its left side": (True, (by_key("left"), KEY, KEY, *TWO_KEYS)),
    "the key of an inner join, which is that of its left side": (True, (by_key("inner"), KEY, KEY, *TWO_KEYS)),
    "the key of a right join, which is that of its right side": (True, (by_key("right", "right"), KEY, KEY, *TWO_KEYS)),
    "the key of a left join, on the right": (False, (by_key("left", "right"), KEY, KEY, *TWO_KEYS)),
    "the key of a right join, on the left": (False, (by_key("right"), KEY, KEY, *TWO_KEYS)),
    "the NULL key of a right join, on the left": (True, (by_key("right"), NULL_KEY, NULL_KEY, *ONE_KEY)),
    "the NULL key of a left join, on the right": (True, (by_key("left", "right"), NULL_KEY, NULL_KEY, *ONE_KEY)),
    "a column of both sides, of which one is sure": (False, (a_join(left_columns=("x",), right_columns=("x",), left_has=("x",)), OVER, OVER, *INTS)),
    "a column of both sides, but for its case": (False, (a_join(left_columns=("x",), right_columns=("X",), left_has=("x",)), OVER, OVER, *INTS)),
    "a column of the left side, which surely has it": (True, (a_join(left_columns=("x",), left_has=("x",)), OVER, OVER, *INTS)),
    "a column of the right side, which surely has it": (True, (a_join(side="right", right_columns=("x",), right_has=("x",)), OVER, OVER, *INTS)),
    "a column of the left side, in another case": (True, (a_join(left_columns=("X",), right_columns=("r",)), OVER, OVER, *INTS)),
    "a column of neither side, on the right": (False, (a_join(side="right", left_columns=("a",), right_columns=("b",)), OVER, OVER, *INTS)),
    "a column of neither side, on the left": (False, (a_join(left_columns=("a",), right_columns=("b",)), OVER, OVER, *INTS)),
    "a field, or a column of a frame": (False, (a_join(left_has=("a.x",)), cmp(">", Col("a.x"), 1), cmp(">", Col("a.x"), 1), {})),
    "a field of a column that only one side has": (True, (a_join(left_columns=("a.x",), right_columns=("r",)), cmp(">", Col("a.x"), 1), cmp(">", Col("a.x"), 1), {})),
    "a column by the second of two frames": (True, (a_join(called=(("b", "right", True), ("a", "left", True))), cmp(">", Col("a.x"), 1), OVER, *INTS)),
    "a column by a frame that is not there": (False, (a_join(called=(("b", "left", True),)), cmp(">", Col("a.x"), 1), OVER, *INTS)),
    "a column that is called as a frame": (True, (a_join(called=(("x", "right", False),), left_columns=("x",), right_columns=("r",)), OVER, OVER, *INTS)),
    "a column of the right side by its frame": (True, (a_join(side="right", called=(("b", "right", True),)), cmp(">", Col("b.x"), 1), OVER, *INTS)),
    "the left side of a semi join, whatever its frames are called": (True, (a_join(how="semi", called=(("a", "right", True),)), cmp(">", Col("a.x"), 1), cmp(">", Col("a.x"), 1), {})),
}  # fmt: skip
CLAUSES = {
    ("inner", "left"), ("inner", "right"), ("semi", "left"), ("semi", "right"), ("left", "right"), ("anti", "right"),
    ("right", "left"),
}  # fmt: skip
"""The joins that show no row of that side for which the clause is not TRUE."""


@pytest.mark.parametrize("name", UNIONS)
def test_a_union(name: str) -> None:
    expected, crossing = UNIONS[name]
    assert is_proved(*crossing) is expected


@pytest.mark.parametrize("name", SETS)
def test_a_set_operation(name: str) -> None:
    expected, crossing = SETS[name]
    assert is_proved(*crossing) is expected


@pytest.mark.parametrize("name", JOINS)
def test_a_join(name: str) -> None:
    expected, crossing = JOINS[name]
    assert is_proved(*crossing) is expected


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti"])
def test_a_conjunct_of_an_on_clause(how: Any, side: Any) -> None:
    assert is_proved(PassesClause(how, side), OVER, OVER, ALL_INT) is ((how, side) in CLAUSES)
