"""The share of rows that a condition removes lies where the statistics of the rows say, whatever the rows are."""

from __future__ import annotations

import datetime as dt
import math
import random
from typing import Any

import pytest

from headwater.cost.selectivity import Share, removed
from headwater.data_facts.bounds import Bounds, Known, Part
from headwater.semantics.interpreter import Env, holds
from headwater_ir.expr import And, Col, Compare, CompareOp, Expr, In, IsNaN, IsNull, IsTrue, Lit, Not, Or
from headwater_ir.types import BOOL, DATE, FLOAT, INT64, STRING, Type

VALUES: dict[str, tuple[Type, list[Any]]] = {
    "n": (INT64, [-3, 0, 1, 2, 5, 9]),
    "x": (FLOAT, [-1.5, -0.0, 0.0, 0.5, 2.0, math.inf, -math.inf, math.nan]),
    "s": (STRING, ["", "a", "ab", "b", "z", "\U0001f600", "\uffff"]),
    "d": (DATE, [dt.date(2023, 12, 31), dt.date(2024, 1, 1), dt.date(2024, 2, 29), dt.date(2025, 1, 1)]),
}
OPS: tuple[CompareOp, ...] = ("==", "!=", "<", "<=", ">", ">=")


def condition(random: random.Random, depth: int = 3) -> Expr:
    if depth and random.random() < 0.6:
        parts = tuple(condition(random, depth - 1) for _ in range(2))
        made: list[Expr] = [And(parts), Or(parts), Not(parts[0]), IsTrue(parts[0])]
        return random.choice(made)
    name = random.choice(list(VALUES))
    type_, values = VALUES[name]
    literal = [Lit(v, type_) for v in random.sample(values, 2)]
    match random.randrange(6):
        case 5:
            return IsNaN(Col(random.choice(["n", "x"])))
        case 0:
            return IsNull(Col(name))
        case 1:
            return In(Col(name), (*literal, Lit(None, type_)) if random.random() < 0.3 else tuple(literal), "sql")
        case 2:
            return Compare(random.choice(OPS), literal[0], Col(name), "sql")
    return Compare(random.choice(OPS), Col(name), literal[0], "sql")


def statistics(rows: list[dict[str, Any]], random: random.Random) -> Part:
    """Such as writers make: bounds that may be wider than the values, or none, and no word on NaN."""
    known = {}
    for name in VALUES:
        values = [r[name] for r in rows if r[name] is not None and r[name] == r[name]]
        low: Any = min(values, default=None)
        high: Any = max(values, default=None)
        if isinstance(high, str) and random.random() < 0.5:
            low, high = low[:1], high + "\U0010ffff"
        bounds = Bounds(low, high) if values and random.random() < 0.8 else None
        nulls = sum(r[name] is None for r in rows) if random.random() < 0.8 else None
        known[name] = Known(nulls, bounds)
    return Part(len(rows), known)


@pytest.mark.parametrize("seed", range(40))
def test_the_share_is_never_outside_of_the_interval(seed: int) -> None:
    made = random.Random(seed)
    for _ in range(50):
        pools = [{n: made.sample([*v, None], made.randint(1, 3)) for n, (_, v) in VALUES.items()} for _ in range(3)]
        groups = [[{n: made.choice(p[n]) for n in VALUES} for _ in range(made.randint(0, 8))] for p in pools]
        rows = [r for g in groups for r in g]
        asked = condition(made)
        share = removed(asked, [statistics(g, made) for g in groups])
        if not rows:
            assert share is None
            continue
        assert share is not None
        gone = sum(not holds(asked, Env(row=r)) for r in rows) / len(rows)
        assert share.low - 1e-9 <= gone <= share.high + 1e-9, (asked, rows, share)
        assert share.likely is None or share.low - 1e-9 <= share.likely <= share.high + 1e-9


def part(rows: int, low: Any, high: Any, nulls: int | None = 0) -> Part:
    return Part(rows, {"a": Known(nulls, None if low is None else Bounds(low, high))})


def of(op: CompareOp, value: Any, *parts: Part) -> tuple[float, float | None, float]:
    share = removed(Compare(op, Col("a"), Lit(value, INT64), "sql"), parts)
    assert share is not None
    return round(share.low, 6), None if share.likely is None else round(share.likely, 6), round(share.high, 6)


