"""The small problems of the suite: ``G`` is the strongest and ``R`` the weakest of their universes; all are tried.

At least 40 problems are small enough; each is tried with every conjunction over its universes.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from benchmarks.synthesis.suite import Problem, files, load

from headwater.synthesis.universe import Analysis, prefilter_universe, residual_universe
from tests.synthesis.exhaustive import assert_nothing_is_better

MAX_PREFILTERS, MAX_RESIDUALS = 5, 6
WANTED = 40


@cache
def small(path: Path) -> tuple[Problem, ...]:
    """The problems of a file whose universes can be exhausted in a second or so."""
    return tuple(p for p in load(path) if p.problem is not None and p.problem.fold.rows == "many" and _is_small(p))


def _is_small(p: Problem) -> bool:
    assert p.problem is not None
    analysis = Analysis.of(p.problem)
    sizes = len(prefilter_universe(analysis)), len(residual_universe(analysis))
    return sizes[0] <= MAX_PREFILTERS and sizes[1] <= MAX_RESIDUALS


@pytest.mark.parametrize("path", files(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_nothing_in_the_universes_is_better(path: Path) -> None:
    for p in small(path):
        assert p.problem is not None
        assert_nothing_is_better(p.problem, p.name)


def test_enough_problems_are_small() -> None:
    found = (p for path in files() for p in small(path))
    assert len(list(islice(found, WANTED))) == WANTED
