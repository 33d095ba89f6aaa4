"""A weaker pre-filter is an answer where time grows short; a time-out is not."""

from __future__ import annotations

import time

from headwater.proof.certificate import certify
from headwater.proof.checker import accepted, check
from headwater.semantics.values import fresh_context
from headwater.synthesis.modes import FULL
from headwater.synthesis.search import Search, Statistics
from headwater.synthesis.session import Clock
from headwater.synthesis.universe import Analysis, prefilter_universe
from tests.synthesis import problems as p


def test_late_in_the_search_the_weakest_candidates_come_first() -> None:
    fresh_context()
    analysis = Analysis.of(p.OPEN_CLOSE)
    hurried = Clock(time.process_time() + 60, late=0.0)
    search = Search(p.OPEN_CLOSE, analysis, prefilter_universe(analysis), hurried, FULL, Statistics())
    solution = search.run()
    assert solution is not None
    assert accepted(check(certify(p.OPEN_CLOSE, solution)))


def test_a_clock_is_late_when_most_of_its_time_is_gone() -> None:
    assert not Clock.of(60).is_late()
    assert Clock.of(0).is_late()