def test_row_groups_on_one_side_are_exact_and_others_are_spread_evenly() -> None:
    assert of(">=", 100, part(50, 0, 99), part(50, 100, 199)) == (0.5, 0.5, 0.5)
    assert of(">=", 150, part(50, 0, 99), part(50, 100, 199)) == (0.5, 0.75, 1)
    assert of("<", 10, part(100, 0, 99)) == (0, 0.9, 1)
    assert of("<=", 9, part(100, 0, 99)) == (0, 0.9, 1)
    assert of("==", 7, part(100, 0, 99)) == (0, 0.99, 1)
    assert of("!=", 200, part(100, 0, 99)) == (0, 0, 0)
    assert of(">", 2.5, part(100, 0, 9)) == (0, 0.3, 1)


def test_partition_values_and_nulls_are_counted() -> None:
    years = [part(10, 2022, 2022), part(30, 2023, 2023), part(50, 2024, 2024), Part(10, {"a": Known(10)})]
    assert of(">=", 2024, *years) == (0.5, 0.5, 0.5)
    assert of("!=", 2024, *years) == (0.6, 0.6, 0.6)
    here = removed(Not(IsNull(Col("a"))), years)
    assert here is not None
    assert (here.low, here.high) == pytest.approx((0.1, 0.1))


def test_values_that_are_counted_as_different_have_as_many_rows() -> None:
    """Of texts too; nothing is forced by it, and a value outside of min and max is in no row."""
    for low, high, asked, outside in ((1, 1000, 7, 0), ("a", "z", "m", "zz"), (None, None, "m", None)):
        known = Part(10, {"a": Known(2, None if low is None else Bounds(low, high), 4)})
        assert of("==", asked, known) == pytest.approx((0.2, 0.8, 1))
        assert of("!=", asked, known) == pytest.approx((0.2, 0.4, 1))
        if outside is not None:
            assert of("==", outside, known) == (1, 1, 1)
        assert of("<", asked, known)[0] == pytest.approx(0.2)


def test_nan_is_greater_than_all_numbers_and_in_no_statistics() -> None:
    assert of(">=", 0.0, part(10, 0.0, 1.0)) == (0, 0, 0)
    assert of("<=", 1.0, part(10, 0.0, 1.0)) == (0, 0, 1)
    assert of("<", -1.0, part(10, 0.0, 1.0)) == (1, 1, 1)
    assert of(">", 1.0, part(10, 0.0, 1.0)) == (0, 1, 1)
    assert of("==", math.nan, part(10, 0.0, 1.0)) == (0, None, 1)


def test_nan_is_likely_in_no_row_whose_numbers_are_known() -> None:
    above = Or((Compare(">", Col("a"), Lit(0.75, FLOAT), "sql"), IsNaN(Col("a"))))
    assert removed(above, [part(10, 0.0, 1.0)]) == Share(0, 0.75, 1)
    assert removed(IsNaN(Col("a")), [part(10, 0.0, 1.0, nulls=4)]) == Share(0.4, 1, 1)
    assert removed(IsNaN(Col("a")), [part(10, 0, 9)]) == Share(1, 1, 1)
    assert removed(IsNaN(Col("a")), [part(10, None, None)]) == Share(0, None, 1)


@pytest.mark.parametrize(
    "known",
    [
        part(10, None, None),
        part(10, 0, 9, nulls=None),
        part(10, 0, 9, nulls=11),  # more than there are rows
        part(10, "a", "b"),
        part(10, dt.date(2024, 1, 1), dt.date(2024, 1, 2)),
        Part(10, {}),
    ],
)
def test_what_is_not_said_or_of_another_type_is_open(known: Part) -> None:
    assert of(">", 4, known)[1:] == (None, 1)


def test_other_expressions_are_open() -> None:
    for asked in (Col("a"), Compare(">", Col("a"), Col("a"), "sql"), Compare(">", Col("a"), Lit(1, INT64), "python")):
        assert removed(asked, [part(10, 5, 9)]) == Share(0, None, 1)
    assert removed(Lit(True, BOOL), [part(10, 5, 9)]) == Share(0, 0, 0)
