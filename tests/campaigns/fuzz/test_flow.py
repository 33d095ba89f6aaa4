"""Programs whose data takes many ways through the code, and wrong readings of them (issue 5, items 1 and 4)."""

from __future__ import annotations

import ast
from functools import partial

import pytest

from .examine import examined
from .misreadings import MISREADINGS, misread_by
from .tool import answer
from .write import Recorded, write_flow

SEEDS = 12
SEEN_AT = {"a second consumer is overlooked": 309, "nobody reads what is not filtered": 44}
"""A program that shows each; another one has to be looked for when the generator changes."""


def test_programs_are_python_and_repeat() -> None:
    written = [write_flow(Recorded(seed=seed)) for seed in range(200)]
    for program in written:
        ast.parse(program.source)
    assert written == [write_flow(Recorded(seed=seed)) for seed in range(200)]
    every = "\n".join(p.source for p in written)
    for spelled in ("if FLAG", "else:", "for item in", "def step", ".transform(step", ".transform(lambda", "try:",
                    "with nullcontext", "getattr(", ".selectExpr(", ".unionByName(", 'f"{COL', "COLS"):  # fmt: skip
        assert spelled in every, spelled


def test_rewrites_of_numbered_programs_hold() -> None:
    records = [examined(seed, partial(answer, again=False), shrink=False, writer=write_flow) for seed in range(SEEDS)]
    assert not [r.wrong for r in records if r.wrong]
    assert any(r.original is not None for r in records)


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misreading_is_seen(name: str) -> None:
    tool, seed = partial(answer, again=False), SEEN_AT[name]
    assert not examined(seed, tool, shrink=False, writer=write_flow).wrong
    with misread_by(name):
        assert examined(seed, tool, shrink=False, writer=write_flow).wrong
