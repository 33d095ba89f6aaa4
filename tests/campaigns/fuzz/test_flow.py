"""Programs whose data takes many ways through the code."""

from __future__ import annotations

import ast
from functools import partial

from .examine import examined
from .tool import answer
from .write import Recorded, write_flow

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
