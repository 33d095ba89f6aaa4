"""What the checker accepts is right on every small group: the trusted base against brute force.

Each proved pre-filter and residual is run beside the original with the concrete interpreter, over all groups of up to
three rows made of NULL, NaN and the numbers around the constants, in every order and, where the engine merges, with
every split. Nothing of the synthesis or of the encoding is used to judge.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from headwater.semantics.interpreter import Env, EvaluationError, Machine, MaybeState, Row, holds, passes
from headwater.semantics.scalars import same
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.expr import Expr, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved, Solution

from .random_problems import Writer
from .test_solve import SOLVED

VALUES: dict[str, tuple[Scalar, ...]] = {
    "float": (None, float("nan"), -1.0, 0.0, 1.0, float("inf")),
    "int": (None, -2, -1, 0, 1, 2),
    "bool": (None, False, True),
    "string": ("a", None),
}
MOST = 3000
"""Sequences of rows per key: with many kinds of rows, three at a time are too many."""
Result = dict[str, Scalar] | str | None


class Trial:
    """Runs one problem and one solution to it."""

    def __init__(self, problem: FoldProblem, solution: Solution) -> None:
        self.problem, self.solution, self.machine = problem, solution, Machine(problem.fold)

    def groups(self) -> Iterator[tuple[Row, ...]]:
        """All small groups; the key is the same in every row."""
        columns = self.problem.fold.columns
        keys = [c for c in columns if c.is_key]
        others = [c for c in columns if not c.is_key]
        for key in itertools.product(*(VALUES[c.type.name] for c in keys)):
            own = dict(zip((c.name for c in keys), key, strict=True))
            kinds = [
                {**own, **dict(zip((c.name for c in others), values, strict=True))}
                for values in itertools.product(*(VALUES[c.type.name] for c in others))
            ]
            for length in range(0 if not self.problem.fold.grouped else 1, 4):
                if len(kinds) ** length <= MOST or length <= 2:
                    yield from itertools.product(kinds, repeat=length)

    def states(self, rows: tuple[Row, ...], keep: list[bool]) -> Iterator[MaybeState]:
        """The states that the engine may reach over the rows that are kept: in one go, or merged at any place."""
        splits = range(len(rows)) if self.problem.fold.merge is not None and rows else (0,)
        for at in splits:
            left, right = (self._run(rows, keep, part) for part in (range(at), range(at, len(rows))))
            yield right if at == 0 else self.machine.merge(left, right)

    def _run(self, rows: tuple[Row, ...], keep: list[bool], part: range) -> MaybeState:
        state = self.machine.start(rows[0] if rows else {})
        for i in part:
            if keep[i]:
                state = self.machine.step(state, rows[i])
        return state

    def results(self, rows: tuple[Row, ...], keep: list[bool], condition: Expr) -> list[Result]:
        """The rows that come out, one per way to compute them; ``error`` where the engine raises."""
        found: list[Result] = []
        try:
            for state in self.states(rows, keep):
                out = self.machine.output(state, rows[0] if rows else {})
                found.append(out if out is not None and passes(condition, out) else None)
        except EvaluationError:
            return ["error"]
        return found

    def check(self) -> int:
        """How many groups lost a row; AssertionError if a result changed."""
        dropping = 0
        for rows in self.groups():
            original = self.results(rows, [True] * len(rows), self.problem.predicate)
            if "error" in original:
                continue
            keep = [holds(self.solution.pre_filter, Env(row=r)) for r in rows]
            dropping += not all(keep)
            for condition in (self.solution.residual, self.problem.predicate):
                rewritten = self.results(rows, keep, condition)
                assert all(map(alike, original, rewritten)), (self.problem, self.solution, rows, original, rewritten)
        return dropping


def alike(a: Result, b: Result) -> bool:
    """Whether two runs yield the same row."""
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a[name], b[name]) for name in a)
    return a == b


def proved(problem: FoldProblem, seconds: float) -> Solution | None:
    """The solution, if there is one."""
    verdict = solve(problem, Limits(seconds))
    return verdict.solution if isinstance(verdict, Proved) else None


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_solutions_hold(start: int) -> None:
    found = 0
    for seed in range(start, start + 10):
        problem = Writer(seed).problem()
        solution = proved(problem, 1.0)
        if solution is not None:
            found += Trial(problem, solution).check() > 0
    assert found, "no problem was solved"


SMALL = [name for name, (problem, *_) in SOLVED.items() if "Appendix" not in name]


@pytest.mark.parametrize("name", SMALL)
def test_named_solutions_hold(name: str) -> None:
    problem = SOLVED[name][0]
    solution = proved(problem, 60)
    assert solution is not None
    Trial(problem, solution).check()
