"""The bounded check never refuses what can be proved, and refuses most of what cannot."""

from __future__ import annotations

import pytest

from headwater.synthesis.bounded import bounded_check
from headwater_ir.verdict import Bounded, Refuted
from tests.synthesis.test_solve import REFUSED, SOLVED


@pytest.mark.parametrize("name", SOLVED)
def test_maybe_for_everything_that_is_solved(name: str) -> None:
    assert isinstance(bounded_check(SOLVED[name][0]), Bounded)


@pytest.mark.parametrize("name", [n for n in REFUSED if "never pass" not in n])
def test_no_with_a_counterexample(name: str) -> None:
    verdict = bounded_check(REFUSED[name][0])
    assert isinstance(verdict, Refuted)
    # What a few rows show does not tell that their order decides.
    assert verdict.obstruction in (REFUSED[name][1], "no-prefilter")
