"""Operators, batches, RDDs row by row, keys and functions in filters; and mistakes in their rules (issue 6)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

import pytest

from .examine import examined
from .mistakes import MISTAKES, SHOWN, mistaken
from .planted import PLANTED
from .tool import answer
from .write import LATEST, NEWER, WIDER, Program, Recorded, Writer, write_latest, write_newer, write_wider

SEEDS = range(0, 160, Recorded.SPELLINGS)
MOVED = ("rdd rows", "rdd keys", "pandas_udf series", "mapInPandas", "explode", "unpivot", "udf in filter",
         "applyInPandas key", "early return", "union by name", "above a union")  # fmt: skip
"""Shapes of which a solver that moves the bounds of its pre-filters is wrong."""
MOVED_AT = {"checkpoint": 32, "unread": 28, "join range": 0, "latest": 12, "picks": 124, "join side": 96,
            "qualified": 48, "element function": 8}  # fmt: skip
"""More of them, each with a program that shows it."""
BY_OTHERS = {"mapInArrow", "constant", "distinct", "explode beside", "pivot", "unpivot above", "cache"}
"""Shapes whose rules are those that other shapes show to be needed."""


def _of(shape: str) -> Callable[..., Program]:
    writer = write_latest if shape in LATEST else write_newer if shape in NEWER else write_wider
    return partial(writer, shape=shape)


def _sees(shape: str, seed: int, planted: Callable[[], AbstractContextManager[None]]) -> bool:
    tool = partial(answer, again=False)
    assert not examined(seed, tool, shrink=False, writer=_of(shape)).wrong
    with planted():
        return bool(examined(seed, tool, shrink=False, writer=_of(shape)).wrong)


@pytest.mark.parametrize(
    ("writer", "shapes"),
    [(write_wider, WIDER), (write_newer, NEWER), (write_latest, LATEST)],
    ids=["wider", "newer", "latest"],
)
def test_programs_are_python_and_repeat(writer: Writer, shapes: dict[str, object]) -> None:
    written = [writer(Recorded(seed=seed)) for seed in range(0, 1200, Recorded.SPELLINGS)]
    for program in written:
        ast.parse(program.source)
    assert written == [writer(Recorded(seed=seed)) for seed in range(0, 1200, Recorded.SPELLINGS)]
    assert {p.shape for p in written} == set(shapes)


@pytest.mark.parametrize(
    ("writer", "seeds"),
    [(write_wider, SEEDS), (write_newer, SEEDS[:24]), (write_latest, SEEDS[:16])],
    ids=["wider", "newer", "latest"],
)
def test_rewrites_of_numbered_programs_hold(writer: Writer, seeds: range) -> None:
    records = [examined(seed, shrink=False, writer=writer) for seed in seeds]
    assert not [r.wrong for r in records if r.wrong]
    assert sum(r.original is not None for r in records) > len(seeds) / 5


@pytest.mark.parametrize(("name", "shape", "seed"), SHOWN)
def test_a_mistake_is_seen(name: str, shape: str, seed: int) -> None:
    assert _sees(shape, seed, partial(mistaken, name))


def test_every_mistake_is_shown_and_nearly_every_shape_shows_one() -> None:
    assert {name for name, _, _ in SHOWN} == set(MISTAKES)
    assert {*WIDER, *NEWER, *LATEST} - {shape for _, shape, _ in SHOWN} - {*MOVED, *MOVED_AT} == BY_OTHERS


@pytest.mark.parametrize("shape", MOVED)
def test_moved_bounds_are_seen(shape: str) -> None:
    planted = partial(answer, again=False, solver=PLANTED["the bounds of the pre-filter are moved"])
    assert any(examined(seed, planted, shrink=False, writer=_of(shape)).wrong for seed in range(0, 400, 4))


@pytest.mark.parametrize(("shape", "seed"), MOVED_AT.items())
def test_moved_bounds_of_one_program_are_seen(shape: str, seed: int) -> None:
    planted = partial(answer, again=False, solver=PLANTED["the bounds of the pre-filter are moved"])
    assert examined(seed, planted, shrink=False, writer=_of(shape)).wrong
