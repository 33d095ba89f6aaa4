"""How far what a loop adds up can get: never less than what running it shows."""

from __future__ import annotations

import random

import pytest

from headwater.python.exprs.intervals import MOST_ROWS, Range, slot_ranges
from headwater_ir.expr import Arith, Col, Compare, Expr, If, Lit, Slot
from headwater_ir.types import INT, Type

X = Col("x")
NARROW = {"x": Type("int", 8)}
ONE = Lit(1, INT)


def number(value: int) -> Lit:
    return Lit(value, INT)


def plus(a: Expr, b: Expr) -> Expr:
    return Arith("+", a, b, "python")


def smaller(a: Expr, b: Expr) -> Expr:
    return If(Compare("<", b, a, "python"), b, a)


def ranges(*step: Expr) -> list[Range | None]:
    found = slot_ranges([number(0)] * len(step), list(step), NARROW)
    return [found[i] for i in range(len(step))]


def test_a_counter_grows_by_one_with_each_row() -> None:
    (count,) = ranges(plus(Slot(0), ONE))
    assert count is not None
    assert count.by_rows
    assert (count.low, MOST_ROWS <= count.high <= MOST_ROWS + 10) == (0, True)


def test_a_sum_grows_by_a_value_of_its_column() -> None:
    (total,) = ranges(plus(Slot(0), X))
    assert total is not None
    assert total.by_rows
    assert -128 * (MOST_ROWS + 10) <= total.low < total.high <= 127 * (MOST_ROWS + 10)


def test_what_is_capped_stays_below_the_cap() -> None:
    assert ranges(smaller(plus(Slot(0), number(3)), number(10))) == [Range(0, 10)]


def test_the_longest_run_is_no_longer_than_the_rows() -> None:
    current = If(Compare(">", X, number(0), "python"), plus(Slot(0), ONE), number(0))
    longest = If(Compare(">", current, Slot(1), "python"), current, Slot(1))
    for found in ranges(current, longest):
        assert found is not None
        assert (found.low, found.high < 2**33) == (0, True)


@pytest.mark.parametrize(
    "step",
    [
        (plus(Slot(0), Slot(1)), plus(Slot(1), ONE)),
        (plus(plus(Slot(0), Slot(0)), ONE),),
        (Arith("*", plus(Slot(0), ONE), number(2), "python"),),
        (plus(smaller(Slot(1), plus(Slot(0), ONE)), Slot(0)), plus(Slot(1), ONE)),
    ],
    ids=["a sum of a counter", "doubled", "multiplied", "a sum of the smaller of two"],
)
def test_what_grows_faster_and_faster_has_no_bound(step: tuple[Expr, ...]) -> None:
    found = ranges(*step)[0]
    assert found is None or found.high == float("inf")


def value(e: Expr, slots: list[int], x: int) -> int:
    match e:
        case Lit(v) if isinstance(v, int):
            return v
        case Col():
            return x
        case Slot(i):
            return slots[i]
        case Arith(op, a, b):
            left, right = value(a, slots, x), value(b, slots, x)
            return left + right if op == "+" else left - right if op == "-" else left * right
        case If(Compare(op, a, b), then, otherwise):
            left, right = value(a, slots, x), value(b, slots, x)
            holds = {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[op]
            return value(then if holds else otherwise, slots, x)
    raise AssertionError(e)


def expression(chance: random.Random, depth: int) -> Expr:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([X, Slot(0), Slot(1), Slot(2), number(chance.randint(-3, 50))])
    a, b = expression(chance, depth - 1), expression(chance, depth - 1)
    if chance.random() < 0.5:
        return Arith(chance.choice("++-*"), a, b, "python")  # type: ignore[arg-type]
    op = chance.choice(["<", ">", "<=", ">="])
    if chance.random() < 0.5:
        return If(Compare(op, a, b, "python"), *chance.choice([(a, b), (b, a)]))  # type: ignore[arg-type]
    c, d = expression(chance, depth - 1), expression(chance, depth - 1)
    return If(Compare(op, a, b, "python"), c, d)  # type: ignore[arg-type]


def test_no_run_leaves_the_ranges_and_after_few_rows_they_are_not_reached() -> None:
    chance, bounded = random.Random(5), 0
    for _ in range(800):
        init, step = [chance.randint(-5, 5) for _ in range(3)], [expression(chance, 2) for _ in range(3)]
        found = slot_ranges([number(v) for v in init], step, NARROW)
        bounded += any(r is not None and r.by_rows for r in found.values())
        slots = init
        for _ in range(40):
            x = chance.choice([-128, 127, 0, chance.randint(-128, 127)])
            slots = [value(e, slots, x) for e in step]
            if max(map(abs, slots)) > 10**30:
                break
            for i, v in enumerate(slots):
                r = found[i]
                assert r is None or r.low <= v <= r.high, (init, step, found, slots)
    assert bounded > 25
