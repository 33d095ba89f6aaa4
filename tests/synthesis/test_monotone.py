"""Directions of slots: what is found of a step, and that a run never goes the other way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from headwater.semantics.interpreter import EvaluationError, Machine
from headwater.synthesis import monotone
from headwater.synthesis.monotone import Direction, directions
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, Fold, StateSlot

from .problems import KEY, KEY_OUT, NULL, num, py

C, LOW, HIGH = ir.Col("c"), ir.Slot(0), ir.Slot(1)


def both(test: Expr, highest: Expr | None = None) -> Fold:
    """The lowest and the highest value, begun where ``test`` holds."""
    low = ir.If(py("<", C, LOW), C, LOW)
    high = ir.If(py(">", C, HIGH), C, HIGH) if highest is None else highest
    slots = (StateSlot("lowest", ty.INT), StateSlot("highest", ty.INT))
    columns = (KEY, Column("c", ty.INT))
    facts = (ir.Not(ir.IsNull(C)),)
    step = (ir.If(test, C, low), ir.If(test, C, high))
    return Fold("f", "applyInPandas", columns, slots, (NULL, NULL), step, (KEY_OUT,), facts=facts)


ONE_MISSING = ir.Or((ir.IsNull(LOW), ir.IsNull(HIGH)), "python")
FOLDS: list[tuple[str, Fold, tuple[Direction, Direction]]] = [
    ("missing together, asked of one", both(ir.IsNull(LOW)), ("shrinks", "grows")),
    ("missing together, asked of either", both(ONE_MISSING), ("shrinks", "grows")),
    ("begun again below a bound", both(ir.Or((ONE_MISSING, py("<", C, num(0))), "python")), ("none", "none")),
    ("the last value", both(ONE_MISSING, C), ("shrinks", "none")),
    ("never above the highest", both(ONE_MISSING, ir.If(py(">", LOW, HIGH), C, HIGH)), ("shrinks", "grows")),
]


@pytest.mark.parametrize(("fold", "expected"), [f[1:] for f in FOLDS], ids=[f[0] for f in FOLDS])
def test_directions(fold: Fold, expected: tuple[Direction, ...]) -> None:
    assert directions(fold) == expected


def broken(fold: Fold, found: Sequence[Direction], seed: int) -> bool:
    """Whether some run over random rows goes against ``found``."""
    random, machine = Random(seed), Machine(fold)
    for _ in range(200):
        state = machine.initial({"k": "a"})
        for _ in range(6):
            try:
                after = machine.step(state, {"k": "a", "c": random.randint(-3, 3)})
            except EvaluationError:
                break
            for direction, a, b in zip(found, state, after, strict=True):
                if a is not None and (
                    b is None or (b < a if direction == "grows" else direction == "shrinks" and b > a)
                ):
                    return True
            state = after
    return False


@pytest.mark.parametrize("fold", [f[1] for f in FOLDS], ids=[f[0] for f in FOLDS])
def test_no_run_goes_the_other_way(fold: Fold) -> None:
    assert not broken(fold, directions(fold), 1)


def test_notices_a_wrong_direction() -> None:
    last = FOLDS[3][1]
    assert broken(last, ("shrinks", "grows"), 1)


def test_candidates_that_do_not_last_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the candidates taken as they are, every slot would have a direction."""
    last = FOLDS[3][1]
    monkeypatch.setattr(monotone, "_invariant", lambda solver, v, before, after, ordered: [before.slots[0].null])
    assert directions(last) != FOLDS[3][2]
