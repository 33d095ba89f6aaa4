"""Programs whose data takes many ways through the code, and programs of all families in other formulations."""

from __future__ import annotations

import ast
from functools import partial

from .examine import examined
from .tool import answer
from .write import Recorded, write_flow, write_formulation

SEEDS = 12


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


def test_formulations_are_python_repeat_and_hold() -> None:
    written = [write_formulation(Recorded(seed=seed)) for seed in range(0, 240, 3)]
    for program in written:
        ast.parse(program.source)
    assert written == [write_formulation(Recorded(seed=seed)) for seed in range(0, 240, 3)]
    seeds = range(0, 48, Recorded.SPELLINGS)
    records = [examined(seed, partial(answer, again=False), shrink=False, writer=write_formulation) for seed in seeds]
    assert not [r.wrong for r in records if r.wrong]
    assert any(r.original is not None for r in records)
