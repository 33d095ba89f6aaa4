"""Every filter of the suite: at the expected strength or stronger, or refused with its obstruction; every certificate
passes Z3 and cvc5; the bounded check never excludes what is proved."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from benchmarks.synthesis.strength import Answer, answer, compare
from benchmarks.synthesis.suite import Problem, files, load

from headwater.operators.move import Moved
from headwater.proof.checker import accepted, check
from headwater.synthesis.algorithm import Limits, solve
from headwater.synthesis.bounded import bounded_check
from headwater_ir.verdict import Bounded, Proved, Verdict

FILES = files()
SECONDS = 30.0


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


each_file = pytest.mark.parametrize(
    "path", [pytest.param(p, id=named(p), marks=pytest.mark.xdist_group(named(p))) for p in FILES]
)
"""What is solved for one test of a file is known to the others, if one process runs them."""


@cache
def verdict_of(problem: Problem) -> Verdict | None:
    return solve(problem.moved.problem, Limits(SECONDS)) if isinstance(problem.moved, Moved) else None


def answer_of(problem: Problem) -> Answer:
    return answer(problem, verdict_of(problem) or problem.moved)  # type: ignore[arg-type]


@each_file
def test_expectations_are_met(path: Path) -> None:
    """And Z3 has accepted what ``solve`` calls proved."""
    complaints = []
    for problem in load(path):
        complaints += [f"{problem.name}: {c}" for c in compare(problem, answer_of(problem)).complaints]
        verdict = verdict_of(problem)
        assert not isinstance(verdict, Proved) or accepted(verdict.conditions)
    assert not complaints, "\n".join(complaints)


@each_file
def test_every_certificate_passes_cvc5(path: Path) -> None:
    for problem in load(path):
        verdict = verdict_of(problem)
        assert not isinstance(verdict, Proved) or accepted(check(verdict.certificate, "cvc5")), problem.name


@each_file
def test_the_bounded_check_excludes_nothing_that_is_proved(path: Path) -> None:
    for problem in load(path):
        if isinstance(problem.moved, Moved) and not isinstance(bounded_check(problem.moved.problem), Bounded):
            found = answer_of(problem)
            assert found.quiet or found.solution is None, problem.name


def test_the_suite_is_as_large_and_as_mixed_as_it_should_be() -> None:
    problems = [p for path in FILES for p in load(path)]
    kinds = Counter(p.expected.kind for p in problems)
    assert len(FILES) >= 40
    assert len(problems) >= 200
    assert kinds["none"] + kinds["never"] >= 40
    assert kinds["never"] >= 3
    assert sum(p.expected.projection for p in problems) >= 5
    assert {p.grouped for p in problems} >= {True, False}
