"""What holds of every operator that a predicate passes: which claims it must make, whatever it is."""

# A crossing per line reads best unwrapped.
from __future__ import annotations

import pytest

from headwater.proof.crossings.conditions import LAWS
from headwater_ir.assumptions import Assumption
from headwater_ir.crossing import (
    Asked,
    MeetsArms,
    Passed,
    PassesCache,
    PassesClause,
    PassesExplode,
    PassesFilter,
    PassesGroups,
    PassesLimit,
    PassesProject,
    PassesSetOperation,
    PassesShared,
    PassesSort,
    PassesUnion,
    PassesView,
    PassesWatermark,
    PassesWindow,
)
from headwater_ir.expr import TRUE, Expr, Lit, Not, Or
from headwater_ir.parts import Order, WindowColumn
from headwater_ir.types import STRING

from .alone import ALL_INT, K, X, Y, a_join, always, both, cmp, is_proved, over_one, unproved

SAME = (("x", "x", "x"), ("k", "k", "k"), ("y", "y", "y"))
HERE, THERE = ("x", "k", "y"), ("z",)
ORDER = Order("x", descending=True, nulls_first=False)
P = Or((cmp(">", X, 1), both(cmp(">", K, 5), Not(cmp(">", K, 4)))))
"""As much as ``x > 1``, if ``k`` is known to be a number."""


def operators(asked: Expr) -> dict[str, Passed]:
    """Each with the columns x, k and y, the order of which is that of ``x`` where there is one."""
    return {
        "filter": Asked((asked,)),
        "filter below": PassesFilter((cmp(">", Y, 0),), False, False),
        "merged filter": PassesFilter((TRUE,), False, True),
        "projection": PassesProject((("q", Lit("a", STRING)),), True, ()),
        "sort": PassesSort(),
        "view": PassesView(Assumption("program", "alone")),
        "cache": PassesCache("cache"),
        "checkpoint": PassesCache("checkpoint"),
        "watermark": PassesWatermark(("parquet",)),
        "shared": PassesShared(2, (asked, both(asked, cmp(">", X, 2)))),
        "union": PassesUnion("left", SAME, False),
        "intersect": PassesSetOperation("intersect", "left", SAME),
        "join": a_join(left_columns=HERE, right_columns=THERE),
        "left join": a_join(how="left", left_columns=HERE, right_columns=THERE),
        "semi join": a_join(how="semi"),
        "anti join": a_join(how="anti"),
        "right side": a_join(side="right", left_columns=THERE, right_columns=HERE),
        "clause": PassesClause("inner", "left"),
        "distinct": PassesGroups("distinct", None),
        "aggregate": PassesGroups("aggregate", (("x", "x"), ("k", "k"), ("y", "y"))),
        "window": PassesWindow((WindowColumn("r", ("x", "y")),), (), True, False),
        "prefix": PassesWindow((WindowColumn("r", (), ORDER),), (), True, True),
        "limit": PassesLimit(ORDER),
        "explode": PassesExplode(("e",), False),
        "unpivot": MeetsArms(("e",), ((("e", Lit("a", STRING)),), (("e", Lit("b", STRING)),))),
    }  # fmt: skip


NAMES = list(operators(TRUE))
IN_ORDER = {
    "filter", "merged filter", "projection", "sort", "view", "cache", "checkpoint", "watermark", "union", "distinct",
    "aggregate", "window",
}  # fmt: skip
"""Those that ask ``Q`` of a row only after ``P`` was asked of its output."""
ONE_ROW = {
    "projection",
    "sort",
    "view",
    "cache",
    "checkpoint",
    "watermark",
    "filter",
    "filter below",
    "merged filter",
    "distinct",
    "aggregate",
    "window",
    "prefix",
    "limit",
    "explode",
}
"""Those of which a filter may go altogether."""


def proved(name: str, before: Expr, after: Expr, stays: bool = True, above: bool = True) -> bool:
    passed = operators(before)[name]
    arrives = TRUE if name == "filter" else before
    return is_proved(passed, arrives, after, ALL_INT, stays, ALL_INT, None if above else {})


def test_every_law_is_here() -> None:
    assert {type(p) for p in operators(TRUE).values()} == {*LAWS, MeetsArms}


@pytest.mark.parametrize("name", NAMES)
def test_a_predicate_passes_as_it_is(name: str) -> None:
    assert proved(name, cmp(">", X, 1), cmp(">", X, 1))


@pytest.mark.parametrize("name", NAMES)
def test_what_goes_below_may_read_other_columns_than_what_arrives(name: str) -> None:
    """Types are those of the input, also where the output's are not stated."""
    assert proved(name, P, both(cmp(">", X, 1), always(Y)), above=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("after", [cmp(">", X, 2), both(cmp(">", X, 1), cmp(">", Y, 1))], ids=["sharper", "another"])
def test_nothing_more_may_be_said(name: str, after: Expr) -> None:
    assert not proved(name, cmp(">", X, 1), after)


@pytest.mark.parametrize("name", NAMES)
def test_less_may_be_said_by_a_filter_that_stays(name: str) -> None:
    assert proved(name, cmp(">", X, 1), cmp(">", X, 0))


@pytest.mark.parametrize("name", sorted(ONE_ROW))
def test_a_filter_that_goes_must_say_all(name: str) -> None:
    assert list(
        unproved(
            operators(cmp(">", X, 1))[name],
            TRUE if name == "filter" else cmp(">", X, 1),
            cmp(">", X, 0),
            ALL_INT,
            False,
        )
    ) == ["no more"]


@pytest.mark.parametrize("name", NAMES)
def test_what_goes_below_raises_no_more_than_what_arrives(name: str) -> None:
    assert not proved(name, cmp(">", X, 1), both(always(over_one(X)), cmp(">", X, 1)))


@pytest.mark.parametrize("name", NAMES)
def test_what_raises_passes_where_it_was_asked_anyway(name: str) -> None:
    raising = both(always(over_one(X)), cmp(">", X, 1))
    assert proved(name, raising, raising) is (name in IN_ORDER)


@pytest.mark.parametrize("name", NAMES)
def test_what_guards_itself_raises_in_another_order(name: str) -> None:
    """Spark may ask the parts of a condition in any order; of what arrives it has done so already."""
    guarded = both(cmp(">", X, 1), Or((cmp("==", X, 0), always(over_one(X)))))
    assert proved(name, guarded, guarded) is (name in IN_ORDER)
