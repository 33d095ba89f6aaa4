"""THEORY.md section 3: ``G`` is the strongest and ``R`` the weakest of their universes, checked by trying all."""

from __future__ import annotations

import pytest

from tests.synthesis.exhaustive import Exhaustion, assert_nothing_is_better
from tests.synthesis.test_solve import REFUSED, SOLVED

MAX_PREFILTERS, MAX_RESIDUALS = 8, 8
PROBLEMS = {name: entry[0] for name, entry in SOLVED.items()} | {name: entry[0] for name, entry in REFUSED.items()}


@pytest.mark.parametrize("name", PROBLEMS)
def test_nothing_in_the_universes_is_better(name: str) -> None:
    everything = Exhaustion(PROBLEMS[name])
    if len(everything.prefilters) > MAX_PREFILTERS or len(everything.residuals) > MAX_RESIDUALS:
        pytest.skip("too many conjunctions to try")
    assert_nothing_is_better(PROBLEMS[name], name)
