"""Programs of every family: operators, batches, RDDs row by row, keys and functions in filters."""

from __future__ import annotations

import ast

import pytest

from headwater_ir import crossing

from .examine import examined
from .mistakes import MISTAKES, SHOWN
from .planted import MOVED, MOVED_AT
from .write import FAMILIES, MORE_SHAPES, Recorded, writer_of

SEEDS = range(0, 80, Recorded.SPELLINGS)
BY_OTHERS = {"mapInArrow", "constant", "distinct", "explode beside", "pivot", "unpivot above", "cache", "passing"}
"""Shapes whose rules are those that other shapes show to be needed."""
REFUSED = {"sample"}
"""Shapes with an operator that no crossing of a certificate can name: a rule that lets a filter pass it has no
certificate, so no wrong rewrite can show it."""


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_are_python_and_repeat(family: str) -> None:
    writer, seeds = writer_of(family), range(0, 1200, Recorded.SPELLINGS)
    written = [writer(Recorded(seed=seed)) for seed in seeds]
    for program in written:
        ast.parse(program.source)
    assert written == [writer(Recorded(seed=seed)) for seed in seeds]
    assert {p.shape for p in written} == set(FAMILIES[family])


@pytest.mark.parametrize("family", FAMILIES)
def test_rewrites_of_numbered_programs_hold(family: str) -> None:
    records = [examined(seed, shrink=False, writer=writer_of(family)) for seed in SEEDS]
    assert not [r.wrong for r in records if r.wrong]
    assert sum(r.original is not None for r in records) > len(SEEDS) / 6


def test_every_mistake_is_shown_and_nearly_every_shape_shows_one() -> None:
    assert {name for name, _, _ in SHOWN} == set(MISTAKES)
    assert set(MORE_SHAPES) - {shape for _, shape, _ in SHOWN} - {*MOVED, *MOVED_AT} == BY_OTHERS | REFUSED
    assert "PassesSample" not in vars(crossing)
