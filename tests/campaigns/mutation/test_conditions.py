"""Without any one of the verification conditions, or of the checker's own checks, something wrong would be accepted:
the bounded part of what ``make campaign NAME=mutation`` does with every expression of the trusted base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from headwater.proof import certificate as certificates
from headwater.proof import checker
from headwater.proof.certificate import certify
from headwater.proof.checker import MalformedCertificate, accepted, check
from headwater.proof.conditions import Goal, goals
from headwater_ir.assumptions import Assumption
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, Condition, Solution
from tests.proof.test_wrong_certificates import ALONE, RIGHT, X
from tests.synthesis import problems as p

from .runner import all_mutants

EVERY_GOAL = {
    ("Init", ""), ("Sync", ""), ("Stutter", ""), ("Safe", "step"), ("Safe", "pre-filter"), ("Merge", ""),
    ("Safe", "merge"), ("Final", ""), ("Final", "with the filter kept"), ("Safe", "output"),
    ("Safe", "output with the filter kept"),
}  # fmt: skip


def test_the_list_of_goals_is_complete() -> None:
    cases = [(problem, s) for problem, s, _ in ALONE.values()] + list(RIGHT.values())
    assert {(g.name, g.part) for problem, s in cases for g in goals(problem, s)} == EVERY_GOAL


@pytest.mark.parametrize("rows", ["many", "one"])
@pytest.mark.parametrize("dropped", sorted(EVERY_GOAL), ids="/".join)
def test_without_a_condition_something_wrong_is_accepted(
    dropped: tuple[str, str], rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [(q, s) for q, s, parts in ALONE.values() if parts == {dropped} and q.fold.rows == rows]
    if rows == "one" and dropped not in {("Final", ""), ("Safe", "pre-filter"), ("Safe", "output")}:
        pytest.skip("no such condition of a row function, or one that follows from the others")
    assert cases, "no wrong solution is rejected by this condition alone"
    assert not any(accepted(check(certify(q, s))) for q, s in cases)

    def less(problem: FoldProblem, s: Solution) -> list[Goal]:
        return [g for g in goals(problem, s) if (g.name, g.part) != dropped]

    monkeypatch.setattr(certificates, "goals", less)
    assert all(accepted(check(certify(q, s))) for q, s in cases)


def nothing(*_: Any) -> Iterator[str]:
    return iter(())


WRONG = certify(*ALONE["a residual that rejects what passes"][:2])
GOOD = certify(*RIGHT["a row function"])
BORROWED = replace(WRONG, scripts=certify(*RIGHT["a row function"]).scripts)
SILENT = replace(GOOD, assumptions=(Assumption("other", "nothing"),))
BOASTING = certify(GOOD.problem, replace(GOOD.solution, kind="partial"))
PYTHON = certify(GOOD.problem, replace(GOOD.solution, pre_filter=p.py("==", X, p.num(1))))


@pytest.mark.parametrize(
    ("name", "mutant", "wrong"),
    [
        ("_well_formed", nothing, BORROWED),
        ("_complaints", nothing, PYTHON),
        ("_kind_complaints", nothing, BOASTING),
        ("assumptions", lambda problem, path: (Assumption("other", "nothing"),), SILENT),
        ("accepted", lambda conditions: any(c.status == "proved" for c in conditions), WRONG),
        ("_RANK", {"failed": 2, "unknown": 1, "proved": 0}, WRONG),
        ("_z3", lambda text, seconds: "proved", WRONG),
    ],
)
def test_without_a_check_something_wrong_is_accepted(
    name: str, mutant: object, wrong: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes() -> bool:
        try:
            conditions: tuple[Condition, ...] = check(wrong)
        except MalformedCertificate:
            return False
        return checker.accepted(conditions)

    assert not takes()
    monkeypatch.setattr(checker, name, mutant)
    assert takes()


def test_the_operators_make_the_mutants_that_matter() -> None:
    """A conjunct, a hypothesis, a flag that is forgotten; one side taken for the other; a check left out."""
    made = list(all_mutants(["proof/conditions.py", "proof/checker.py", "semantics/values.py"]))
    wanted = [
        ("agreement", "land(passes1, passes2, equal)", "land(passes1, passes2)"),
        ("_fold_goals", "(*stepped, lnot(keeps))", "(*stepped,)"),
        ("_fold_goals", "step2", "step1"),
        ("is_true", "v.null", "F"),
        ("decide", "raise MalformedCertificate(complaint)", "pass"),
    ]
    found = {(m.scope, m.before, m.after) for m in made}
    assert not [w for w in wanted if w not in found]
    assert len({m.key for m in made}) == len(made), "each has a name of its own"
