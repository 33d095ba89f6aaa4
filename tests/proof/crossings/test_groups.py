"""Operators over groups of rows: crossings that are proved, and ones that must not be."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import pytest

from headwater_ir import types as ty
from headwater_ir.crossing import PassesGroups, PassesWindow
from headwater_ir.expr import Call, Col, If, IsNull, Not, Or, Param
from headwater_ir.parts import Order, WindowColumn

from .alone import ALL_INT, K, X, Y, always, both, calling, cmp, is_proved, over_one

OVER, KEY, Q, T = cmp(">", X, 1), cmp(">", K, 1), Col("q"), Param("t")


def by(*keys: tuple[str, str]) -> PassesGroups:
    return PassesGroups("aggregate", keys)


def column(name: str, *partition: str, running: Order | None = None, computed: Any = ()) -> WindowColumn:
    return WindowColumn(name, partition, running, computed)


def windows(*found: WindowColumn, columns: Any = (), prefix: bool = False, keeps: bool = True) -> PassesWindow:
    return PassesWindow(found, columns, keeps, prefix)


def ahead(nulls_first: bool = False, descending: bool = True, name: str = "x", window: str = "r") -> WindowColumn:
    return column(window, running=Order(name, descending, nulls_first))


def order_of(*found: WindowColumn, columns: Any = ()) -> PassesWindow:
    return windows(*found, columns=columns, prefix=True)


CHOICE = If(IsNull(K), X, X)
UPPER = Call("spark.upper", (K,), ty.STRING, True)
CASES: dict[str, tuple[bool, tuple[Any, ...]]] = {
    "a key beside one that is not asked for": (True, (by(("x", "x"), ("k", "k")), OVER, OVER, ALL_INT, False)),
    "a key under another name": (True, (by(("q", "x")), cmp(">", Q, 1), OVER, ALL_INT, False)),
    "a key under two names": (True, (by(("q", "x"), ("p", "x")), both(cmp(">", Q, 1), cmp("<", Col("p"), 9)), both(OVER, cmp("<", X, 9)), ALL_INT, False)),
    "two keys under one name": (False, (by(("q", "k"), ("q", "x")), cmp(">", Q, 1), OVER, ALL_INT)),
    "one of two keys": (True, (by(("x", "x"), ("k", "k")), both(OVER, KEY), KEY, ALL_INT)),
    "distinct rows, by a column that did not arrive": (True, (PassesGroups("distinct", None), OVER, Or((OVER, KEY)), ALL_INT)),
    "a part of a partition": (False, (windows(column("r", "x")), OVER, Or((OVER, KEY)), ALL_INT)),
    "an aggregate without keys, and what does not depend on rows": (False, (by(), cmp(">", T, 1), cmp(">", T, 1), ALL_INT)),
    "an aggregate by a key, and what does not depend on rows": (True, (by(("x", "x")), cmp(">", T, 1), cmp(">", T, 1), ALL_INT)),
    "distinct rows, and what does not depend on rows": (True, (PassesGroups("distinct", None), cmp(">", T, 1), cmp(">", T, 1), ALL_INT)),
    "a part of a group": (False, (by(("x", "x")), OVER, Or((OVER, KEY)), ALL_INT)),
    "a column that is no key": (False, (by(("x", "x")), KEY, KEY, ALL_INT)),
    "whole groups by a guard": (False, (by(("x", "x")), OVER, both(OVER, Or((cmp("==", K, 0), always(over_one(K))))), ALL_INT)),
    "whole groups by a guard of the key": (True, (by(("x", "x")), both(Or((cmp("==", X, 0), always(over_one(X)))), OVER), both(Or((cmp("==", X, 0), always(over_one(X)))), OVER), ALL_INT)),
    "a window by the column": (True, (windows(column("r", "x")), OVER, OVER, ALL_INT, False)),
    "a window by another column": (False, (windows(column("r", "k")), OVER, OVER, ALL_INT, False)),
    "two windows": (True, (windows(column("r", "x"), column("s", "x", "k")), OVER, OVER, ALL_INT, False)),
    "two windows, one by another column": (False, (windows(column("r", "x"), column("s", "k")), OVER, OVER, ALL_INT)),
    "two windows, the first by another column": (False, (windows(column("r", "k"), column("s", "x")), OVER, OVER, ALL_INT)),
    "two windows of one name": (False, (windows(column("r", "x"), column("r", "x")), OVER, OVER, ALL_INT)),
    "what a window makes": (False, (windows(column("r", "x")), cmp(">", Col("r"), 1), OVER, ALL_INT)),
    "a window that takes the name of a column": (False, (windows(column("x", "x")), OVER, OVER, ALL_INT)),
    "a column beside a window": (True, (windows(column("r", "x"), columns=(("q", X),)), cmp(">", Q, 1), OVER, ALL_INT)),
    "a column of several beside a window": (True, (windows(column("r", "x"), columns=(("q", CHOICE),)), cmp(">", Q, 1), OVER, ALL_INT)),
    "a column that is defined twice beside a window": (False, (windows(column("r", "x"), columns=(("q", K), ("q", X))), cmp(">", Q, 1), OVER, ALL_INT)),
    "a column that is defined by a window as well": (False, (windows(column("q", "x"), columns=(("q", X),)), cmp(">", Q, 1), OVER, ALL_INT)),
    "columns that a window does not keep": (False, (windows(column("r", "x"), keeps=False), OVER, OVER, ALL_INT)),
    "rows that a partition needs": (False, (windows(column("r", "k")), OVER, both(always(K), OVER), ALL_INT)),
    "a window by an expression": (True, (windows(column("r", computed=(UPPER,))), cmp("==", UPPER, Call("spark.upper", (T,), ty.STRING, True)), cmp("==", UPPER, Call("spark.upper", (T,), ty.STRING, True)), {"k": ty.STRING})),
    "a window by an expression, and what that is made of": (False, (windows(column("r", computed=(UPPER,))), calling(K), calling(K), {"k": ty.STRING})),
    "no window": (False, (windows(), OVER, OVER, ALL_INT)),
    "no window in an order": (False, (order_of(), OVER, OVER, ALL_INT)),
    "ahead in a descending order": (True, (order_of(ahead()), OVER, OVER, ALL_INT, False)),
    "ahead in an ascending order": (True, (order_of(ahead(descending=False)), cmp("<", X, 1), cmp("<", X, 1), ALL_INT, False)),
    "behind in an ascending order": (False, (order_of(ahead(descending=False)), OVER, OVER, ALL_INT)),
    "behind in a descending order": (False, (order_of(ahead()), cmp("<", X, 1), cmp("<", X, 1), ALL_INT)),
    "NULL ahead": (True, (order_of(ahead(nulls_first=True)), Or((OVER, IsNull(X))), Or((OVER, IsNull(X))), ALL_INT)),
    "NULL ahead, and dropped": (False, (order_of(ahead(nulls_first=True)), OVER, OVER, ALL_INT)),
    "NULL behind, and kept": (False, (order_of(ahead()), Or((OVER, IsNull(X))), Or((OVER, IsNull(X))), ALL_INT)),
    "all but NULL, which is behind": (True, (order_of(ahead()), Not(IsNull(X)), Not(IsNull(X)), ALL_INT)),
    "all but NULL, which is ahead": (False, (order_of(ahead(nulls_first=True)), Not(IsNull(X)), Not(IsNull(X)), ALL_INT)),
    "only NULL, which is ahead": (True, (order_of(ahead(nulls_first=True)), IsNull(X), IsNull(X), ALL_INT)),
    "NaN ahead": (True, (order_of(ahead()), OVER, OVER, {"x": ty.FLOAT})),
    "NaN behind": (True, (order_of(ahead(descending=False)), cmp("<", X, 1), cmp("<", X, 1), {"x": ty.FLOAT})),
    "peers that are told apart": (False, (order_of(ahead()), both(OVER, KEY), both(OVER, KEY), ALL_INT)),
    "an order of unknown type": (False, (order_of(ahead()), OVER, OVER, {})),
    "two windows in one order": (True, (order_of(ahead(), ahead(window="s")), OVER, OVER, ALL_INT)),
    "two windows in two orders, by the first": (False, (order_of(ahead(), ahead(name="k", window="s")), OVER, OVER, ALL_INT)),
    "two windows in two orders, by the second": (False, (order_of(ahead(), ahead(name="k", window="s")), KEY, KEY, ALL_INT)),
    "a window in no order": (False, (order_of(column("r", "x")), OVER, OVER, ALL_INT)),
    "a window in no order beside one in an order": (False, (order_of(ahead(), column("s", "x")), OVER, OVER, ALL_INT)),
    "in an order, what the window makes": (False, (order_of(ahead()), cmp("<", Col("r"), 3), OVER, ALL_INT)),
    "in an order, a column of several": (True, (order_of(ahead(), columns=(("q", CHOICE),)), cmp(">", Q, 1), OVER, ALL_INT)),
    "in an order that is not asked about": (True, (order_of(ahead(name="k")), cmp(">", Y, 1), always(Y), ALL_INT)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_groups_and_windows(name: str) -> None:
    expected, crossing = CASES[name]
    assert is_proved(*crossing) is expected
