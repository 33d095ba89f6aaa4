"""What is remembered of proofs: the same problem is solved once, and nothing else passes for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from headwater.engine.analysis.solver import synthesis
from headwater.engine.documents.verdicts import Remembered, Verdicts
from headwater_ir import types as ty
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Bounded, Proved, Refuted, Unknown, Verdict
from tests.synthesis import problems as p

MAX = FoldProblem(p.maximum(ty.INT64), p.m(">", 3))


class Counting:
    """A solver that counts."""

    def __init__(self, verdict: Verdict | None = None) -> None:
        self.asked: list[FoldProblem] = []
        self.verdict = verdict

    def __call__(self, problem: FoldProblem, seconds: float) -> Verdict:
        self.asked.append(problem)
        return self.verdict or synthesis(problem, seconds)


def test_a_problem_is_solved_once(tmp_path: Path) -> None:
    solver = Counting()
    first = Verdicts(tmp_path, 10).solving(solver)(MAX, 10)
    assert isinstance(first, Proved)
    verdicts = Verdicts(tmp_path, 10)
    assert verdicts.solving(solver)(MAX, 10) == first
    assert len(solver.asked) == 1
    assert verdicts.only(MAX, 10) == first
    assert verdicts.otherwise(Counting(Bounded(2)))(MAX, 10) == first


def test_another_problem_or_more_time_is_asked_anew(tmp_path: Path) -> None:
    solver = Counting(Refuted("no-prefilter", "none"))
    Verdicts(tmp_path, 10).solving(solver)(MAX, 10)
    Verdicts(tmp_path, 20).solving(solver)(MAX, 10)
    other = replace(MAX, fold=replace(MAX.fold, name="other"))
    Verdicts(tmp_path, 10).solving(solver)(other, 10)
    assert len(solver.asked) == 3


def test_what_is_not_final_is_not_kept(tmp_path: Path) -> None:
    for verdict in (Unknown("late"), Bounded(2)):
        Verdicts(tmp_path, 10).solving(Counting(verdict))(MAX, 10)
        assert Verdicts(tmp_path, 10).known(MAX) is None
    assert isinstance(Verdicts(tmp_path, 10).only(MAX, 10), Unknown)
    assert Verdicts(tmp_path, 10).otherwise(Counting(Bounded(2)))(MAX, 10) == Bounded(2)


def test_a_damaged_entry_is_computed_again(tmp_path: Path) -> None:
    solver = Counting()
    Verdicts(tmp_path, 10).solving(solver)(MAX, 10)
    (entry,) = tmp_path.rglob("*.json")
    entry.write_bytes(entry.read_bytes().replace(b"Proved", b"ProveD"))
    assert Verdicts(tmp_path, 10).known(MAX) is None
    assert not entry.exists()


def test_the_proof_of_another_problem_does_not_pass(tmp_path: Path) -> None:
    verdicts = Verdicts(tmp_path, 10)
    proved = synthesis(MAX, 10)
    other = replace(MAX, predicate=p.m(">", 4))
    verdicts._entries.store(verdicts._key(other), Remembered(proved))  # type: ignore[arg-type]
    assert Verdicts(tmp_path, 10).known(other) is None


def test_a_directory_that_cannot_be_used_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    solver = Counting(Refuted("no-prefilter", "none"))
    verdicts = Verdicts(tmp_path / "file", 10)
    verdicts.solving(solver)(MAX, 10)
    assert verdicts.known(MAX) is not None, "held in memory"
    assert Verdicts(tmp_path / "file", 10).known(MAX) is None
