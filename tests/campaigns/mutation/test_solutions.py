"""No mutant of a proved solution is accepted and wrong; the bounded part of ``make campaign NAME=mutation``."""

from __future__ import annotations

from itertools import chain

from headwater_ir.verdict import Certificate

from .corpus import QUICK, hand_built, solved
from .solutions import Tally, judge

EVERY = 4


def test_every_altered_solution_is_rejected_or_right() -> None:
    tally = Tally()
    for _, problem, s in chain(hand_built(), solved(QUICK)):
        judge(problem, s, tally, EVERY)
    assert not tally.holes
    assert min(tally.made.values()) >= 30
    assert tally.wrong >= 40, "mutants that change a result must be among them"


def test_a_checker_that_accepts_everything_would_be_found_out() -> None:
    def gullible(certificate: Certificate) -> bool:
        return True

    for name, problem, s in list(hand_built())[:5]:
        tally = Tally()
        judge(problem, s, tally, 1, gullible)
        assert {h[0] for h in tally.holes} >= {"G", "R"}, name
