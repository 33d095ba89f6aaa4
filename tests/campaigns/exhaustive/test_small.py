"""A fixed part of the enumeration: no proved rewrite may change a result on any table of up to two rows.

``make campaign NAME=exhaustive`` runs all of depth one and more of depth two.
"""

from __future__ import annotations

from collections import Counter

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Verdict

from .judge import Judge, Memory, rulings
from .programs import SCHEMAS, plans, portion

PARTS = 8
SHARES = {0: 1, 1: 71, 2: 6007}
"""Every how many-th filter of each depth: what fits into half a minute."""
WORK = [w for depth, share in SHARES.items() for w in portion(depth, share)]
JUDGE = Judge(Memory(), look_for_missed=False)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_proved_rewrite_is_wrong(part: int) -> None:
    words: Counter[str] = Counter()
    for plan, conditions in WORK[part::PARTS]:
        tally = JUDGE.judge(plan, conditions)
        assert not tally.wrong, tally.wrong[0]
        words += tally.words
    assert words["exact"] + words["split"] + words["partial"] > 5, words
    assert words["unknown"] <= 5, words


def test_what_keeps_rows_by_their_number_stops_every_filter() -> None:
    """Whatever is below it."""
    for plan, conditions in portion(2, 97):
        if plan.operators[1].name == "limit" and plan.operators[0].sort == "boundary":
            words = Judge(Memory(_not_asked)).judge(plan, conditions).words
            assert all(word.startswith("stopped") for word in words), (plan.name, words)


def test_no_rewrite_through_an_operator_is_wrong() -> None:
    """Joins, unions, windows, caches, NULLs filled and duplicates dropped, alone and above a boundary; each lets
    something pass."""
    moved = set()
    for depth, share in ((1, 11), (2, 499)):
        for plan, conditions in portion(depth, share):
            if plan.operators[-1].sort == "opaque" and plan.operators[0].sort in ("boundary", "opaque"):
                tally = JUDGE.judge(plan, conditions)
                assert not tally.wrong, tally.wrong[0]
                if any(tally.words[kind] for kind in ("exact", "split", "partial")):
                    moved.add(plan.operators[-1].name)
    assert moved == {p.operators[0].name for p in plans(1) if p.operators[0].sort == "opaque"} - {"limit"}


def _not_asked(problem: FoldProblem) -> Verdict:
    raise AssertionError("a filter passed")


def test_what_an_identity_function_returns_is_filtered_before_it() -> None:
    (plan,) = (p for p in plans(1) if p.name == "udf same")
    (found,) = analyse(plan.module(['F.col("u") == 0']), Options(schemas=SCHEMAS)).opportunities
    assert (found.code, found.prefilter_sql) == ("HW101", "v = 0")


def test_a_long_line_is_not_broken_inside_an_empty_condition() -> None:
    (plan,) = (p for p in plans(2) if p.name == "filter v not null → udf sign")
    (ruling,) = rulings(plan, ['F.col("u").eqNullSafe(F.lit(None))'], Memory())
    assert ruling.rewritten is not None
    assert ".filter(F.lit(False))" in ruling.rewritten


def test_the_enumeration_is_what_it_claims() -> None:
    sizes = {depth: sum(len(p.predicates()) for p in plans(depth)) for depth in (0, 1)}
    assert sizes[0] > 100
    assert sizes[1] > 12_000
    assert sum(1 for _ in plans(2)) > 10_000
    for depth in (1, 2):
        names = [p.name for p in plans(depth)]
        assert len(set(names)) == len(names)
